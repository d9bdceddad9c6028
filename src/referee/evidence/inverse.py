"""Inverse replication: which of the choices that a paper leaves open fit best what it states and draws."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from statistics import mean

from projfree.ground.names import require

from ..study.models.claim import View
from ..study.models.fact import Fact, Reading
from ..study.models.paper import Paper
from .aggregates import combine
from .judging.grammar import Sentence
from .judging.judge import judge
from .judging.ranges import ANY, Range, log
from .judging.views import check_sentences, sentences_of
from .panel import Evidence
from .relations import AtMost, Equal, Less, Order, SlopeAtMost
from .relations.base import Cell, Relation, listed

#: Log of how far seconds are taken to repeat where they were not repeated: here no verdict hangs on them.
CLOCK = math.log(1.25)


@dataclass(frozen=True)
class Fit:
    """What one choice makes of one fact.

    Attributes
    ----------
    verdict : str
        As of a claim; only ``holds`` is met.
    misfit : float or None
        Mean over the cells that have one (`misfit.missed`).
    why : str
        Why it cannot be tested.
    """

    verdict: str
    misfit: float | None = None
    why: str = ""

    @property
    def met(self) -> bool:
        """Whether the fact is reproduced."""
        return self.verdict == "holds"

    @property
    def known(self) -> bool:
        """Whether the curves say anything about it."""
        return self.verdict != "not_testable"


UNTOUCHED = Fit("not_testable", why="not run under this choice")


@dataclass
class Source:
    """The tidy tables of a run: of the default, of an alternative, of several alternatives together.

    Attributes
    ----------
    name : str
        ``""`` for the default.
    paper : Paper
        Of the run; its facts are those that it can answer.
    tidy_dir : path
    """

    name: str
    paper: Paper
    tidy_dir: object
    _fits: dict = field(default_factory=dict)
    _priced: dict = field(default_factory=dict)

    @cached_property
    def evidence(self) -> Evidence:
        """Its tables, seconds taken as they were measured once."""
        return Evidence(self.paper, self.tidy_dir, clock_noise=CLOCK, short=True)

    def fit(self, fact: str, readings: list[Reading] = ()) -> Fit:
        """A fact under readings; the same is judged once."""
        key = fact, repr(readings)
        if key not in self._fits:
            known = self.paper.facts.get(fact)
            self._fits[key] = self._judged(known, readings) if known else UNTOUCHED
        return self._fits[key]

    def _judged(self, fact, readings):
        sentences = list(read(fact, self.paper, readings))
        if not sentences:
            return Fit("not_testable", why="no panel was run under this reading")
        evidence = self._at({k: v for reading in readings for k, v in reading.costs.items()})
        found = [_bare(judge(evidence, sentence)) for sentence in sentences]
        pairs = [(j.sentence.relation, c) for j in found for p in j.panels for c in p.cells.values()]
        sizes = [size for relation, cell in pairs if (size := missed(relation, cell)) is not None]
        why = "; ".join(dict.fromkeys(reason for j in found for reason in j.counts["reasons"]))
        verdict = combine(j.verdict for j in found)
        return Fit(verdict, mean(sizes) if sizes else None, why if verdict == "not_testable" else "")

    def _at(self, costs):
        key = repr(costs)
        if key not in self._priced:
            self._priced[key] = self.evidence.priced(costs) if costs else self.evidence
        return self._priced[key]


def _bare(judgement):
    """A level that a figure draws is no theorem's bound: a curve far on its right side says enough."""
    if not isinstance(judgement.sentence.relation, AtMost):
        return judgement
    return replace(judgement, panels=[replace(p, cells=_uncontrolled(p.cells)) for p in judgement.panels])


def _uncontrolled(cells):
    return {seed: cell._replace(control=False) for seed, cell in cells.items()}


def read(fact: Fact, paper: Paper, readings: list[Reading]) -> Iterator[Sentence]:
    """The sentences of a fact under readings, on panels that the run has."""
    templates = [reading.experiments for reading in readings if reading.experiments]
    if templates and not _has_counterpart(fact, paper, templates):
        return
    for sentence in sentences_of(fact, paper, _together(readings)):
        yield _otherwise(sentence, readings)


