"""Values at the end, at parts of the budget, of the last iterate; counts and shares of time."""

from fractions import Fraction

import numpy as np

from projfree.trace.timers import belongs

from ..judging.cost_model import TIMER
from ..judging.race import GRACE
from ..judging.ranges import Range
from .base import Reading, statistic


def when(part: float) -> str:
    """Words for a part of the budget."""
    return "the end" if part == 1 else f"{Fraction(part).limit_denominator(100)} of the budget"


def value_at(line, x: float, scale: str) -> float:
    """The value of a curve at `x`: between two records on the line that a figure draws between them."""
    before = line.until(x)
    after = slice(len(before.y), len(before.y) + 1)
    if before.x[-1] * GRACE >= x or not np.isfinite(line.y[after]).any():
        return before.last
    low, high = before.last, float(line.y[after][0])
    share = float((x - before.x[-1]) / (line.x[after][0] - before.x[-1]))
    if scale == "log" and low > 0 < high:
        return low ** (1 - share) * high**share
    return low + share * (high - low)


def _values(race, parts):
    scale = race.drawn.scale
    ranges = {
        run: [Range.of(value_at(line, part * race.end, scale)) for part in parts]
        for run, line in race.lines.items()
    }
    return Reading([when(part) for part in parts], ranges, scale, race.drawn.visible, len(parts) > 1)


@statistic(along=True, said="{metric}", when="at the end ")
def end(race):
    """The value at t_end, the end of the panel's budget."""
    return _values(race, [1.0])


@statistic(along=True, said="{metric}", when="on the way ")
def at(race, *, share):
    """The value at a share of the budget, or at several."""
    return _values(race, share if isinstance(share, list) else [share])


@statistic(said="{metric}", when="at the last iterate ")
def final(race):
    """A property of the last iterate: the last value, whenever the run ended."""
    ranges = {run: [Range.of(race.values(run)[-1])] for run in race.runs}
    return Reading(["the last iterate"], ranges, race.drawn.scale)


@statistic(said="the number of {oracle}")
def count(race, *, oracle):
    """Calls of an oracle (an axis: ``LO``, ``IFO+SSO``) in the whole run."""
    calls = race.on(metric=oracle)
    return Reading(["calls"], {run: [Range.of(calls.values(run)[-1])] for run in race.runs})


@statistic(said="the share of the CPU time in {timer}")
def share(race, *, timer):
    """Share of the CPU seconds that an oracle took, or a phase with the oracles that it called."""
    found = {}
    for run in race.runs:
        last = race.records(run, f"{TIMER}{timer}", "cpu_seconds").iloc[-1]
        inside = [c for c in last.index if c.startswith(TIMER) and belongs(c.removeprefix(TIMER), timer)]
        spent = float(last["cpu_seconds"])
        found[run] = [Range.of(last[inside].sum() / spent if spent else np.nan)]
    return Reading([f"share of {timer}"], found, "linear")
