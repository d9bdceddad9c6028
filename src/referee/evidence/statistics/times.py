"""Times to levels, as intervals: between the last record above and the first of the stay below."""

import math

import numpy as np

from ..judging.race import levels_of
from ..judging.ranges import Range
from .base import Reading, statistic

#: Times whose logarithms differ by less are the same to a reader.
SAME = 0.01


def settled(line, level: float, end: float | None = None) -> Range:
    """When a curve is at or below the level for good."""
    above = np.flatnonzero(~(line.y <= level))
    return _between(line, above[-1] + 1 if above.size else 0, end)


def passed(line, level: float, end: float | None = None) -> Range:
    """When a curve is at or below the level for the first time."""
    below = np.flatnonzero(line.y <= level)
    return _between(line, below[0] if below.size else len(line.y), end)


def _between(line, index, end):
    """Between the records before and at `index`; behind the last never, or not before the race ends."""
    if index == len(line.y):
        last = float(line.x[-1]) if end is None else max(float(line.x[-1]), end)
        return Range(math.inf if line.stopped else last, math.inf)
    return Range(float(line.x[max(index - 1, 0)]), float(line.x[index]))


def _times(race, when, **levels):
    found = levels_of(race, **levels)
    ranges = {
        run: [when(line.until(race.end), level, race.end) for level in found.values()]
        for run, line in race.lines.items()
    }
    places = tuple(map(race.unjudged, found.values()))
    return Reading(list(found), ranges, visible=SAME, levels=places)


@statistic(along=True, to="reach {target}")
def time_to(race, *, level=None, shares=None, common=True):
    """What it takes on the axis to settle at levels: after it the curve stays at or below them."""
    return _times(race, settled, level=level, shares=shares, common=common)


@statistic(along=True, to="reach {target} first")
def first(race, *, level=None, shares=None, common=True):
    """What it takes to first reach levels: of a best-so-far, or where the sentence says "first"."""
    return _times(race, passed, level=level, shares=shares, common=common)
