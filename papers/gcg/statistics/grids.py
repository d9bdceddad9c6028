"""The least value over a grid: at one place of it, and only if the grid goes on beyond."""

import numpy as np

from referee.evidence.judging.ranges import Range
from referee.evidence.panel import Missing
from referee.evidence.statistics.base import Reading, statistic


@statistic(said="the distance from the least over {by} of {metric}")
def above_least(race, *, by, at):
    """The metric where `by` is `at` above the least over all `by`, as a share of its range."""
    found = {run: [Range.of(_above(*_grid(race, run, by), at, by))] for run in race.runs}
    return Reading([f"{by} {at:g}"], found, "linear")


def _above(grid, values, at, by):
    place = np.flatnonzero(np.isclose(grid, at))
    if not place.size or place[0] in (0, len(grid) - 1):
        raise Missing(f"{by} {at:g} inside the grid {', '.join(f'{g:g}' for g in grid)}")
    return (values[place[0]] - values.min()) / np.ptp(values)


@statistic(said="the least over {by} of {metric}")
def least_inside(race, *, by):
    """The least metric over a grid of `by`; none where it lies at an edge, beyond which it may be less."""
    return Reading(["the least"], {run: [Range.of(_least(*_grid(race, run, by), by))] for run in race.runs})


def _least(grid, values, by):
    if values.argmin() in (0, len(grid) - 1):
        raise Missing(f"least value inside the grid: it is at the edge {by} {grid[values.argmin()]:g}")
    return float(values.min())


@statistic(said="the lead at the largest {by} of {metric}")
def lead_of_largest(race, *, by):
    """The metric at the largest `by` less the largest elsewhere."""
    found = {run: _grid(race, run, by)[1] for run in race.runs}
    lead = {run: [Range.of(values[-1] - values[:-1].max())] for run, values in found.items()}
    return Reading([f"lead of the largest {by}"], lead, "linear")


def _grid(race, run, by):
    """The grid in order, and the last value of the metric at each of its points."""
    frame = race.records(run, race.metric, by).groupby(by)[race.metric].last()
    return frame.index.to_numpy(float), frame.to_numpy(float)
