"""Times of a method that has to arrive within the budget, or else misses."""

import math

from referee.evidence.judging.race import levels_of
from referee.evidence.judging.ranges import Range
from referee.evidence.statistics.base import Reading, statistic
from referee.evidence.statistics.times import SAME, settled


@statistic(along=True, to="reach {target}")
def time_or_miss(race, *, misses, shares):
    """Times to settle at levels; ∞ where the method `misses` has not by t_end, t_end at most for the others.

    For "is too slow": it misses the level, or needs a multiple of the other's time, which may miss it too.
    """
    levels = levels_of(race, shares=shares, common=False)
    lines = {run: line.until(race.end) for run, line in race.lines.items()}
    times = {
        run: [_bounded(settled(line, level), run.method == misses, race.end) for level in levels.values()]
        for run, line in lines.items()
    }
    return Reading(list(levels), times, visible=SAME)


def _bounded(time, late, end):
    if time.high < math.inf:
        return time
    return Range(math.inf, math.inf) if late else Range(min(time.low, end), end)
