"""How near a run is to the best that some methods reached: times to there, and how far it ends from it."""

import numpy as np

from referee.evidence.judging.operands import Run
from referee.evidence.judging.ranges import Range
from referee.evidence.panel import flat
from referee.evidence.statistics.base import Reading, statistic
from referee.evidence.statistics.times import SAME, passed, settled


@statistic(along=True, to="come near the best {name}")
def time_near(race, *, of, by, points=False, first=False):
    """What it takes on the axis to settle near the least value that any of the methods `of` reached.

    Near is `by` more, a share of it or (`points`) so many units; with `first` the first passage counts.
    """
    least, when = _least(race, of), passed if first else settled
    levels = [least + q if points else least * (1 + q) for q in (by if isinstance(by, list) else [by])]
    times = {
        run: [when(line.until(race.end), level, race.end) for level in levels]
        for run, line in race.lines.items()
    }
    return Reading([f"{level:.4g}" for level in levels], times, visible=SAME)


@statistic(said="the distance from the best {name}")
def short_of_best(race, *, of):
    """The last value (the least, with `best`) above the least that any of `of` reached; at least 0."""
    least = _least(race, of)
    last = {run: race.values(run)[1:].min() if race.best else race.values(run)[-1] for run in race.runs}
    short = {run: [Range.of(max(value - least, 0.0))] for run, value in last.items()}
    return Reading(["above the best"], short, "linear")


def _least(race, of):
    """Of those methods that ran this seed, after their start."""
    runs = [Run(name) for name in race.panel.ran(race.seed, flat(of))]
    return min(float(np.min(race.values(run)[1:])) for run in runs)
