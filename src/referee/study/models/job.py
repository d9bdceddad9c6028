"""The job: all that one run of a method in an experiment needs; and the recipe of its instances."""

from pydantic import Field

from projfree.trace.runs import runs_of

from .base import Model, Named, Number, Params
from .experiment import Budget, Records, Search


class Chosen(Model):
    """A solver or a probe with its parameters."""

    name: str = Field(description="Its file, without the ending.")
    params: Params = Field(description="Its parameters, of method and experiment together.")


class SeededSearch(Search):
    """A search with the seed that it uses and that is not judged."""

    seed: int = Field(description="The seed that tuning uses.")


class Job(Model):
    """All seeds of one (experiment, method) of a paper under a run, for the engine or for a probe.

    Here is no default that a run could depend on: what was not given is not written, so no hash would see it.
    """

    problem: Named | None = Field(None, description="The problem, as this method has it.")
    set: Named | None = Field(None, description="The feasible set.")
    penalty: Named | None = Field(None, description="In place of a set, of composite objectives.")
    metrics: list[str] = Field([], description="Recorded metrics.")
    records: Records | None = Field(None, description="When it is recorded.")
    lmo_tol: Number | None = Field(None, description="Residual at which the linear oracle accepts.")
    generator: Named | None = Field(None, description="Generator of the instance.")
    paper: str = Field(description="The paper.")
    run: str = Field(description="The run, with its alternative.")
    experiment: str = Field(description="The experiment.")
    method: str = Field(description="The method.")
    instance_of: str = Field(description="The experiment whose instances it runs on.")
    seeds: list[int] = Field(description="The seeds that are run.")
    repetitions: int | None = Field(None, description="How often the first seed is run, for its seconds.")
    budget: Budget | None = Field(description="Limits of a run; None for probes.")
    probe: Chosen | None = Field(None, description="The probe, for measurements.")
    solver: Chosen | None = Field(None, description="The solver, if it is no probe.")
    search: SeededSearch | None = Field(None, description="Tuning before the run.")
    code: str = Field("", description="Hash of the code that the job runs.")

    @property
    def runs(self) -> list[tuple[int, int]]:
        """(seed, repetition) of each of its runs."""
        return runs_of(self.seeds, self.repetitions or 1)

    @property
    def chosen(self) -> Chosen:
        """The solver, or the probe."""
        return self.probe or self.solver


class Recipe(Model):
    """The instances of an experiment, one a seed."""

    paper: str = Field(description="The paper.")
    experiment: str = Field(description="The experiment.")
    instance_of: str = Field(description="The same: what names the random numbers.")
    generator: Named = Field(description="Generator of the arrays.")
    problem: Named = Field(description="The problem, for its constants.")
    seeds: list[int] = Field(description="Those of all experiments that share it, and of tuning.")
    code: str = Field("", description="Hash of the code that makes it.")

    def alike(self, other: "Recipe") -> bool:
        """Whether both make the same instance of a seed."""
        names = ("generator", "problem", "code")
        return all(getattr(self, name) == getattr(other, name) for name in names)
