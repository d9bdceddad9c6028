"""A whole paper as data: runs, figures, claims, unstated choices, costs of calls."""

from typing import Annotated, Literal, Self

from pydantic import Field

from .base import AsGiven, Model, Number, Params
from .claim import Claim
from .deviation import Alternatives, Deviation
from .experiment import Experiment
from .figure import Caption, Figure
from .finding import Finding, Task
from .method import Method
from .table import Table

Cost = Annotated[float, Field(ge=0), AsGiven]
Costs = dict[str, dict[str, dict[str, dict[str, Cost]]]]


#: Of a study's data: what is in its place by then, and what only earlier versions published.
NO_PART = ("defaults", "facts", "inverse")


class UnitCosts(Model):
    """CPU seconds a call on one machine."""

    machine: str = Field(description="The processor that it is of.")
    commit: str = Field(description="The state of the project.")
    others_on_core: Number | None = Field(None, description="The most that others used of a run's core.")
    error: dict[str, Number] = Field(
        description="Model against measured seconds at the ends: median and worst."
    )
    costs: Costs = Field(description="Experiment → method → oracle → count → seconds a call.")


class Paper(Model):
    """A whole paper as data: runs, figures, claims, unstated choices."""

    paper: str = Field(pattern="^[a-z]+$", description="Short name, also in papers.")
    prefix: str = Field(description="Prefix of the claim ids, for example NCGS.")
    title: str = Field(description="Title of the paper.")
    authors: str = Field(description="Authors, in the paper's order.")
    venue: str = Field(description="Where it appeared.")
    year: int = Field(description="Year of publication.")
    summary: str = Field(description="The paper in two sentences, for the head of its page.")
    methods: dict[str, Method] = Field(description="Named configurations of solvers, one a curve.")
    defaults: Experiment | None = Field(
        None, description="Values that every experiment has unless it says otherwise."
    )
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
    tables: dict[str, Table] = Field(
        {}, description="Tables, by the stem of the files; see referee.evidence.tables."
    )
    captions: list[Caption] = Field(
        [], description="The paper's statements about its instances; compared with ours by a test."
    )
    claims: list[Claim] = Field(
        [], description="Claims and theory checks with their parts; see docs/judging-reference.md."
    )
    findings: list[Finding] = Field(
        [], description="The summary of its page: four to six sentences, each number of claims.json."
    )
    tasks: list[Task] = Field([], description="Its rows of “Which method should I use?”.")
    deviations: list[Deviation] = Field([], description="The register of what the paper leaves open.")
    alternatives: Alternatives = Field(
        default_factory=Alternatives,
        description="Which experiments and methods run, by default, under each alternative of the register.",
    )
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
