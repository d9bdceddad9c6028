"""Errors that rise again, and only of runs that have gone far enough to say so."""

import numpy as np

from referee.evidence.judging.operands import Run
from referee.evidence.judging.race import VISIBLE
from referee.evidence.judging.ranges import Range
from referee.evidence.panel import NotReached
from referee.evidence.statistics.base import Reading, statistic


@statistic(said="the rebound of {metric}")
def rebound(race, *, falling=None, gate=None):
    """The last value over the least; 1 where that is the first or the last, or the rise cannot be seen.

    Parameters
    ----------
    falling : str, optional
        A metric that must not rise from the least value to the end, or the rebound is none.
    gate : dict, optional
        ``{metric, below}``, with ``below`` a number or ``{panel, method, metric, where, towards}``, the value
        there of the same seed, or the middle between it and that of another metric: a run says something only
        once its metric has got below, whether it rose or not.

    Notes
    -----
    A rise is visible from 1 % of the way from the start to the least value: after a fall from 5·10⁴ a jitter
    between 0.005 and 0.03 is none.
    """
    ratios = {run: [Range.of(_ratio(race, run, falling, gate))] for run in race.runs}
    return Reading(["last / least"], ratios, "linear")


def _ratio(race, run, falling, gate):
    if gate:
        _pass(race, run, **gate)
    values = race.values(run)
    at = int(np.argmin(values))
    rise, way = values[-1] - values[at], values[0] - values[at]
    seen = 0 < at < len(values) - 1 and rise > VISIBLE * way and _falls(race, run, falling, at)
    return float(values[-1] / values[at]) if seen else 1.0


def _falls(race, run, falling, at):
    if falling is None:
        return True
    course = race.records(run, race.metric, falling)[falling].to_numpy(float)
    return course[-1] <= course[at]


def _pass(race, run, metric, below):
    limit = below if not isinstance(below, dict) else _elsewhere(race, **below)
    reached = race.on(metric=metric).values(run).min()
    if not reached < limit:
        raise NotReached(f"{metric} of {run.method} below {limit:.6g}: it got to {reached:.6g}")


def _elsewhere(race, panel, method, metric, where, towards=None):
    """A number that another panel of the same instances has, or the middle between two of them."""
    run = Run(method, panel)
    metrics = [metric] if towards is None else [metric, towards]
    return float(np.mean([race.on(runs=[run], metric=m, where=where).values(run)[-1] for m in metrics]))
