"""Shapes of one curve: monotone, or turning back; of a statistic with several entries along the axis."""

from dataclasses import dataclass, replace
from itertools import pairwise

from ..judging.ranges import ANY, Range, above, difference, every, log
from .base import Cell, Relation, positive

UNSEEN = Cell(None, None, {}, "fewer than two entries are known")


def _series(relation, reading):
    """Each operand's entries, in the scale of the reading."""
    if not reading.series:
        raise ValueError("monotone and turns need several entries: at several shares, or means in windows")
    rows = [o.entries(reading.ranges) for o in relation.operands]
    found = [[r for r in row if r != ANY] for row in rows]
    if min(map(len, found), default=0) < 2:
        return []
    return [[r.mapped(log) for r in row] if reading.scale == "log" else row for row in found]


def _tolerance(relation, reading):
    return max(reading.visible, log(1 + relation.within) if reading.scale == "log" else relation.within)


@dataclass(frozen=True)
class Monotone(Relation):
    """No step goes up (down, if `rising`) by more than the tolerance, and the whole does go down."""

    methods: list | str | None = None
    rising: bool = False
    within: float = 0.0

    def cells(self, readings):
        return {seed: self._cell(reading) for seed, reading in readings.items()}

    def _cell(self, reading):
        tolerance, rows = _tolerance(self, reading), _series(self, reading)
        if not rows:
            return UNSEEN
        rows = [row[::-1] for row in rows] if self.rising else rows
        back = max(difference(x, y).high for row in rows for x, y in pairwise(row))
        truth = every(_falls(row, tolerance) for row in rows)
        control = every(_falls(row[::-1], tolerance) for row in rows)
        return Cell(truth, control, {"largest step back": Range.of(max(back, 0.0))})

    def scaled(self, by):
        return replace(self, within=self.within * by) if self.within else None


def _falls(row, tolerance):
    steps = [above(difference(y, x), -tolerance) for x, y in pairwise(row)]
    return every([*steps, above(difference(row[-1], row[0]), tolerance)])


@dataclass(frozen=True)
class Turns(Relation):
    """The curve falls, and then ends above its least value, by a factor."""

    methods: list | str | None = None
    within: float = 0.0

    def __post_init__(self):
        if self.within:
            positive("within", self.within)

    def cells(self, readings):
        return {seed: self._cell(reading) for seed, reading in readings.items()}

    def _cell(self, reading):
        tolerance, rows = _tolerance(self, reading), _series(self, reading)
        if not rows:
            return UNSEEN
        rises = [_rise(row) for row in rows]
        truth = every(_turns(row, tolerance) for row in rows)
        control = every(
            _turns(row[: _lowest(row) + 1], tolerance) for row in rows
        )  # the copy that stops there
        return Cell(truth, control, {"rise from the least": max(rises)})

    def scaled(self, by):
        return replace(self, within=self.within * by) if self.within else None


def _lowest(row):
    return min(range(len(row)), key=lambda k: row[k].middle)


def _rise(row):
    return difference(row[_lowest(row)], row[-1])


def _turns(row, tolerance):
    """Strictly: at the tolerance itself nothing is seen to turn."""
    fall = difference(row[_lowest(row)], row[0])
    return every(False if r.high <= tolerance else above(r, tolerance) for r in (fall, _rise(row)))
