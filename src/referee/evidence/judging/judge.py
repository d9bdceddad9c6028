"""One sentence → its cells, panel by panel."""

from dataclasses import dataclass, field, replace
from math import isfinite
from statistics import median

from .. import statistics
from ..aggregates import combine
from ..panel import Evidence, Missing, Outside
from ..relations.base import Cell
from ..relations.bounds import tightness
from .grammar import Sentence
from .operands import runs_of
from .quantifiers import PanelCells, counted, is_vacuous, verdict_of
from .race import Race
from .repeatability import UNKNOWN, repeatability


@dataclass
class Judgement:
    """A sentence with its cells on every panel.

    Attributes
    ----------
    refused : str
        The verdict of its structural control, if it has one: ``fails`` where the control was refused.
    traces, seeds, errors, spreads : lists and dict
        What it was judged on; runs that ended in an error; panel → log r where seconds were repeated.
    levels : dict
        Panel → level in words → where it stands on the axis of the metric, the median over seeds.
    """

    sentence: Sentence
    panels: list[PanelCells] = field(default_factory=list)
    refused: str = ""
    traces: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    spreads: dict[str, float] = field(default_factory=dict)
    levels: dict[str, dict[str, float]] = field(default_factory=dict)

    @property
    def verdict(self) -> str:
        """Over its panels, if it is not vacuous."""
        if self.vacuous:
            return "not_testable"
        return verdict_of(self.sentence.quantifier, self.panels, self.sentence.quota)

    @property
    def bare_verdict(self) -> str:
        """Over its panels, whatever the controls of its cells say: what a control itself is asked for."""
        panels = [replace(p, cells=_uncontrolled(p.cells)) for p in self.panels]
        return verdict_of(self.sentence.quantifier, panels, self.sentence.quota)

    @property
    def control(self) -> dict:
        """What its controls say: exchanged sides or worse copies of all cells, or the structural one."""
        found = verdict_of(self.sentence.quantifier, self.panels, self.sentence.quota, control=True)
        kind = "negative" if self.refused else self.sentence.relation.control_kind
        return {"kind": kind, "verdict": self.refused or found}

    @property
    def vacuous(self) -> bool:
        """Whether its test cannot see the difference."""
        return self.refused == "holds" or is_vacuous(self.panels)

    @property
    def counts(self) -> dict:
        """True, false and untestable cells, and why these."""
        return counted(self.panels)

    @property
    def tightness(self) -> dict:
        """Measured/bound at worst and at best, of a bound."""
        cells = [cell for panel in self.panels for cell in panel.cells.values()]
        return tightness(cells, getattr(self.sentence.relation, "at_least", False))


def judge(evidence: Evidence, sentence: Sentence, control: list[Sentence] = ()) -> Judgement:
    """Judge a sentence, and the sentences of its structural control. The same is judged once per evidence."""
    key = repr(sentence)
    if key not in evidence.judged:
        evidence.judged[key] = _judged(evidence, sentence)
    found = evidence.judged[key]
    others = [judge(evidence, other).bare_verdict for other in control]
    return replace(found, refused=_refusing(others)) if others else found


def together(found: list[Judgement]) -> str:
    """One verdict of several sentences: failing, in part if a panel of one that is open holds."""
    verdict = combine(one.verdict for one in found)
    partly = any(panel.holds(one.sentence.quota) for one in found if not one.vacuous for panel in one.panels)
    return "holds_in_part" if verdict == "fails" and partly else verdict


def _refusing(verdicts):
    """A control is refused unless all that it is made of holds."""
    return "holds" if all(verdict == "holds" for verdict in verdicts) else "fails"


def _judged(evidence, sentence):
    found = Judgement(sentence)
    for name in sentence.panels:
        panel = PanelCells(name, pool=sentence.pool)
        found.panels.append(panel)
        try:
            panel.cells = _cells(evidence.panel(name, sentence.pool), sentence, found)
        except Missing as missing:
            panel.missing = str(missing)
    return found


def _cells(panel, sentence, found):
    """Cells of all seeds that all runs of a panel have."""
    sentence = replace(sentence, relation=sentence.relation.of_all(panel.methods))
    runs = runs_of(sentence.relation.operands)
    races = {seed: _race(panel, seed, runs, sentence) for seed in _seeds(panel, runs)}
    found.traces += [
        t for t in panel.traces([r.method for r in runs if not r.panel]) if t not in found.traces
    ]
    found.errors += [f"{error} in {panel.name}" for error in panel.errors]
    readings, missing = _readings(races, sentence, found)
    found.levels[panel.name] = _levels(readings.values())
    cells = sentence.relation.cells(readings) if readings else {}
    if sentence.control:  # it says more than a copy that is worse by a fixed amount
        cells = _uncontrolled(cells)
    return cells | missing


def _levels(readings):
    places = {}
    for reading in readings:
        for words, place in zip(reading.entries, reading.levels, strict=False):
            places.setdefault(words, []).append(place)
    return {words: median(found) for words, found in places.items() if all(map(isfinite, found))}


def _uncontrolled(cells):
    return {seed: cell._replace(control=False) for seed, cell in cells.items()}


def _seeds(panel, runs):
    own = [run.method for run in runs if not run.panel]
    common = set(panel.seeds(own))
    for run in runs:
        common &= set(panel.evidence.panel(run.panel).seeds([run.method])) if run.panel else common
    if not common:
        raise Missing(f"a seed that all of {', '.join(run.method for run in runs)} ran")
    return sorted(common)


def _race(panel, seed, runs, sentence):
    read = {"metric": "", **sentence.read, **sentence.relation.options()}
    return Race(panel, -1 if sentence.pool else seed, runs, axis=sentence.over, **read)


def _readings(races, sentence, found):
    """Seed → reading, and seed → cell for those without one; neither for those that are not spoken of."""
    function = statistics.lookup(sentence.statistic, _paper(races))

    def read(race):
        return function(race, **sentence.options)

    readings, missing, outside = {}, {}, None
    for seed, race in races.items():
        try:
            readings[seed] = read(race)
        except Outside as error:
            outside = error
        except Missing as error:
            missing[seed] = Cell(None, None, {}, f"missing: {error}")
    if outside and not readings and not missing:
        raise outside
    return _repeated(readings, missing, races, read, found)


def _paper(races):
    return next(iter(races.values())).panel.evidence.paper.paper


def _repeated(readings, missing, races, read, found):
    """Readings over seconds with the noise of the machine; without it none of them counts."""
    clocked = [seed for seed in readings if races[seed].by_clock]
    if not clocked:
        return readings, missing
    race = races[clocked[0]]
    noise = repeatability(race, read)
    if noise is None:
        return {}, missing | {seed: Cell(None, None, {}, UNKNOWN) for seed in readings}
    found.spreads[race.panel.name] = noise
    return {seed: reading._replace(noise=noise) for seed, reading in readings.items()}, missing
