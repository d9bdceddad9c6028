"""What a paper states or draws of its curves, and which choices are searched for those that fit it best."""

from typing import Annotated, Literal

from pydantic import Field

from .base import Model, Number
from .claim import Test, View

#: A search that runs more anew costs what a replication costs.
COMBINATIONS = 20
Positive = Annotated[Number, Field(gt=0)]


class Fact(Model):
    """A fact: what the paper states or draws, as sentences of the judge. Never what we measured."""

    kind: Literal["tick", "number", "ratio", "order", "level", "picture"] = Field(
        description="tick: a label of an axis; number, ratio, order: stated; level: reaches, or not, within; "
        "picture: words about how curves look."
    )
    quote: str = Field(description="The paper's own words; of an axis its ticks.")
    where: str = Field(description="Figure, table or section.")
    note: str | None = Field(None, description="How the words became the tests.")
    weight: Positive = Field(1, description="What it counts in the search.")
    tests: list[Test] = Field(min_length=1, description="Sentences of docs/judging.md; all have to hold.")


class Reading(View):
    """One choice that needs no new run: the same traces, read otherwise."""

    facts: list[str] | None = Field(None, description="Facts that are read so; all by default.")
    costs: dict[str, Positive] = Field(
        {}, description="Oracle → how many times as much it costs on the paper's machine."
    )
    pool: bool | None = Field(None, description="Curves are averaged over the seeds first.")
    budget: Annotated[Number, Field(gt=0, le=1)] | None = Field(
        None, description="Ends are read at this share of the budget."
    )


class Inverse(Model):
    """Where the inverse search looks, beside every alternative of the register."""

    readings: dict[str, dict[str, Reading]] = Field(
        {},
        description="Question → answers other than ours, by name. The search takes at most one of each "
        "question.",
    )
    alternatives: list[str] | None = Field(
        None, description="Alternatives of the register whose runs are read; all by default."
    )
    combinations: list[Annotated[list[str], Field(min_length=2)]] = Field(
        [],
        max_length=COMBINATIONS,
        description="Alternatives of the register that are run together, by their names in the runs. "
        "`projfree draw <paper> inverse.csv` lists those that promise most.",
    )
