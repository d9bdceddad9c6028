"""Experiments and their budgets; the job, all that one run of a method needs; the recipe of its instances."""

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from projfree.trace.runs import runs_of

from .base import AsGiven, Model, Named, Number, Params


class Search(Model):
    """Tuning before the run, on seed 1000, each try with the same share of the experiment's budget."""

    pilot: str | None = Field(None, description="Parameter set to the number of iterations in the budget.")
    grid: list[dict[str, list[Any]]] = Field(
        [],
        description="Stages, each one parameter with values to try besides its default; a stage keeps "
        "what earlier ones chose.",
    )
    extensions: int = Field(6, ge=0, description="How often a grid with its best value at an edge goes on.")
    criterion: str | None = Field(None, description="Metric to minimise; the experiment's own by default.")
    share: float | None = Field(
        None, gt=0, le=1, description="Share of the budget that a try has; the experiment's own by default."
    )


class Method(Model):
    """A named configuration of a solver or a probe, one a curve."""

    solver: str | None = Field(None, description="A file of src/projfree/solvers.")
    probe: str | None = Field(None, description="A probe by the name of its file, for other measurements.")
    label: str | None = Field(None, description="Name in legends.")
    family: str | None = Field(None, description="Whose colour it has; the solver's by default.")
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
    search: Search | None = Field(None, description="Tuning before the run, on seed 1000.")

    @model_validator(mode="after")
    def _one_of_both(self):
        if self.solver is None and self.probe is None:
            raise PydanticCustomError("missing_name", "'solver', or 'probe', is a required property")
        return self

    @property
    def searches(self) -> bool:
        """Whether anything is tuned before the run."""
        return bool(self.search and self.search.model_fields_set)


class Budget(Model):
    """The limits of a run; the first one reached ends it."""

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
    stop: dict[str, Number] | None = Field(None, description="Metric → level at which the run ends.")

    @property
    def limits(self) -> dict[str, Number]:
        """What it limits → where, but for the levels."""
        return {name: limit for name, limit in self if name != "stop" and limit}


Count = Annotated[int, Field(ge=1)]


class Records(Model):
    """Deterministic record schedule."""

    ratio: Annotated[float, Field(gt=1), AsGiven] = Field(
        1.1, description="Geometric: next record at ceil(iteration × ratio)."
    )
    every: Count | None = Field(None, description="Linear: a record each so many iterations.")
    inside: Annotated[float, Field(gt=1), AsGiven] | None = Field(
        None, description="Records within a long step (GCG's Reduce): at inner iterations in this ratio."
    )


class Experiment(Model):
    """A run: an instance, methods, a budget."""

    title: str = Field(description="One line for figures and logs.")
    like: str | None = Field(None, description="Another experiment whose values are its defaults.")
    instance_of: str | None = Field(None, description="The experiment whose instances it shares.")
    dataset: str | None = Field(None, description="Row of config/datasets.yaml for the generator.")
    generator: Named | None = Field(
        None,
        description="name: a file of the paper's generators or of src/referee/data/generators; "
        "other keys are its parameters.",
    )
    problem: Named | None = Field(
        None, description="name: a file of src/projfree/problems; other keys are its parameters."
    )
    set: Named | None = Field(None, description="name: a file of src/projfree/sets; others: its parameters.")
    penalty: Named | None = Field(
        None,
        description="In place of a set, of composite objectives. name: a file of src/projfree/penalties; "
        "other keys are its parameters.",
    )
    methods: list[str] = Field(description="Methods to run, of `methods` or of its `define`.")
    from_base: list[str] = Field(
        [],
        description="Set by `study.load`, under an alternative only: methods that it does not change, whose "
        "curves are those of the base run, cut to this budget.",
    )
    define: dict[str, Method] = Field({}, description="Methods only this experiment has.")
    params: Params = Field(
        {},
        description="Parameters of all methods of this experiment: defaults for solvers, overrides for "
        "probes.",
    )
    budget: Budget | None = Field(
        None, description="The limits of a run; the first one reached ends it. Probes end by themselves."
    )
    method_budgets: dict[str, Budget | None] = Field({}, description="Budgets of single methods.")
    method_seeds: dict[str, Count] = Field({}, description="Fewer seeds for single methods.")
    bundle: bool = Field(False, description="Cheap runs: one job does it all; see also `bundles`.")
    seeds: Count = Field(1, description="Number of seeds, 0 to k−1.")
    repetitions: Count = Field(
        1,
        description="How often the first seed of each solver is run: seconds are judged if that is three "
        "times or more (five of runs under a second), and nothing is repeated where the clock is `model`.",
    )
    axis: dict[str, Number] | None = Field(
        None,
        description="Ends of the paper's own axes, by column: where time ends (cpu_seconds: 40), and the "
        "lowest "
        "tick of a logarithmic metric. A run that ends earlier is judged as provisional.",
    )
    criterion: str | None = Field(None, description="Metric that tuning minimises; the first by default.")
    tuning_share: float | None = Field(
        None,
        gt=0,
        le=1,
        description="Share of the budget that each try of a tuned method has, where its panel is long; by "
        "default all of it.",
    )
    metrics: list[str] = Field([], description="Recorded while the clock is stopped.")
    records: Records | None = Field(None, description="Deterministic record schedule.")
    lmo_tol: Number = Field(0.001, description="Residual at which the linear minimisation oracle accepts.")
    exclusive: bool = Field(False, description="Bound by memory bandwidth: one such job at a time.")
    memory_mb: int = Field(1000, description="Memory a job of this experiment may use.")

    @property
    def run_here(self) -> list[str]:
        """Methods that are run: all but those whose curves are the base run's."""
        return [method for method in self.methods if method not in self.from_base]

    def seeds_of(self, method: str | None = None) -> list[int]:
        """Seeds 0 … k−1, or those of one of its methods that has fewer."""
        return list(range(min(self.seeds, self.method_seeds.get(method, self.seeds))))

    def budget_of(self, method: str) -> Budget | None:
        """The budget of one of its methods."""
        return self.method_budgets.get(method, self.budget)


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
