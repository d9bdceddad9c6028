"""The claims of a paper, and their tests."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from ...ground.operands import QUANTIFIERS
from .base import Model, Number, Params

PANELS = "Its panels: names, or shell patterns such as fig[1-4]-p??, which a longer name does not match."


class View(Model):
    """The same tests otherwise: with other forms of the methods, or under another reading."""

    swap: dict[str, str | list[str] | Number] = Field(
        {},
        description="Names (of methods, experiments, metrics) and their replacements; a list "
        "of methods is the best of them, a number a bound.",
    )
    args: Params = Field({}, description="Parameters to replace in the words of a test that have them.")
    experiments: Annotated[str, Field(pattern=r"\{\}")] | None = Field(
        None,
        description="A name with {} for each panel's, as {}-r3; panels without such a counterpart are left "
        "out.",
    )
    statistic: Params | None = Field(
        None, description="Another statistic with its parameters, of the same metric."
    )

    def __bool__(self):
        """Whether it says anything."""
        return bool(self.model_fields_set)

    def and_(self, other: "View") -> "View":
        """Both at once; what both say of the same name the other says."""
        swap, args = self.swap | other.swap, self.args | other.args
        told = {
            name: getattr(each, name)
            for each in (self, other)
            for name in ("experiments", "statistic")
            if getattr(each, name) is not None
        }
        return View(**({"swap": swap} if swap else {}), **({"args": args} if args else {}), **told)


class Test(Model):
    """A sentence: a quantifier, a relation, a statistic (docs/judging-reference.md); the judge checks two."""

    model_config = ConfigDict(extra="allow")

    all: list[str] | None = Field(None, description=f"{PANELS} It holds in all of them.")
    most: list[str] | None = Field(None, description=f"{PANELS} It holds in more than half of them.")
    some: list[str] | None = Field(None, description=f"{PANELS} It holds in one of them at least.")
    covers: str | None = Field(None, description="The words of the paper's sentence that it tests.")
    over: str | None = Field(None, description="The axis: iteration, IFO, IFO+SSO, cpu_seconds, …")
    control: View | None = Field(
        None, description="A view (swap, args, statistic) under which it has to be refused."
    )
    each: dict[str, list[Any]] = Field(
        {}, description="Parameter → values; one sentence for each combination."
    )
    pool: bool = Field(False, description="Average over the seeds first: for statements about expectations.")
    quota: Number = Field(0.8, description="Share of the seeds in which it has to be true.")
    label: str | None = Field(None, description="Words that tell the tests of a part apart.")

    @property
    def words(self) -> dict[str, Any]:
        """Its relation and its statistic, each with its parameters."""
        return {word: given for word, given in self.model_extra.items() if given is not None}

    @property
    def quantifiers(self) -> list[str]:
        """Those that it has; one, where it is right."""
        return [name for name in QUANTIFIERS if getattr(self, name) is not None]

    @property
    def panels(self) -> list[str]:
        """Names and patterns of its experiments."""
        return next((getattr(self, name) for name in self.quantifiers), [])

    def on(self, panels: list[str]) -> "Test":
        """The test on other experiments."""
        return self.model_copy(update=dict.fromkeys(self.quantifiers, panels))


class Follows(Model):
    """Instead of tests: holds if all of `from` hold, fails if one of `needed` or all fail, else in part."""

    from_: list[str] = Field(
        alias="from", min_length=1, description="Claims or parts, without prefix: C1.a, T3."
    )
    needed: list[str] = Field([], description="Those of them without which it fails.")


class Disputed(Model):
    """The answer of the authors of a paper to our verdict; pages show it next to the verdict, which stays."""

    by: str = Field(min_length=1, description="Who answers.")
    date: str = Field(pattern=r"^\d{4}-\d\d-\d\d$", description='Day of the answer, quoted: "2026-01-31".')
    text: str = Field(min_length=1, description="Their words.")
    link: str = Field(pattern=r"^https?://[^\s()<>]+$", description="Address of the whole answer.")


class Words(Model):
    """Words about a statement for a reader."""

    quote: str | None = Field(None, description="The paper's own words.")
    where: str | None = Field(None, description="Where they stand in it.")
    statement: str | None = Field(None, description="Our statement of it, which can be checked.")
    note: str | None = Field(None, description="A note for readers of the verdict.")
    disputed: Disputed | None = Field(None, description="The answer of the paper's authors to the verdict.")


class Race(Model):
    """The forms of both sides of a comparison: as the paper states and describes them, and at their best."""

    ours: View | None = Field(
        None, description="The methods that the sentence praises, tuned as the rivals are."
    )
    rivals: View | None = Field(None, description="The others in their strong forms.")
    fair: View | None = Field(
        None, description="Both sides at their best at once, if they are not two views apart."
    )
    unstated: str | None = Field(
        None,
        description="The entry of the register (U3) by which the paper leaves our parameter open in its "
        "experiments: the verdict as published is then that of the tuned form.",
    )

    @property
    def cells(self) -> dict[str, View]:
        """Cell → view of those that are run beside the main tests, which are the cell stated_described."""
        both = self.fair or (self.ours.and_(self.rivals) if self.ours and self.rivals else None)
        found = {"tuned_described": self.ours, "stated_strong": self.rivals, "tuned_strong": both}
        return {name: view for name, view in found.items() if view}

    @property
    def published(self) -> str:
        """The cell that the verdict as published is."""
        return "tuned_described" if self.unstated and self.ours else "stated_described"

    @property
    def best(self) -> str:
        """The cell with both sides at their best: a side without another form is at its best."""
        return list(self.cells)[-1]


class Part(Words):
    """One statement, with its tests."""

    extra: bool = Field(False, description="Does not count for the verdict of its claim.")
    tests: list[Test] = Field([], description="Tests; all have to hold.")
    race: Race | None = Field(None, description="Other forms of both sides of its comparison.")
    type: Literal["comparison", "order", "level", "bound", "slope", "cost", "property"] | None = Field(
        None, description="Kind of statement; derived from its words by default."
    )
    readings: dict[str, View | None] | None = Field(
        None, description="Variants by name, each judged as well as the main test."
    )
    not_judged: str | None = Field(None, description="Why there is no verdict although there are numbers.")
    follows: Follows | None = Field(
        None,
        description="Instead of tests: holds if all of `from` hold, fails if one of `needed` or all fail, "
        "else in part.",
    )

    @property
    def views(self) -> dict[str, View]:
        """All under which it is judged too, by name."""
        cells = self.race.cells if self.race else {}
        return {name: view for name, view in (cells | (self.readings or {})).items() if view}

    @model_validator(mode="after")
    def _judged_in_one_way(self):
        """By its own tests, or by those of others."""
        given = {name for name in self.model_fields_set if getattr(self, name)}
        if not given & {"tests", "not_judged", "follows", "parts"}:
            raise PydanticCustomError("no_tests", "a part needs tests or follows")
        own = given & Part.model_fields.keys() - Words.model_fields.keys()
        for other, beside in (("parts", set()), ("follows", {"extra", "follows"})):
            if other in given and (more := own - beside):
                told = {"key": other, "more": ", ".join(sorted(more))}
                said = "what has `{key}` has no {more} of its own"
                raise PydanticCustomError("tests_of_others", said, told)
        return self


class Claim(Part):
    """A claim or a theory check: a statement, or several in one sentence; see docs/judging-reference.md."""

    id: str = Field(description="C1, T1, …; the prefix comes before it.")
    parts: dict[str, Part] | None = Field(None, description="Several statements in one sentence, by letter.")
    over_parts: Literal["all", "some"] = Field(
        "all", description='Whether all of its parts have to hold, or one of them ("some noise level").'
    )
