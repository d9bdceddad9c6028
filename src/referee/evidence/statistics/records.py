"""Statistics of many records: means, quantiles, best values of a parameter grid, frequencies."""

import numpy as np

from ..judging.race import GRACE, VISIBLE
from ..judging.ranges import ANY, Range, Run
from ..panel import Missing
from .base import Reading, Said, statistic


@statistic(
    lambda given: Said("the mean height of {metric}" if given["height"] else "the mean of {metric}"),
    along=True,
)
def mean(race, *, windows=1, since=0.0, until=1.0, skip_zero=False, height=False):
    """Mean over the records in each of `windows` equal parts of the axis, between two shares of it.

    Parameters
    ----------
    skip_zero : bool
        Values of exactly 0 count as none: errors at an anchor, say.
    height : bool
        In place of it the mean height of the drawn curve (geometric on a log axis), from the first record
        after the start.
    """
    if height:
        scale = race.drawn.scale
        ranges = {run: [Range.of(_height(line, race.end, scale))] for run, line in race.lines.items()}
        return Reading(["mean height"], ranges, scale, race.drawn.visible)
    edges = race.end * np.linspace(since, until, windows + 1)
    ranges = {run: _means(line, edges, skip_zero) for run, line in race.lines.items()}
    words = [f"window {k + 1}" if windows > 1 else "the mean" for k in range(windows)]
    return Reading(words, ranges, race.drawn.scale, race.drawn.visible, windows > 1)


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


@statistic(lambda given: Said("the largest {name}" if given["of_all"] else "{metric}"))
def quantile(race, *, q=None, after_start=False, of_all=False):
    """A quantile over the records; without q the least and the largest, so that every record is judged.

    Parameters
    ----------
    after_start : bool
        Without the first record.
    of_all : bool
        Of all records of all runs together: "we can even achieve" asks for one.
    """
    shares, first = [0, 1] if q is None else [q], int(after_start)
    values = {run: race.values(run)[first:] for run in race.runs}
    if of_all:
        values = dict.fromkeys(values, np.concatenate(list(values.values())))
    found = {run: [Range.of(np.quantile(own, share)) for share in shares] for run, own in values.items()}
    return Reading(["the least record", "the largest"] if q is None else [f"quantile {q:g}"], found, "linear")


GRID = {
    "above_least": "the distance from the least over {by} of {metric}",
    "least": "the least over {by} of {metric}",
    "lead": "the lead at the largest {by} of {metric}",
    "worst_over_best": "the worst over the best {name} over {by}",
}


@statistic(lambda given: Said(GRID[given["what"]]))
def over_grid(race, *, by, what, at=None):
    """The metric over a grid of a parameter.

    Parameters
    ----------
    by : str
        The column of the parameter.
    what : str
        ``above_least``: the metric where `by` is `at` above the least over the grid, as a share of its range;
        ``least``: the least, none where it lies at an edge, beyond which it may be less; ``lead``: the metric
        at the largest `by` less the largest elsewhere; ``worst_over_best``: the largest at the places `at`
        over the least of all, nothing where all are alike.
    """
    found = {run: [Range.of(_over_grid(race, run, by, what, at))] for run in race.runs}
    return Reading(
        [f"{what.replace('_', ' ')} over {by}"], found, "linear" if what in ("above_least", "lead") else "log"
    )


def _over_grid(race, run, by, what, at):
    frame = race.records(run, race.metric, by)
    values = frame.groupby(by)[race.metric].last()
    grid, y = values.index.to_numpy(float), values.to_numpy(float)
    if what == "lead":
        return y[-1] - y[:-1].max()
    inside = y.argmin() not in (0, len(y) - 1)
    if what == "least":
        if not inside:
            raise Missing(f"least value inside the grid: it is at the edge {by} {grid[y.argmin()]:g}")
        return float(y.min())
    chosen = np.isclose(grid[:, None], np.atleast_1d(np.asarray(at, float)), rtol=1e-9).any(axis=1)
    if what == "worst_over_best":
        if np.ptp(y) <= VISIBLE * np.abs(y).max():
            raise Missing(f"influence of {by} on {race.metric} in {race.panel.name}")
        return y[chosen].max() / y.min()
    place = np.flatnonzero(chosen)
    if not place.size or place[0] in (0, len(grid) - 1):
        raise Missing(f"{by} {at:g} inside the grid {', '.join(f'{g:g}' for g in grid)}")
    return (y[place[0]] - y.min()) / np.ptp(y)


@statistic(lambda given: Said("the share of the seeds that end high in {metric}"))
def frequency(race, *, above_share):
    """Share of the seeds that end above a share of their way from the start to F*, give or take one seed."""
    return Reading(
        ["share of the seeds"], {run: [_often(race, run, above_share)] for run in race.runs}, "linear"
    )


def _often(race, run, share):
    panel = race.panel_of(run)
    high = [
        _high(race.on(panel=panel, seed=seed), Run(run.method), share) for seed in panel.seeds([run.method])
    ]
    return Range(max(np.mean(high) - 1 / len(high), 0.0), min(np.mean(high) + 1 / len(high), 1.0))


def _high(race, run, share):
    values = race.values(run) - race.bottom
    return bool(values[-1] > share * values[0])
