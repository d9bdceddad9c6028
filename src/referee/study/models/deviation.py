"""The list of choices that a paper leaves unstated."""

from typing import Annotated, Self

from pydantic import Field, model_validator

from .base import AsGiven, Model, Params


class Alternative(Model):
    """Another value: one that can be run, or a reason why not."""

    name: str = Field(description="Short name; with the deviation's id it names the run.")
    text: str | None = Field(None, description="Explanation.")
    override: Params | None = Field(
        None,
        description="Changes of the paper's files; merged deeply. Absent if it is judged otherwise.",
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
    judged: str | None = Field(
        None,
        description="Where its effect is shown when it is not run, or why it cannot be.",
    )

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
    alternatives: list[Alternative] = Field(
        [], description="Other readings; those with an override can be run."
    )
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
