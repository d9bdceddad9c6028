"""How much of its start a curve has left at the end."""

from referee.evidence.judging.ranges import Range
from referee.evidence.statistics.base import Reading, statistic


@statistic(along=True, said="the remaining share of {metric}", when="at the end ")
def share_of_start(race):
    """The value at t_end over that of record 0, of each run by itself."""
    ranges = {run: [Range.of(line.until(race.end).last / line.y[0])] for run, line in race.lines.items()}
    return Reading(["the end over the start"], ranges)
