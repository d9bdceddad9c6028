"""Measured numbers against bounds: of theorems, of costs, and of orders of growth."""

import math
from dataclasses import dataclass, replace

from ..judging.ranges import Range, above, every
from .base import Cell, Relation, positive

#: A bound that is never used to more than this share says nothing.
TIGHT = 0.01
#: How much another exponent differs.
EXPONENT = 1.0


def _values(relation, reading):
    return [r for o in relation.operands for r in o.entries(reading.ranges)]


@dataclass(frozen=True)
class AtMost(Relation):
    """The metric is at most factor · bound (a column or a number), `slack` for rounding; or `at_least`.

    A limit of 0, or below, has a tolerance in place of a quotient: `within`.
    """

    bound: str | float
    methods: list | str | None = None
    factor: float = 1.0
    at_least: bool = False
    slack: float = 0.0
    within: float | None = None

    def __post_init__(self):
        positive("factor", self.factor)
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
        """Shares of the bound, a column or a number; a copy a hundred times worse has to be refused."""
        limit = self.factor * (1 if isinstance(self.bound, str) else self.bound)
        shares = [Range(r.low / limit, r.high / limit) for r in values]
        nearest = min(r.low for r in shares) if self.at_least else max(r.high for r in shares)
        truth = every(self._kept(r) for r in shares)
        worse = TIGHT if self.at_least else 1 / TIGHT
        control = every(self._kept(Range(r.low * worse, r.high * worse)) for r in shares)
        used = {"measured / bound": Range.of(nearest), "at best": Range.of(self._best(shares))}
        return Cell(truth, control, used, "" if truth is not None else "the bound lies within its range")

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

    def scaled(self, by):
        return None if self.type == "bound" else replace(self, factor=self.factor * by)


def tightness(cells, at_least=False) -> dict:
    """Worst and best measured/bound over the cells of a bound; bound/measured where it is a lower one."""
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
        kept = every(self._kept(r) for r in slopes)
        other = every(self._kept(r.mapped(lambda v: v + EXPONENT)) for r in slopes)
        largest = Range(max(r.low for r in slopes), max(r.high for r in slopes))
        reason = "" if kept is not None else "its range is open"
        return Cell(kept, other, {"slope": largest}, reason)

    def _kept(self, slope):
        return above(Range(-slope.high, -slope.low), -(self.order + self.within))

    def scaled(self, by):
        return replace(self, within=self.within * by)
