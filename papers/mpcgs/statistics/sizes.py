"""Whether one method gains on another as the instances grow."""

import numpy as np

from referee.evidence.judging.ranges import Range
from referee.evidence.statistics.base import Reading, statistic
from referee.evidence.statistics.trends import correlation


@statistic(along=True, said="the rank correlation with the size of the gain in {metric}")
def gain_rank(race, *, of, ties=0.01):
    """Spearman's correlation of the gain of method `of` with the size, which grows as the runs name panels.

    The gain is log(value of the other method / value of `of`), both at the end of their panel's budget;
    gains that differ by less than `ties` of their range count as equal.
    """
    panels = list(dict.fromkeys(run.panel for run in race.runs))
    gains = [_gain(race.on(runs=[run for run in race.runs if run.panel == p]), of) for p in panels]
    rank = Range.of(correlation(np.arange(len(panels)), gains, ties))
    return Reading(["rank correlation with the size"], {run: [rank] for run in race.runs}, "linear")


def _gain(race, of):
    """Of the two runs of one panel."""
    ends = {run.method == of: line.until(race.end).last for run, line in race.lines.items()}
    return float(np.log(ends[False] / ends[True]))
