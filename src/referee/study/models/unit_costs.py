"""What one call of each oracle costs, as `projfree calibrate` measured it."""

from typing import Annotated

from pydantic import Field

from .base import AsGiven, Model, Number

Cost = Annotated[float, Field(ge=0), AsGiven]
Costs = dict[str, dict[str, dict[str, dict[str, Cost]]]]


class UnitCosts(Model):
    """CPU seconds a call on one machine."""

    machine: str = Field(description="The processor that it is of.")
    commit: str = Field(description="The state of the project.")
    others_on_core: Number | None = Field(None, description="The most that others used of a run's core.")
    error: dict[str, Number] = Field(
        description="Model against measured seconds at the ends: median and worst."
    )
    costs: Costs = Field(description="Experiment → method → oracle → count → seconds a call.")
