"""Shapes of one curve: monotone, or turning back; of a statistic with several entries along the axis."""

from dataclasses import dataclass
from itertools import pairwise

from ..judging.ranges import ANY, Range, above, difference, every, log
from .base import Cell, Relation, positive

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
