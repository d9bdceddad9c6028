"""One column where another has the same value: at the same objective, at the same rank."""

import numpy as np

from referee.evidence.judging.race import levels_of
from referee.evidence.judging.ranges import ANY, Range
from referee.evidence.panel import Missing
from referee.evidence.statistics.base import Reading, statistic


@statistic(along=True, said="{metric}", when="at equal levels of the {of} ")
def at_level(race, *, of="objective", shares=None):
    """The metric where the run has settled at levels of the metric `of`: between the records around that."""
    course = race.on(metric=of)
    levels = levels_of(course, shares=shares)
    ranges = {run: [_there(race, run, of, level) for level in levels.values()] for run in race.runs}
    return Reading(list(levels), ranges, race.drawn.scale)


def _there(race, run, of, level):
    frame = race.records(run, race.metric, of)
    above = np.flatnonzero(~(frame[of].to_numpy(float) <= level))
    at = above[-1] + 1 if above.size else 0
    if at == len(frame):
        return ANY
    around = frame[race.metric].to_numpy(float)[max(at - 1, 0) : at + 1]
    return Range(float(around.min()), float(around.max()))


@statistic(said="{metric}", when="at equal {by} ")
def at_equal(race, *, by="rank", least=3):
    """The least metric at each value of `by`, from `least` on, that all runs have."""
    best = {}
    for run in race.runs:
        frame = race.records(run, race.metric, by)
        best[run] = frame[frame[by] >= least].groupby(by)[race.metric].min()
    common = sorted(set.intersection(*(set(values.index) for values in best.values())))
    if not common:
        raise Missing(f"{by} of at least {least} that all of them have")
    ranges = {run: [Range.of(values[at]) for at in common] for run, values in best.items()}
    return Reading([f"{by} {at:g}" for at in common], ranges)


@statistic(along=True, said="{metric} over the {of}", when="at the end ")
def end_per(race, *, of):
    """The metric at t_end over the metric `of` there."""
    other = race.on(metric=of)
    ends = {
        run: [Range.of(line.until(race.end).last / other.lines[run].until(race.end).last)]
        for run, line in race.lines.items()
    }
    return Reading([f"per {of}"], ends)
