"""Sentences of a paper's summary, its rows of the table of tasks, and answers of its authors."""

import re
from string import Formatter
from typing import Literal

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from .base import Model, Number


class Disputed(Model):
    """The answer of the authors of a paper to our verdict; pages show it next to the verdict, which stays."""

    by: str = Field(min_length=1, description="Who answers.")
    date: str = Field(pattern=r"^\d{4}-\d\d-\d\d$", description='Day of the answer, quoted: "2026-01-31".')
    text: str = Field(min_length=1, description="Their words.")
    link: str = Field(pattern=r"^https?://[^\s()<>]+$", description="Address of the whole answer.")


Headline = Literal["holds", "as_published", "in_part", "fails", "open", "not_run", "not_judged"]


#: A number that somebody typed: digits that no name has (COIL-20, ℓ0), or a word for one.
WORDS = "two three four five six seven eight nine ten twice half tenfold".replace(" ", "|")
TYPED = re.compile(rf"(?<![\w-])\d[\d.,]*|\b(?:{WORDS})\b")


class Amount(Model):
    """A number of a sentence: where it is in claims.json, and how it is told."""

    claim: str = Field(description="Claim or part, without prefix: C2.a.")
    field: str = Field(
        description="Its place in the entry, with points: race.tuned_strong.interval; with `panels` a "
        "measured word of theirs: ratio."
    )
    panels: list[str] = Field(
        [], description="Panels of the entry, or patterns of them: the range over their medians."
    )
    inverse: bool = Field(False, description="One over it: of “ratio 0.39 to 0.48” it makes 2.1–2.6.")
    times: Number = Field(1, description="Multiplied by it: 100 for per cent, a bound for a share of it.")
    end: Literal["low", "high"] | None = Field(
        None, description="One end of a range alone: the 300 of “at least 300”."
    )
    digits: int = Field(2, description="Significant digits.")


class Finding(Model):
    """A sentence of the summary of a paper, shown while its claims have the headlines that it assumes."""

    text: str = Field(description="The sentence; {name} for each number, which no sentence has itself.")
    numbers: dict[str, Amount] = Field({}, description="Name → number.")
    rests_on: dict[str, Headline] = Field(
        min_length=1, description="Claim or part, without prefix → the headline that the sentence assumes."
    )
    front: bool = Field(False, description="Whether the project's README has it too.")

    @model_validator(mode="after")
    def _numbers_are_read(self):
        """No number is typed, and each that is named is told."""
        if typed := TYPED.search(self.text.replace("{", " {")):
            told = {"typed": typed[0]}
            raise PydanticCustomError("typed", "the number {typed} is typed; read it from claims.json", told)
        named = {name for _, name, *_ in Formatter().parse(self.text) if name is not None}
        if other := sorted(named ^ self.numbers.keys()):
            told = {"names": ", ".join(other)}
            raise PydanticCustomError("names", "in the text or in the numbers alone: {names}", told)
        return self


class Task(Model):
    """A row of “Which method should I use?”: a fair comparison of two methods on some data."""

    task: str = Field(description="The task in a few words.")
    claim: str = Field(description="The claim or part whose fair comparison decides, without prefix.")
    method: str = Field(description="Name of the first side of its comparison.")
    rival: str = Field(description="Name of the second side.")
    better: str = Field("times faster", description="Words after a number: “times faster”.")
    panels: list[str] = Field([], description="Its panels, or patterns of them; all by default.")
