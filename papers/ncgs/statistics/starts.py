"""Values against the start."""

from referee.evidence.judging.ranges import Range
from referee.evidence.statistics.base import Reading, statistic


@statistic(said="the remaining share of {metric}")
def of_start(race):
    """The last value as a share of that of record 0."""
    values = {run: race.values(run) for run in race.runs}
    ranges = {run: [Range.of(found[-1] / found[0])] for run, found in values.items()}
    return Reading(["share of the start"], ranges)
