"""Measured numbers against bounds: of theorems, of costs, of orders of growth; and the shapes of curves."""

import math
from dataclasses import dataclass
from itertools import pairwise

from ..judging.ranges import ANY, Range, above, difference, every, log
from .base import CLEARLY, Cell, Relation, positive

#: A bound that is never used to more than this share is a loose one.
TIGHT = 0.01
#: How much another exponent differs; and by how much beyond bound and margin a planted order lies.
EXPONENT, PLANTED = 1.0, 0.25


def _times(r, by):
    return Range(r.low * by, r.high * by)


def _values(relation, reading):
    return [r for o in relation.operands for r in o.entries(reading.ranges)]


@dataclass(frozen=True)
class AtMost(Relation):
    """The metric is at most factor · bound (a column or a number), `slack` for rounding; or `at_least`.

    A limit of 0, or below, has a tolerance instead of a quotient: `within`.
    """

    bound: str | float
    methods: list | str | None = None
    factor: float = 1.0
    at_least: bool = False
    slack: float = 0.0
    within: float | None = None
    clearly: bool = False

    def __post_init__(self):
        positive("factor", self.factor)
        if self.clearly and self.factor != 1:
            raise ValueError("`clearly` is for sentences without a number: it has no factor")
        if self.absolute and self.within is None:
            raise ValueError(f"the limit {self.bound} needs `within`: nothing is a share of it")

    @property
    def absolute(self) -> bool:
        """Whether its limit is no unit to measure in."""
        return not isinstance(self.bound, str) and self.bound <= 0

    @property
    def type(self):
        """The bound of a theorem is a column, or a limit; a number is a property."""
        return "bound" if self.absolute or isinstance(self.bound, str) else "property"

    def options(self):
        return {"bound": self.bound} if isinstance(self.bound, str) else {}

    def cells(self, readings):
        judge = self._limit if self.absolute else self._share
        return {seed: judge(_values(self, reading)) for seed, reading in readings.items()}

    def _share(self, values):
        """Shares of the bound, a column or a number.

        A copy just beyond the bound has to be refused; one that a copy a hundred times worse keeps is loose.
        """
        limit = self.factor * (1 if isinstance(self.bound, str) else self.bound)
        shares = [Range(r.low / limit, r.high / limit) for r in values]
        nearest = min(r.low for r in shares) if self.at_least else max(r.high for r in shares)
        truth, hardly = self._truth(shares)
        worse = TIGHT if self.at_least else 1 / TIGHT
        loosely = bool(truth) and every(self._kept(_times(r, worse)) for r in shares) is not False
        beyond = 1 / nearest * (1 - 2 * PLANTED if self.at_least else 1 + 2 * PLANTED) if nearest > 0 else 1
        control = every(self._kept(_times(r, beyond)) for r in shares) if 0 < nearest < math.inf else False
        used = {"measured / bound": Range.of(nearest), "at best": Range.of(self._best(shares))}
        reason = "" if truth is not None else "the bound lies within its range"
        return Cell(truth, control, used, reason, hardly=hardly, loosely=loosely)

    def _truth(self, shares):
        """Whether they keep the bound; of "clearly" by so much, and whether hardly."""
        kept = every(self._kept(r) for r in shares)
        if not self.clearly:
            return kept, False
        by = 1 / CLEARLY if self.at_least else CLEARLY
        clearly = every(self._kept(_times(r, by)) for r in shares)
        if clearly:
            return True, False
        return (False if False in (clearly, kept) else None), bool(kept)

    def _best(self, shares):
        return max(r.high for r in shares) if self.at_least else min(r.low for r in shares)

    def _kept(self, share):
        if self.at_least:
            return above(share, 1 - self.slack)
        return above(Range(-share.high, -share.low), -(1 + self.slack))

    def _limit(self, values):
        """Values against a limit of no size; the reverse inequality has to be refused."""
        side = 1 if self.at_least else -1
        over = [Range(*sorted((side * (r.low - self.bound), side * (r.high - self.bound)))) for r in values]
        truth = every(above(r, -self.within) for r in over)
        control = every(above(Range(-r.high, -r.low), -self.within) for r in over)
        return Cell(truth, control, {"least distance to the limit": Range.of(min(r.low for r in over))})


