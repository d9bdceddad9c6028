"""What we find in a paper, in sentences that people wrote: messages of its page, one a claim and column."""

from string import Formatter
from typing import Literal, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from .base import Model, Number

#: A verdict of a column, or the word for both columns.
Verdict = Literal[
    *("holds", "holds_in_part", "fails", "not_testable", "not_run", "not_judged"),
    *("as_published", "in_part", "open"),
]
Column = Literal["published", "fair"]


class Amount(Model):
    """A number of a sentence: rows of verdicts.csv, and what is told of them."""

    claim: str | None = Field(
        None, description="Claim or part, without prefix: C2.a. The sentence's by default."
    )
    part: str | None = Field(None, description="Of a claim with parts: the letter, or the words, of one.")
    column: Column | None = Field(None, description="The sentence's by default; of a message: published.")
    panel: str = Field("*", description="Panels: a name, or a pattern of names.")
    what: str = Field("*", description="Pairs or methods, as verdicts.csv names them, or a pattern.")
    data: Literal["real", "stand-in"] | None = Field(None, description="Of these data alone.")
    field: Literal["low", "high", "required"] | None = Field(None, description="One end of the intervals.")
    statistic: Literal["least", "greatest", "range"] = Field(
        "range", description="Over the rows: one end, or from the least to the greatest."
    )
    round: int = Field(2, description="Significant digits.")
    times: Number = Field(1, description="Multiplied by it: 100 for per cent.")
    inverse: bool = Field(False, description="One over it: of 0.39–0.48 it makes 2.1–2.6.")


class Written(Model):
    """A text with a placeholder for each number."""

    numbers: dict[str, Amount] = Field({}, description="Name → number.")

    @property
    def written(self) -> str:
        """The text."""
        raise NotImplementedError

    @model_validator(mode="after")
    def _numbers_are_told(self) -> Self:
        """Each number that is named is told, and no other."""
        named = {name for _, name, *_ in Formatter().parse(self.written) if name is not None}
        if other := sorted(named ^ self.numbers.keys()):
            said = "in the text or in the numbers alone: {names}"
            raise PydanticCustomError("names", said, {"names": ", ".join(other)})
        return self


class Message(Written):
    """What a reader of the paper takes home, and what we find of it."""

    paper: str = Field(description="What the paper says, in one line.")
    we: str = Field(description="What we find; {name} for each number.")
    data: str = Field(description="On which data: real, stand-in, generated as the paper generates.")
    turns: str = Field("", description="Under which choice it turns, in words.")
    claims: dict[str, Verdict] = Field(
        min_length=1, description="Claim or part, without prefix → the verdict that it was written for."
    )

    @property
    def written(self) -> str:
        """The text."""
        return self.we


class Sentence(Written):
    """What we find of a claim in a column, shown while the verdict is the one that it was written for."""

    claim: str = Field(description="Claim or part, without prefix.")
    column: Column = Field("published", description="As published, or in the fair comparison.")
    verdict: Verdict = Field(description="The verdict that it was written for.")
    text: str = Field(description="One or two sentences; {name} for each number.")

    @property
    def written(self) -> str:
        """The text."""
        return self.text


class Task(Model):
    """A row of “Which method should I use?”: a fair comparison of two methods on some data."""

    task: str = Field(description="The task in a few words.")
    claim: str = Field(description="The claim or part whose fair comparison decides, without prefix.")
    method: str = Field(description="Name of the first side of its comparison.")
    rival: str = Field(description="Name of the second side.")
    panels: list[str] = Field([], description="Its panels, or patterns of them; all by default.")
    what: str = Field("*", description="Its pairs, as verdicts.csv names them, or a pattern of them.")


class Disputed(Model):
    """The answer of the authors of a paper to our verdict; pages show it next to the verdict, which stays."""

    by: str = Field(min_length=1, description="Who answers.")
    date: str = Field(pattern=r"^\d{4}-\d\d-\d\d$", description='Day of the answer, quoted: "2026-01-31".')
    text: str = Field(min_length=1, description="Their words.")
    link: str = Field(pattern=r"^https?://[^\s()<>]+$", description="Address of the whole answer.")
