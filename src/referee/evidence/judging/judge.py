"""One sentence → its cells, panel by panel; runs that stand still; what is tried before a cell stays open."""

from dataclasses import dataclass, field, replace
from math import isfinite, log
from statistics import median

from ..panel import Evidence, Missing, NotReached, Outside
from ..relations import Less
from ..relations.base import Cell
from ..relations.bounds import tightness
from .grammar import Sentence
from .quantifiers import PanelCells, conjunction, counted, is_vacuous, verdict_of
from .race import VISIBLE, Race
from .ranges import runs_of
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
        """What its controls say: exchanged sides or worse copies of all cells, or the structural one.

        Of "some panel" only those are asked for which it holds: in another the contrary may be true as well.
        """
        quantifier, quota, panels = self.sentence.quantifier, self.sentence.quota, self.panels
        if quantifier == "some":
            panels = [panel for panel in panels if panel.verdict(quota) == "holds"] or panels
        found = verdict_of(quantifier, panels, quota, control=True)
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
    """One verdict of several sentences, all of which have to hold: in part where a panel of one holds."""
    verdict = conjunction([_of_group(group) for group in _grouped(found)])
    kept = [one for one in found if not one.vacuous and one.sentence.quantifier != "most"]
    partly = any(panel.holds(one.sentence.quota) for one in kept for panel in one.panels)
    return "holds_in_part" if verdict == "fails" and partly else verdict


def _grouped(found):
    """Sentences that ask the same of several methods, together."""
    groups = {}
    for one in found:
        s = one.sentence
        asked = (
            s.quantifier,
            s.panels,
            type(s.relation),
            s.statistic,
            repr(s.options),
            repr(s.read),
            s.over,
            s.covers,
        )
        groups.setdefault(asked, []).append(one)
    return groups.values()


def _of_group(group):
    """Their verdict: of "all" over the panels of all of them, so that one open comparison hides no other."""
    if len(group) == 1 or group[0].sentence.quantifier != "all":
        return conjunction([one.verdict for one in group])
    return conjunction(
        [
            "not_testable" if one.vacuous else p.verdict(one.sentence.quota)
            for one in group
            for p in one.panels
        ]
    )


def _refusing(verdicts):
    """A control is refused unless all that it is made of holds."""
    return "holds" if all(verdict == "holds" for verdict in verdicts) else "fails"


def _judged(evidence, sentence):
    found = Judgement(sentence)
    for name in sentence.panels:
        panel = PanelCells(name, pool=sentence.pool)
        found.panels.append(panel)
        try:
            panel.cells, panel.still = _cells(evidence.panel(name, sentence.pool), sentence, found)
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
    cells = _remedied(cells, races, readings, sentence, found)
    cells = _taken_together(cells, readings, sentence)
    still = _still(races, runs, sentence)
    cells = _moved(cells, still, sentence)
    if sentence.control:  # it says more than a copy that is worse by a fixed amount
        cells = _uncontrolled(cells)
    return cells | missing, [run._replace(panel=run.panel or panel.name) for run in still]


#: What is tried where a comparison of times is open at the levels together: the one that all runs reach.
COMMON_LEVEL = "the level that all compared runs reach"
#: What times to levels must not have for that to keep the quantity.
NAMED = ("level", "shares", "common", "misses", "median_of", "per")


def _remedied(cells, races, readings, sentence, found):
    """Open cells of times to levels, asked again at the common level alone; it keeps the quantity.

    Not where the curves have merged there, and not where most levels decide the other way.
    """
    open_ones = [seed for seed, cell in cells.items() if cell.truth is None and not cell.hardly]
    if not open_ones or sentence.statistic != "time" or sentence.options.keys() & set(NAMED):
        return cells
    only = replace(sentence, options={**sentence.options, "near": None, "shares": []})
    apart = {seed: races[seed] for seed in open_ones if _apart(races[seed])}
    try:
        common, _ = _readings(apart, only, found) if apart else ({}, {})
        again = sentence.relation.cells(common) if common else {}
    except Missing:
        return cells
    answers = {
        seed: _answered(cells[seed], again.get(seed), _by_level(sentence, readings[seed]))
        for seed in open_ones
    }
    return cells | answers