def _together(readings):
    """One view of several; where two say something of the same, the later wins."""
    view = {}
    for key, given in ((key, getattr(r, key)) for r in readings for key in View.model_fields):
        if given:
            view[key] = {**view.get(key, {}), **given} if isinstance(given, dict) else given
    return View(**view)


def _has_counterpart(fact, paper, templates):
    panels = {name for sentence in sentences_of(fact, paper) for name in sentence.panels}
    return any(template.format(name) in paper.experiments for template in templates for name in panels)


def _otherwise(sentence, readings):
    for reading in readings:
        if reading.pool is not None:
            sentence = replace(sentence, pool=reading.pool)
        if reading.budget and sentence.statistic == "end":
            sentence = replace(sentence, statistic="at", options={"share": reading.budget})
    return sentence


@dataclass(frozen=True)
class Choice:
    """A run, and at most one reading of each question.

    Attributes
    ----------
    run : Source
    readings : tuple of (question, answer)
    """

    run: Source
    readings: tuple[tuple[str, str], ...] = ()

    def __str__(self):
        told = [self.run.name, *(f"{question}: {answer}" for question, answer in self.readings)]
        return ", ".join(filter(None, told)) or "default"

    def answered(self, question: str, answer: str) -> "Choice":
        """The same with another answer to a question, ``""`` for the default's."""
        others = {**dict(self.readings), question: answer}
        return Choice(self.run, tuple((q, a) for q, a in sorted(others.items()) if a))


@dataclass(frozen=True)
class Score:
    """How a choice stands to the default on the facts that both can be asked.

    Attributes
    ----------
    gain : float
        Weight of the facts that it meets, less that of those that the default meets under the same budgets.
    eased : float
        By how much the weighted misfit of those with a number falls.
    """

    gain: float
    eased: float

    @property
    def key(self) -> tuple:
        """The larger, the better: facts first, then how near the others are."""
        return round(self.gain, 9), round(self.eased, 9)


class Inverse:
    """The search of one paper.

    Parameters
    ----------
    paper : Paper
        Under the default.
    runs : list of (Source, Source)
        Each run with the default's tables under the same budgets and facts. The first is the default itself.
    """

    def __init__(self, paper: Paper, runs: list[tuple[Source, Source]]):
        self.facts, self.questions = paper.facts, paper.inverse.readings
        self.runs, self.base = [run for run, _ in runs], {run.name: base for run, base in runs}

    def fit(self, choice: Choice, fact: str) -> Fit:
        """A fact under a choice."""
        readings = [self.questions[question][answer] for question, answer in choice.readings]
        return choice.run.fit(fact, [r for r in readings if fact in (r.facts or [fact])])

    def default(self, choice: Choice, fact: str) -> Fit:
        """The same fact under the default, at the budgets of the choice's run."""
        return self.base[choice.run.name].fit(fact)

    def singles(self) -> list[Choice]:
        """The default, every run at hand, and every reading of the default's traces."""
        runs = [Choice(run) for run in self.runs]
        answers = [(q, a) for q, answers in self.questions.items() for a in answers]
        return runs + [runs[0].answered(*answer) for answer in answers]

    def score(self, choice: Choice) -> Score:
        """Weighted facts gained, and misfit eased; a fact that only the default can be asked is lost.

        What is not run under a choice is not run under its default either: it counts for neither.
        """
        gain = eased = 0.0
        for fact, given in self.facts.items():
            found, base, weight = self.fit(choice, fact), self.default(choice, fact), given.weight
            gain += weight * (found.met - base.met)
            eased += weight * _eased(found, base)
        return Score(gain, eased)

    def best(self) -> Choice:
        """The best that is found from any run, one question answered anew at a time until none gains."""
        return max((self._climbed(Choice(run)) for run in self.runs), key=lambda c: self.score(c).key)

    def _climbed(self, choice):
        while True:
            near = [choice.answered(q, a) for q, answers in self.questions.items() for a in ("", *answers)]
            better = max([choice, *near], key=lambda c: self.score(c).key)
            if self.score(better).key <= self.score(choice).key:
                return choice
            choice = better

    def promising(self, most: int) -> list[tuple[str, str]]:
        """Pairs of alternatives that gain or ease on their own, the best sums first; worth a run together."""
        scores = {run.name: self.score(Choice(run)).key for run in self.runs[1:] if "+" not in run.name}
        good = [name for name, key in scores.items() if key > (0, 0)]
        shared = {run.name: set(run.paper.experiments) for run in self.runs}
        pairs = [(a, b) for a, b in combinations(good, 2) if _entry(a) != _entry(b) and shared[a] & shared[b]]
        summed = {pair: tuple(map(sum, zip(*(scores[name] for name in pair), strict=True))) for pair in pairs}
        return sorted(pairs, key=lambda pair: summed[pair], reverse=True)[:most]