def tightness(cells, at_least=False) -> dict:
    """Worst and best measured/bound over the cells of a bound; bound/measured for a lower bound."""
    ends = zip((max, min), ("measured / bound", "at best"), strict=True)
    found = [end(_shares(cells, name, at_least), default=math.nan) for end, name in ends]
    return {} if any(map(math.isnan, found)) else dict(zip(("worst", "best"), found, strict=True))


def _shares(cells, name, at_least):
    shares = [cell.measured[name].low for cell in cells if name in cell.measured]
    return [1 / share if at_least and share else share for share in shares if not math.isnan(share)]


@dataclass(frozen=True)
class SlopeAtMost(Relation):
    """Orders of growth are upper bounds: the slope is at most `order`, plus a tolerance."""

    order: float
    methods: list | str | None = None
    within: float = 0.25
    type = "slope"

    def cells(self, readings):
        return {seed: self._cell(_values(self, reading)) for seed, reading in readings.items()}

    def _cell(self, slopes):
        """A cost multiplied to an order beyond bound and margin has to be refused.

        Where one more whole order would be kept too the bound holds, but loosely.
        """
        kept = every(self._kept(r) for r in slopes)
        other = every(self._kept(r.mapped(lambda v: v + EXPONENT)) for r in slopes)
        largest = Range(max(r.low for r in slopes), max(r.high for r in slopes))
        planted = Range.of(self.order + self.within + PLANTED)
        reason = "" if kept is not None else "its range is open"
        loosely = bool(kept) and other is not False
        return Cell(kept, self._kept(planted), {"slope": largest}, reason, loosely=loosely)

    def _kept(self, slope):
        return above(Range(-slope.high, -slope.low), -(self.order + self.within))


UNSEEN = Cell(None, None, {}, "fewer than two entries are known")


@dataclass(frozen=True)
class Shape(Relation):
    """The shape of a curve along the axis, up to a tolerance `within` and the resolution."""

    methods: list | str | None = None
    within: float = 0.0

    def __post_init__(self):
        if self.within:
            positive("within", self.within)

    def cells(self, readings):
        return {seed: self._seen(reading) for seed, reading in readings.items()}

    def _seen(self, reading):
        rows = self._series(reading)
        return self._cell(rows, self._tolerance(reading)) if rows else UNSEEN

    def _series(self, reading):
        """Each operand's entries, in the scale of the reading."""
        if not reading.series:
            raise ValueError(
                "monotone and turns need several entries: at several shares, or means in windows"
            )
        rows = [[r for r in o.entries(reading.ranges) if r != ANY] for o in self.operands]
        if min(map(len, rows), default=0) < 2:
            return []
        return [[r.mapped(log) for r in row] if reading.scale == "log" else row for row in rows]

    def _tolerance(self, reading):
        return max(reading.visible, log(1 + self.within) if reading.scale == "log" else self.within)

    def _cell(self, rows, tolerance):
        """The cell of a seed by the entries of each operand."""
        raise NotImplementedError


@dataclass(frozen=True)
class Monotone(Shape):
    """No step goes up (down, if `rising`) by more than the tolerance, and the whole does go down."""

    rising: bool = False

    def _cell(self, rows, tolerance):
        rows = [row[::-1] for row in rows] if self.rising else rows
        back = max(difference(x, y).high for row in rows for x, y in pairwise(row))
        truth = every(_falls(row, tolerance) for row in rows)
        control = every(_falls(row[::-1], tolerance) for row in rows)
        return Cell(truth, control, {"largest step back": Range.of(max(back, 0.0))})


def _falls(row, tolerance):
    steps = [above(difference(y, x), -tolerance) for x, y in pairwise(row)]
    return every([*steps, above(difference(row[-1], row[0]), tolerance)])


@dataclass(frozen=True)
class Turns(Shape):
    """The curve falls, and then ends above its least value, by a factor."""

    def _cell(self, rows, tolerance):
        truth = every(_turns(row, tolerance) for row in rows)
        control = every(_turns(row[: _lowest(row) + 1], tolerance) for row in rows)  # a copy that stops there
        return Cell(truth, control, {"rise from the least": max(map(_rise, rows))})


def _lowest(row):
    return min(range(len(row)), key=lambda k: row[k].middle)


def _rise(row):
    return difference(row[_lowest(row)], row[-1])


def _turns(row, tolerance):
    """Strictly: at the tolerance itself nothing is seen to turn."""
    fall = difference(row[_lowest(row)], row[0])
    return every(False if r.high <= tolerance else above(r, tolerance) for r in (fall, _rise(row)))
