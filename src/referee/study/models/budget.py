"""What ends a run."""

from pydantic import Field

from .base import Model, Number


class Budget(Model):
    """What ends a run; the first limit that is reached."""

    cpu_seconds: Number | None = Field(None, description="CPU seconds of the method, metrics excluded.")
    wall_seconds: Number | None = Field(None, description="Wall seconds of the method.")
    iterations: int | None = Field(None, description="Steps of the method.")
    FO: int | None = Field(None, description="Full gradients.")
    IFO: int | None = Field(None, description="Component gradients.")
    SSO: int | None = Field(None, description="Component Hessian-vector products.")
    LO: int | None = Field(None, description="Linear minimisations.")
    PO: int | None = Field(None, description="Projections.")
    PU: int | None = Field(None, description="Polar or atom searches.")
    matvec: int | None = Field(None, description="Products of a gradient-like matrix with a vector.")
    stop: dict[str, Number] | None = Field(
        None, description="Metric → level at which the run ends as converged."
    )

    @property
    def limits(self) -> dict[str, Number]:
        """What it limits → where, but for the levels."""
        return {name: limit for name, limit in self if name != "stop" and limit}