def _entry(alternative):
    """The register's entry of an alternative."""
    return alternative.partition("-")[0]


def _eased(found, base):
    if found.misfit is None or base.misfit is None:
        return 0.0
    return base.misfit - found.misfit


def check_facts(paper: Paper, name: str) -> None:
    """Raise `ValueError` for the first unknown word, experiment, method or parameter of a fact."""
    check_sentences(paper, paper.facts[name])
    for reading in _readings(paper):
        list(read(paper.facts[name], paper, [reading]))


def check_readings(paper: Paper) -> None:
    """Raise `ValueError` for a reading of an unknown fact, or with an unknown run in place of another."""
    methods = {method for values in paper.experiments.values() for method in values.methods}
    known = {*paper.experiments, *methods}
    for reading in _readings(paper):
        require(reading.facts or [], paper.facts, "fact", "inverse.readings")
        swapped = [to for name, to in reading.swap.items() if name in known]
        require([n for to in swapped for n in listed(to)], known, "name", "inverse.readings: swap")


def _readings(paper):
    return [answer for answers in paper.inverse.readings.values() for answer in answers.values()]


#: What is missed by more counts as much: never is no number.
WORST = math.log(1e3)


def missed(relation: Relation, cell: Cell) -> float | None:
    """0 where the cell is true, a log ratio where it is false, None where nothing is known.

    Parameters
    ----------
    relation : Relation
    cell : Cell
        Of that relation.

    Returns
    -------
    float or None
        In natural logarithms, at most `WORST`: of the ratio over the threshold for comparisons and bounds, of
        the distance in tolerances for identities and slopes. None too for shapes, which have no distance.
    """
    if cell.verdict is None:
        return None
    if cell.verdict:
        return 0.0
    beyond = _beyond(relation, cell.measured)
    return None if beyond is None else min(max(beyond, 0.0), WORST)


def _beyond(relation, measured):
    """How far beyond the threshold, at the end of the range that is nearest to it."""
    if isinstance(relation, Less) and "ratio" in measured:
        return log(measured["ratio"].low) + math.log(relation.factor)
    if isinstance(relation, Order):
        known = [r for r in measured.values() if r != ANY]
        return max((log(r.low) for r in known), default=0.0) + math.log(relation.factor)
    if isinstance(relation, Equal):
        return _apart(relation, measured)
    if isinstance(relation, AtMost):
        return _over(relation, measured)
    if isinstance(relation, SlopeAtMost):
        return log((measured["slope"].low - relation.order) / relation.within)
    return None


def _apart(relation, measured):
    if relation.to_number:
        return log(measured["largest error"].low / relation.within)
    if "ratio" not in measured:
        return None
    return _nearest_zero(measured["ratio"].mapped(log)) - math.log1p(relation.within or 0.0)


def _nearest_zero(value: Range):
    return 0.0 if value.low <= 0 <= value.high else min(abs(value.low), abs(value.high))


def _over(relation, measured):
    if relation.absolute:
        return log(-measured["least distance to the limit"].low / relation.within)
    share = log(measured["measured / bound"].low)
    return -share if relation.at_least else share
