"""Values at the end and on the way, counts, shares of time; heights, means, quantiles of many records."""

from fractions import Fraction

import numpy as np

from projfree.trace.timers import belongs

from ..judging.cost_model import TIMER
from ..judging.race import GRACE
from ..judging.ranges import ANY, Range
from ..panel import Missing
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


@statistic(along=True, said="the mean height of {metric}")
def area(race):
    """Mean height of the drawn curve (geometric on a log axis), from the first record after the start."""
    scale = race.drawn.scale
    ranges = {run: [Range.of(_height(line, race.end, scale))] for run, line in race.lines.items()}
    return Reading(["mean height"], ranges, scale, race.drawn.visible)


def _height(line, end, scale):
    x, y = line.x[1:], line.y[1:]
    widths = np.diff(np.clip(np.append(x, max(end, line.x[-1])), None, end))
    if not widths.sum() > 0:
        raise Missing("a second record within the budget")
    x, y = widths / widths.sum(), y
    if scale == "linear":
        return float(x @ y)
    if (y[x > 0] <= 0).any():
        raise Missing("a logarithm of all values: the curve reaches 0")
    return float(np.exp(x[x > 0] @ np.log(y[x > 0])))


@statistic(along=True, said="the mean of {metric}")
def mean(race, *, windows=1, since=0.0, until=1.0, skip_zero=False):
    """Mean over the records in each of `windows` equal parts of the axis, between two shares of it.

    With `skip_zero` values of exactly 0 count as none: errors at an anchor, say.
    """
    edges = race.end * np.linspace(since, until, windows + 1)
    ranges = {run: _means(line, edges, skip_zero) for run, line in race.lines.items()}
    words = [f"window {k + 1}" if windows > 1 else "the mean" for k in range(windows)]
    return Reading(words, ranges, race.drawn.scale, race.drawn.visible, windows > 1)


def _means(line, edges, skip_zero):
    kept = (line.x <= edges[-1] * GRACE) & ((line.y != 0) | (not skip_zero))
    x, y = line.x[kept], line.y[kept]
    part = np.clip(np.searchsorted(edges, x, side="right") - 1, -1, len(edges) - 2)
    return [_mean(x, y, part == k, edges[k], line) for k in range(len(edges) - 1)]


def _mean(x, y, inside, begin, line):
    """The mean of a window; without a record in it the value that holds there, unless the run had ended."""
    if inside.any():
        return Range.of(y[inside].mean())
    before = y[x <= begin]
    return ANY if not before.size or (begin > line.x[-1] and not line.stopped) else Range.of(before[-1])


@statistic(said="{metric}")
def quantile(race, *, q=None):
    """A quantile over the records; without q the least and the largest, so that every record is judged."""
    shares = [0, 1] if q is None else [q]
    found = {run: [Range.of(np.quantile(race.values(run), share)) for share in shares] for run in race.runs}
    return Reading(["the least record", "the largest"] if q is None else [f"quantile {q:g}"], found, "linear")
