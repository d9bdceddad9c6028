"""Times to levels, as intervals: between the last record above and the first of the stay below."""

import math

import numpy as np

from ..judging.race import levels_of
from ..judging.ranges import Range, Run, difference, exp, log, median, operand, runs_of
from ..panel import flat
from .base import Reading, Said, statistic

#: Times whose logarithms differ by less are the same to a reader.
SAME = 0.01


def settled(line, level: float, end: float | None = None) -> Range:
    """When a curve is at or below the level for good; if never, not before `end`, the race's."""
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


def _said(given):
    if given["per"]:
        return Said(f"the slowdown against {given['per']['method']} in {{metric}}")
    to = "come near the best {name}" if given["near"] else "reach {target}"
    to += " first" if given["first"] else ""
    return Said(f"the {{over}} to {to}", to=to)


@statistic(_said, along=True)
def time(
    race,
    *,
    level=None,
    shares=None,
    near=None,
    common=True,
    first=False,
    misses=None,
    median_of=None,
    per=None,
):
    """The place on the axis where a curve settles at levels: from there on it stays at or below them.

    Parameters
    ----------
    level, shares, common : optional
        Levels, as `levels_of` has them.
    near : dict, optional
        ``{of, by, points}``: levels near the least value that any of the methods `of` reached: `by` more, a
        share of it or (`points`) so many units.
    first : bool
        The first passage counts.
    misses : str, optional
        A method that is said to miss the levels: ∞ where it has not settled by t_end, which the others have
        at most.
    median_of : list, optional
        Methods each of which counts as the median of them all.
    per : dict, optional
        ``{method}``: over the time of that method in the run's own panel, the median over the levels; with
        ``metric`` and ``near`` how far that differs from the same in another metric, as |log|.
    """
    if per:
        return _slowdowns(race, per)
    levels = _near(race, **near) if near else levels_of(race, level=level, shares=shares, common=common)
    when, lines = (
        passed if first else settled,
        {run: line.until(race.end) for run, line in race.lines.items()},
    )
    ranges = {run: [when(line, each, race.end) for each in levels.values()] for run, line in lines.items()}
    if misses:
        ranges = {
            run: [_missed(r, run.method == misses, race.end) for r in found] for run, found in ranges.items()
        }
    if median_of:
        several = [operand(name) for name in median_of]
        middle = [median(times) for times in zip(*(o.entries(ranges) for o in several), strict=True)]
        ranges |= dict.fromkeys(runs_of(several), middle)
    places = () if near else tuple(map(race.unjudged, levels.values()))
    return Reading(list(levels), ranges, visible=SAME, levels=places)


def _near(race, of, by, points=False):
    least = least_of(race, of)
    levels = [least + q if points else least * (1 + q) for q in (by if isinstance(by, list) else [by])]
    return {f"{level:.4g}": level for level in levels}


def least_of(race, methods) -> float:
    """The least value of those methods that ran this seed, after their start."""
    runs = [Run(name) for name in race.panel.ran(race.seed, flat(methods))]
    return min(float(np.min(race.values(run)[1:])) for run in runs)


def _missed(time, late, end):
    if time.high < math.inf:
        return time
    return Range(math.inf, math.inf) if late else Range(min(time.low, end), end)


def _slowdowns(race, per):
    own = {run: _slowdown(race, run, per["method"]) for run in race.runs}
    if "metric" not in per:
        return Reading(["times as long"], {run: [r.mapped(exp)] for run, r in own.items()})
    other, near = race.on(metric=per["metric"]), per["near"]
    far = {run: _slowdown(other, run, per["method"], near=near) for run in race.runs}
    ranges = {run: [_size(difference(own[run], far[run]))] for run in race.runs}
    return Reading(["|log| between them"], ranges)


def _slowdown(race, run, method, **levels):
    """Log of a run's time over that of a method in its panel, as a range."""
    rival = Run(method)
    found = time(race.on(panel=race.panel_of(run), runs=[Run(run.method), rival]), **levels).ranges
    pairs = zip(found[rival], found[Run(run.method)], strict=True)
    return median([difference(x.mapped(log), y.mapped(log)) for x, y in pairs])


def _size(r):
    """All that |x| may be for x in a range."""
    low = 0.0 if r.low <= 0 <= r.high else min(abs(r.low), abs(r.high))
    return Range(low, max(abs(r.low), abs(r.high)))
