"""The recipe: all that an instance file is made from, but the data."""

from pydantic import Field

from .base import Model, Named


class Recipe(Model):
    """The instances of an experiment, one a seed."""

    paper: str = Field(description="The paper.")
    experiment: str = Field(description="The experiment.")
    instance_of: str = Field(description="The same: what names the random numbers.")
    generator: Named = Field(description="What makes the arrays.")
    problem: Named = Field(description="The problem, for its constants.")
    seeds: list[int] = Field(description="Those of all experiments that share it, and of tuning.")
    code: str = Field("", description="Hash of the code that makes it.")

    def alike(self, other: "Recipe") -> bool:
        """Whether both make the same instance of a seed."""
        names = ("generator", "problem", "code")
        return all(getattr(self, name) == getattr(other, name) for name in names)
