"""A named configuration of a solver, or of a probe."""

from typing import Any, Literal

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from .base import Model, Params


class Search(Model):
    """Tuning before the run, on seed 1000, each try with the whole budget of the experiment."""

    pilot: str | None = Field(
        None, description="Parameter set to the number of iterations that fit in the budget."
    )
    grid: list[dict[str, list[Any]]] = Field(
        [],
        description="Stages, each one parameter with values to try besides its default; a stage keeps "
        "what earlier ones chose.",
    )
    extensions: int = Field(
        6, ge=0, description="How often a grid whose best value is at its edge goes on by its own ratio."
    )
    criterion: str | None = Field(None, description="Metric to minimise; the experiment's own by default.")


class Method(Model):
    """A named configuration of a solver or a probe, one a curve."""

    solver: str | None = Field(None, description="A file of src/projfree/solvers.")
    probe: str | None = Field(
        None,
        description="A probe by the name of its file, for measurements that are not one run of a solver.",
    )
    label: str | None = Field(None, description="Name in legends.")
    family: str | None = Field(
        None,
        description="Whose colour it has; the solver's by default. For solvers with variants, for example "
        "the estimator.",
    )
    role: Literal["paper", "strong", "extra"] | None = Field(
        None,
        description="paper: as the paper runs it; strong: the strong version of a baseline, or tuned; "
        "extra: neither.",
    )
    params: Params = Field(
        {}, description="Parameters of the solver or probe; unknown ones are an error that lists the known."
    )
    problem: Params = Field(
        {}, description="Parameters of the problem that differ for this method, such as another loss."
    )
    search: Search | None = Field(
        None,
        description="Tuning before the run, on seed 1000, with the same search budget for every method.",
    )

    @model_validator(mode="after")
    def _one_of_both(self):
        if self.solver is None and self.probe is None:
            raise PydanticCustomError("missing_name", "'solver', or 'probe', is a required property")
        return self

    @property
    def searches(self) -> bool:
        """Whether anything is tuned before the run."""
        return bool(self.search and self.search.model_fields_set)
