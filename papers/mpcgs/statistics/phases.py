"""Calls to a level, of methods that are looked at phase by phase."""

import math

from referee.evidence.judging.ranges import Range
from referee.evidence.statistics.base import Reading, statistic


@statistic(said="{metric}")
def calls_to_level(race, *, by):
    """Calls until a level is reached: between the phases before and after; at least all, if it never is.

    `by` is the column of calls so far; the metric is that of the calls at which the probe saw the level
    reached, above `by` until then.
    """
    ranges = {run: [_reached(race.records(run, race.metric, by), race.metric, by)] for run in race.runs}
    return Reading(["calls to the level"], ranges)


def _reached(phases, metric, by):
    calls, level = phases[by].to_numpy(float), float(phases[metric].iloc[-1])
    if level > calls[-1]:
        return Range(float(calls[-1]), math.inf)
    return Range(float(calls[calls < level].max(initial=0.0)), level)
