"""A whole paper as data: runs, figures, claims, unstated choices, costs of calls."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from .base import AsGiven, Model, Number, Params
from .experiment import Experiment, Method
from .figure import Caption, Figure, Table
from .findings import Disputed, Message, Sentence, Task


class Alternative(Model):
    """Another value: one that can be run, or a reason why not."""

    name: str = Field(description="Short name; with the deviation's id it names the run.")
    text: str | None = Field(None, description="Explanation.")
    override: Params | None = Field(
        None, description="Changes of the paper's files; absent if judged otherwise."
    )
    experiments: list[str] | None = Field(
        None,
        description="Experiments that are run under it; by default the panels of the claims and figures that "
        "it touches, where it changes something.",
    )
    without: dict[str, str] = Field(
        {}, description="Panels of its claims and figures on which it is not run, and why."
    )
    methods: list[str] | None = Field(None, description="Methods that are run under it; all by default.")
    judged: str | None = Field(None, description="Where its effect is shown instead, or why it cannot be.")

    @model_validator(mode="after")
    def _runs_or_says_why(self) -> Self:
        if not (self.override or self.judged):
            raise ValueError(f"{self.name}: an alternative has an `override`, or says in `judged` why not")
        return self


class Deviation(Model):
    """A choice that the paper leaves unstated, and ours."""

    id: str = Field(description="U1, U2, …")
    open: str = Field(description="The choice that the paper leaves unstated.")
    chosen: str = Field(description="Our choice.")
    reason: str | None = Field(None, description="Why.")
    alternatives: list[Alternative] = Field([], description="Others; those with an override can be run.")
    only: str | None = Field(None, description="Why there are no alternatives, if there are none.")
    touches: list[str] = Field([], description="Claims it may turn.")
    figures: list[str] = Field([], description="Figures it touches.")

    @model_validator(mode="after")
    def _has_another_or_says_why(self) -> Self:
        if bool(self.alternatives) == bool(self.only):
            raise ValueError(f"{self.id}: give `alternatives`, or say in `only` why there are none")
        return self


class Alternatives(Model):
    """What is run, by default, under each alternative of the register."""

    base: str | None = Field(
        None,
        description="Run whose alternatives are budgeted in counts: those that its published evidence has at "
        "the share of a budget in seconds. They are judged on model seconds, and methods that an alternative "
        "does not change are not run again: their curves are those of this run, cut to the share.",
    )
    experiments: list[str] | None = Field(None, description="No others than these experiments.")
    methods: list[str] | None = Field(None, description="Methods.")
    cheap: Annotated[float, Field(ge=0), AsGiven] = Field(
        0,
        description="CPU seconds: a panel whose methods take at most this long with three seeds is run with "
        "them, to the end of its budget. Others are run with one seed, once, to a share of it.",
    )
    share: Annotated[float, Field(gt=0, le=1), AsGiven] = Field(0.5, description="Share of the budget.")
    shares: dict[str, Annotated[float, Field(gt=0, le=1), AsGiven]] = Field(
        {}, description="Other shares of the budget, by experiment."
    )
    without: dict[str, str] = Field(
        {}, description="Alternatives that the run does not have, and why: one names sizes of the full run."
    )


Cost = Annotated[float, Field(ge=0), AsGiven]
Costs = dict[str, dict[str, dict[str, dict[str, Cost]]]]


#: Of a study's data: what is in its place by then, and what only earlier versions published.
NO_PART = ("claims", "defaults", "facts", "inverse", "findings", "tasks")


class Forms(Model):
    """The table of arms: which form of each method runs in which column of a comparison."""

    panels: list[str] = Field(description="Patterns of the experiments that are compared in forms.")
    columns: dict[str, list[str]] = Field(
        description="A column of verdicts → the columns of `methods` that it takes, the first that is filled."
    )
    methods: dict[str, dict[str, str]] = Field(description="Method of claims → column → the form that runs.")
    unstated: dict[str, list[str]] = Field(
        {}, description="Method → entries of the register with the parameters that its paper leaves open."
    )
    experiments: dict[str, str] = Field({}, description="A column → its own experiments: `{}-strong`.")
    over: dict[str, dict[str, str]] = Field(
        {}, description="In a column, an axis of the paper → the one on which its forms can be compared."
    )

    @model_validator(mode="after")
    def _whole(self) -> Self:
        arms = list(dict.fromkeys(arm for row in self.methods.values() for arm in row))
        for column, wanted in self.columns.items():
            if missing := sorted(set(wanted) - set(arms)):
                raise ValueError(f"column {column!r} takes {missing[0]!r}; known: {', '.join(arms)}")
        for method, row in self.methods.items():
            if list(row) != arms:
                raise ValueError(f"{method} has no cell {sorted(set(arms) - set(row))}; empty ones say none")
        return self


class UnitCosts(Model):
    """CPU seconds a call on one machine."""

    machine: str = Field(description="The processor that it is of.")
    commit: str = Field(description="The state of the project.")
    others_on_core: Number | None = Field(None, description="The most that others used of a run's core.")
    error: dict[str, Number] = Field(description="Model against measured seconds: median and worst.")
    costs: Costs = Field(description="Experiment → method → oracle → count → seconds a call.")


class Paper(Model):
    """A whole paper as data: runs, figures, unstated choices; its claims are functions, beside it."""

    paper: str = Field(pattern="^[a-z]+$", description="Short name, also in papers.")
    prefix: str = Field(description="Prefix of the claim ids, for example NCGS.")
    title: str = Field(description="Title of the paper.")
    authors: str = Field(description="Authors, in the paper's order.")
    venue: str = Field(description="Where it appeared.")
    year: int = Field(description="Year of publication.")
    summary: str = Field(description="The paper in two sentences, for the head of its page.")
    methods: dict[str, Method] = Field(description="Named configurations of solvers, one a curve.")
    defaults: Experiment | None = Field(None, description="Values that experiments have by default.")
    experiments: dict[str, Experiment] = Field(description="Runs: an instance, methods, a budget.")
    bundles: dict[str, list[str]] = Field(
        {},
        description="Experiments that one job does, by the bundle's name: patterns of their names. For many "
        "cheap runs.",
    )
    clock: Literal["measured", "model"] = Field(
        "measured",
        description="Clock of claims about seconds: `measured` seconds of runs that were repeated, "
        "or `model` seconds, counts × unit cost, which are the same on every machine.",
    )
    unit_costs: Costs = Field(
        {},
        description="Prices of model seconds: experiment → method → oracle → count → seconds a call. "
        "`projfree calibrate` writes it, to unit_costs/<run>.json.",
    )
    figures: dict[str, Figure] = Field(description="Figures, by the stem of the files.")
    tables: dict[str, Table] = Field({}, description="By the stem of the files; see referee.evidence.tables.")
    captions: list[Caption] = Field([], description="The paper's statements about its instances.")
    disputed: dict[str, Disputed] = Field({}, description="Claim or part → the answer of the authors.")
    messages: list[Message] = Field([], description="What a reader takes home: five to eight.")
    sentences: list[Sentence] = Field([], description="What we find: one a claim and column.")
    tasks: list[Task] = Field([], description="Its rows of “Which method should I use?”.")
    deviations: list[Deviation] = Field([], description="The register of what the paper leaves open.")
    alternatives: Alternatives = Field(
        default_factory=Alternatives,
        description="Which experiments and methods run, by default, under each alternative of the register.",
    )
    forms: Forms | None = Field(None, description="Which form of each method runs in which column.")
    like: str | None = Field(None, description="In a run: the run whose overrides it starts from.")
    only: list[str] | None = Field(
        None,
        description="In a run: the figures that it keeps, with what they need and what claims they answer.",
    )
    runs: dict[str, Params] = Field(
        description="Overrides that make a run of these files (`full` is the files themselves): merged "
        "deeply, null removes a key."
    )

    @classmethod
    def of_study(cls, spec: dict) -> Self:
        """The paper of a resolved study's plain data: its defaults are in their places, its bundles named."""
        experiments = {
            name: values | ({"bundle": bool(values["bundle"])} if "bundle" in values else {})
            for name, values in spec["experiments"].items()
        }
        given = {key: value for key, value in spec.items() if key not in NO_PART}
        return cls.model_validate(given | {"experiments": experiments})
