"""Methods against each other: less by a factor, equal within a tolerance, in an order."""

import math
import statistics
from dataclasses import dataclass, replace
from itertools import pairwise

from ..judging.ranges import ANY, Range, above, difference, every, exp, log, median, operand
from .base import CLEARLY, Cell, Relation, listed, positive

NEVER = "neither reaches any of the levels"


def _in_scale(entries, scale):
    return [r.mapped(log) for r in entries] if scale == "log" else entries


def _times(entries, factor):
    return entries if factor == 1 else [Range(factor * r.low, factor * r.high) for r in entries]


def _margins(reading, a, b, factor=1.0):
    """b − factor·a of each entry, in the scale of the reading: above 0 where it is less by that factor."""
    first, second = _times(a.entries(reading.ranges), factor), b.entries(reading.ranges)
    pairs = zip(_in_scale(first, reading.scale), _in_scale(second, reading.scale), strict=True)
    return [difference(x, y) for x, y in pairs]


def _numbers(reading, a, b):
    """Words → quotient (difference where values have signs) and, of one entry, both values."""
    first, second = a.entries(reading.ranges), b.entries(reading.ranges)
    signed = any(r.low < 0 for r in (*first, *second))
    gained = median(
        [
            difference(y, x) if signed else difference(y.mapped(log), x.mapped(log))
            for x, y in zip(first, second, strict=True)
        ]
    )
    found = {"difference": gained} if signed else {"ratio": gained.mapped(exp)}
    return found | ({str(a): first[0], str(b): second[0]} if len(first) == 1 else {})


@dataclass(frozen=True)
class Less(Relation):
    """`a` is less than `than` by a factor: in the median over the entries, or in a `quota` of them.

    With the factor 1 it is strict: values that coincide in the figure are not less. Below 1 it is "no worse
    than".
    ``clearly`` is for "clearly", "significantly", "much" without a number: by `CLEARLY` it is less, by the
    factor 1 alone it hardly is.
    """

    a: str | list
    than: str | list
    factor: float = 1.0
    quota: float | None = None
    clearly: bool = False
    type = "comparison"

    def __post_init__(self):
        positive("factor", self.factor)
        if self.clearly and self.factor != 1:
            raise ValueError("`clearly` is for sentences without a number: it has no factor")

    @property
    def asked(self) -> float:
        """The required factor."""
        return CLEARLY if self.clearly else self.factor

    @property
    def control_kind(self):
        """Sides are exchanged in a strict comparison; of "no worse than" both may be true."""
        return "swap" if self.factor >= 1 else "negative"

    @property
    def operands(self):
        return [operand(self.a), operand(self.than)]

    def cells(self, readings):
        a, b = self.operands
        own = self._truths(readings, a, b)
        control = self._truths(readings, b, a) if self.factor >= 1 else self._worse(readings)
        found = {
            seed: Cell(own[seed], control[seed], _numbers(reading, a, b), self._reason(reading, a, b))
            for seed, reading in readings.items()
        }
        return self._with_hardly(readings, found) if self.clearly else found

    def _with_hardly(self, readings, found):
        """Cells of "clearly": less by less than that is hardly less; no less at all is false."""
        plain = replace(self, clearly=False).cells(readings)
        return {seed: self._hardly(cell, plain[seed]) for seed, cell in found.items()}

    def _hardly(self, cell, plain):
        if cell.verdict:
            return cell
        if plain.verdict:
            return cell._replace(hardly=True)
        refuted = False in (cell.truth, plain.truth)  # not by so much, and not known to be less at all
        return cell._replace(truth=False if refuted else None)

    def of_all_seeds(self, cells, readings) -> Cell | None:
        """One cell of all seeds: the median of their ratios, known as well as a median of so many is.

        None with fewer than `SEEDS`, or of values with signs.
        """
        ratios = [cell.measured["ratio"] for cell in cells.values() if "ratio" in cell.measured]
        if len(ratios) < SEEDS or len(ratios) < len(cells):
            return None
        ratio = median(ratios)
        margin = difference(ratio.mapped(log), Range.of(-log(self.asked)))
        spread = scatter(log(r.middle) for r in ratios if 0 < r.middle < math.inf)
        noise = max(spread, *(reading.noise for reading in readings.values())) / math.sqrt(len(ratios))
        visible = max(reading.visible for reading in readings.values())
        truth = self._settled(margin, visible, noise)
        cell = Cell(truth, False if truth else None, {"ratio": ratio})
        if not self.clearly:
            return cell
        return self._hardly(cell, replace(self, clearly=False).of_all_seeds(cells, readings))

    def _truths(self, readings, a, b):
        margins = {seed: _margins(reading, a, b, self.asked) for seed, reading in readings.items()}
        noise = scatter(median(found).middle for found in margins.values())
        return {seed: self._truth(margins[seed], readings[seed], noise) for seed in readings}

    def _truth(self, margins, reading, noise):
        if self.quota is None:
            return self._one(median(margins), reading, noise)
        return by_quota(
            [self._one(margin, reading, noise) for margin in margins if margin != ANY], self.quota
        )

    def _one(self, margin, reading, noise):
        return self._settled(margin, reading.visible, max(noise, reading.noise))

    def _settled(self, margin, visible, noise):
        if self.asked == 1:
            return _strictly(margin, visible, noise)
        return above(margin.widened(max(visible, noise)))

    def _worse(self, readings):
        """Of a copy worse by twice the largest of scatter, what can be seen, and the tolerance."""
        noise = scatter(median(_margins(r, *self.operands)).middle for r in readings.values())
        within = -log(self.factor)
        worse = {seed: 2 * max(noise, r.visible, within) for seed, r in readings.items()}
        return {seed: above(Range.of(within - more).widened(noise)) for seed, more in worse.items()}

    def _reason(self, reading, a, b):
        return NEVER if all(margin == ANY for margin in _margins(reading, a, b)) else ""


