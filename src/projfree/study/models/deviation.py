"""The register of what a paper leaves open."""

from pydantic import Field

from .base import Model, Params


class Alternative(Model):
    """Another reading; one with an override can be run."""

    name: str = Field(description="Short name; with the deviation's id it names the run.")
    text: str | None = Field(None, description="What it is.")
    override: Params | None = Field(
        None,
        description="What it changes in the paper's files; merged deeply. Absent where it is judged "
        "otherwise.",
    )
    experiments: list[str] | None = Field(None, description="Experiments that are run under it.")
    methods: list[str] | None = Field(None, description="Methods that are run under it; all by default.")
    judged: str | None = Field(
        None, description="Where its effect is shown when it is not run as an alternative."
    )


class Deviation(Model):
    """What the paper leaves open, and what we do."""

    id: str = Field(description="U1, U2, …")
    open: str = Field(description="What the paper leaves open.")
    chosen: str = Field(description="What we do.")
    reason: str | None = Field(None, description="Why.")
    alternatives: list[Alternative] = Field(
        [], description="Other readings; those with an override can be run."
    )
    touches: list[str] = Field([], description="Claims it may turn.")
    figures: list[str] = Field([], description="Figures it touches.")


class Alternatives(Model):
    """What is run, by default, under each alternative of the register: one seed, half the budgets."""

    experiments: list[str] | None = Field(None, description="Experiments.")
    methods: list[str] | None = Field(None, description="Methods.")