#: What is tried where most seeds of a panel stay open: all of them as one.
ALL_SEEDS = "the median over all seeds"


def _taken_together(cells, readings, sentence):
    """Open cells of times, decided by the median over the seeds where most of these stay open."""
    opened = [seed for seed, cell in cells.items() if cell.verdict is None and not cell.hardly]
    if (
        sentence.statistic != "time"
        or not isinstance(sentence.relation, Less)
        or 2 * len(opened) <= len(cells)
    ):
        return cells
    whole = sentence.relation.of_all_seeds(cells, {seed: readings[seed] for seed in cells})
    if whole is None or (whole.verdict is None and not whole.hardly):
        return cells
    said = {"truth": whole.truth, "control": whole.control, "hardly": whole.hardly, "remedy": ALL_SEEDS}
    return cells | {seed: cells[seed]._replace(**said) for seed in opened}


def _apart(race):
    """Whether the curves can still be told apart where the worst of them ends: 1 % of the way is left there.

    Of a metric whose bottom is not known, whether the ends differ by 1 % of the axis as it is drawn.
    """
    ends = [line.until(race.end).last for line in race.lines.values()]
    if race.has_bottom:
        return max(ends) - race.floor >= VISIBLE * (race.start - race.floor)
    if race.drawn.scale == "log":
        return min(ends) <= 0 < max(ends) or log(max(ends) / min(ends)) > race.drawn.visible
    return max(ends) - min(ends) > race.drawn.visible


def _by_level(sentence, reading):
    """What each level by itself says."""
    parts = [
        reading._replace(entries=[words], ranges={run: [ranges[k]] for run, ranges in reading.ranges.items()})
        for k, words in enumerate(reading.entries)
    ]
    return [cell.verdict for part in parts for cell in sentence.relation.cells({0: part}).values()]


def _answered(cell, again, levels):
    if again is None or again.verdict is None:
        return cell._replace(remedy=f"tried: {COMMON_LEVEL}")
    if levels.count(not again.verdict) > levels.count(again.verdict):
        return cell._replace(remedy=f"tried: {COMMON_LEVEL}, but most levels decide the other way")
    return again._replace(remedy=COMMON_LEVEL)


#: A run stands still that has this share of its way left at the end.
STILL = 0.99


def _still(races, runs, sentence):
    """Runs that made no progress in the median seed: of objectives, and of metrics with a lowest value."""
    if not sentence.along:
        return []
    return [run for run in runs if _share_left(list(races.values()), run) >= STILL]


def _share_left(races, run):
    """What is left at t_end of the way from a run's start to the bottom; the median over seeds, else 0."""
    found = [race.share_left(run) for race in races if race.has_bottom]
    found = [share for share in found if isfinite(share)]
    return median(found) if found else 0.0


def _moved(cells, still, sentence):
    """A side that stands still is not less than one that moves; where both sides stand it is open."""
    relation = sentence.relation
    if not still or not isinstance(relation, Less):
        return cells
    a, b = ({run for run in operand.runs} <= set(still) for operand in relation.operands)
    if not a:
        return cells
    return {seed: _stood(cell, both=b) for seed, cell in cells.items()}


def _stood(cell, both):
    """The cell of a side that stood still: lost, but where nobody reaches what the sentence names."""
    if both:
        return Cell(None, None, cell.measured, "neither side moves")
    return cell if cell.truth is None and cell.reason else Cell(False, False, cell.measured)


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
    function = sentence.function

    def read(race):
        return function(race, **sentence.options)

    readings, missing, outside = {}, {}, None
    for seed, race in races.items():
        try:
            readings[seed] = read(race)
        except Outside as error:
            outside = error
        except Missing as error:
            begin = "not reached" if isinstance(error, NotReached) else "missing"
            missing[seed] = Cell(None, None, {}, f"{begin}: {error}")
    if outside and not readings and not missing:
        raise outside
    return _repeated(readings, missing, races, read, found)


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