def _strictly(margin, visible, noise):
    """Less, and visibly so; false where the curves coincide; open where their scatter hides it."""
    if max(abs(margin.low), abs(margin.high)) <= visible:
        return False
    return above(margin.widened(max(visible, noise)))


def by_quota(truths, quota: float) -> bool | None:
    """Whether a share of truths is true, whatever the open ones are; None without any."""
    if not truths:
        return None
    sure, possible = truths.count(True), len(truths) - truths.count(False)
    if sure >= quota * len(truths):
        return True
    return False if possible < quota * len(truths) else None


@dataclass(frozen=True)
class Equal(Relation):
    """`a` equals `to` (a method, or a number) within a tolerance, in all entries or in a `quota` of them.

    Of methods, `within` is the factor less 1: equal inside it, unequal beyond it and what the figure
    resolves, open between. Without it they are equal when they differ by less than the resolution. Of a
    number it is the tolerance itself.
    """

    to: str | list | float
    a: str | list | None = None
    within: float | None = None
    quota: float = 1.0

    def __post_init__(self):
        if self.to_number and self.within is None:
            raise ValueError("equal to a number needs `within`")
        if self.a is None and not self.to_number:
            raise ValueError("equal to a method needs `a`")

    @property
    def to_number(self) -> bool:
        """Whether it is an identity, not a comparison of methods."""
        return isinstance(self.to, (int, float))

    @property
    def type(self):
        """A comparison of methods, or an identity."""
        return "property" if self.to_number else "comparison"

    @property
    def operands(self):
        if not self.to_number:
            return [operand(self.a), operand(self.to)]
        return [operand(name) for name in ([] if self.a is None else listed(self.a))]

    def of_all(self, methods):
        return replace(self, a=methods) if self.a is None else self

    def cells(self, readings):
        if self.to_number:
            return {seed: self._identity(reading) for seed, reading in readings.items()}
        a, b = self.operands
        found = {seed: _margins(reading, a, b) for seed, reading in readings.items()}
        entries = (
            list(zip(*found.values(), strict=True)) if len({len(m) for m in found.values()}) == 1 else []
        )
        noise = [scatter(margin.middle for margin in entry) for entry in entries] or [0.0]
        return {seed: self._cell(readings[seed], found[seed], max(noise)) for seed in readings}

    def _cell(self, reading, margins, noise):
        a, b = self.operands
        noise = max(noise, reading.noise)
        resolution = max(reading.visible, noise)
        inside = resolution if self.within is None else self._tolerance(reading, b)
        truths = [
            _inside(margin, inside, max(inside + noise, resolution)) for margin in margins if margin != ANY
        ]
        reason = "" if truths else NEVER
        worse = Range.of(2 * max(inside, resolution)).widened(noise)  # a copy beyond what hides it
        return Cell(by_quota(truths, self.quota), _inside(worse, inside), _numbers(reading, a, b), reason)

    def _tolerance(self, reading, b):
        if reading.scale == "log":
            return math.log1p(self.within)
        sizes = [abs(r.middle) for r in b.entries(reading.ranges)]
        return self.within * (min(sizes) if sizes else 1.0)

    def _identity(self, reading):
        """Every record within the tolerance; a planted error of ten tolerances has to be refused."""
        errors = [difference(Range.of(self.to), r) for o in self.operands for r in o.entries(reading.ranges)]
        worst = max((max(abs(e.low), abs(e.high)) for e in errors), default=math.nan)
        planted = [e.low + 10 * (self.within or 0.1) for e in errors]
        control = every(_inside(Range.of(error), self.within) for error in planted)
        truth = every(_inside(error, self.within) for error in errors)
        return Cell(truth, control, {"largest error": Range.of(worst)})


def _inside(margin: Range, inside: float, outside: float | None = None) -> bool | None:
    """Whether a margin is at most `inside`; not where it is above `outside`, the same without one."""
    if max(abs(margin.low), abs(margin.high)) <= inside:
        return True
    outside = inside if outside is None else outside
    return False if margin.low > outside or margin.high < -outside else None


@dataclass(frozen=True)
class Order(Relation):
    """Each method is less than the next, by a factor."""

    methods: list
    factor: float = 1.0
    type = "order"
    control_kind = "swap"

    def __post_init__(self):
        positive("factor", self.factor)
        if len(self.methods) < 2:
            raise ValueError("an order needs at least two methods")

    @property
    def _pairs(self) -> list[Less]:
        return [Less(a, b, self.factor) for a, b in pairwise(self.methods)]

    def cells(self, readings):
        found = [pair.cells(readings) for pair in self._pairs]
        return {seed: self._cell([cells[seed] for cells in found]) for seed in readings}

    def _cell(self, cells):
        names = [f"{x} / {y}" for x, y in pairwise(self.methods)]
        measured = {name: cell.measured.get("ratio", ANY) for name, cell in zip(names, cells, strict=True)}
        reason = next((cell.reason for cell in cells if cell.truth is None), "")
        return Cell(every(c.truth for c in cells), every(c.control for c in cells), measured, reason)


#: Fewer seeds say nothing about scatter.
SEEDS = 5


def scatter(differences) -> float:
    """Twice the median absolute deviation of a paired difference over at least five seeds, else 0.

    Of unpaired values it would measure how the instances differ, not the methods.
    """
    known = [value for value in differences if math.isfinite(value)]
    if len(known) < SEEDS:
        return 0.0
    middle = statistics.median(known)
    return 2 * statistics.median(abs(value - middle) for value in known)
