"""Times to a level that need not be reached, and the median time of several methods."""

from referee.evidence.judging.operands import operand, runs_of
from referee.evidence.judging.ranges import median
from referee.evidence.statistics.base import statistic
from referee.evidence.statistics.times import time_to


@statistic(along=True, to="reach {target}")
def time_to_either(race, *, level, fallback):
    """What it takes to settle at `level`; where none of the compared runs ends there, at `fallback` times
    the best of their ends.
    """
    best = min(line.until(race.end).last for line in race.lines.values())
    return time_to(race, level=level if best <= level else fallback * best)


@statistic(along=True, to="reach {target}")
def median_time(race, *, of):
    """What it takes to settle at levels, where each method `of` a list counts as the median of them all."""
    found = time_to(race)
    several = [operand(name) for name in of]
    middle = [median(times) for times in zip(*(o.entries(found.ranges) for o in several), strict=True)]
    return found._replace(ranges=found.ranges | dict.fromkeys(runs_of(several), middle))
