"""How many times as long as another method a run takes, each pair on its own panel."""

import math

from referee.evidence.judging.operands import Run
from referee.evidence.judging.ranges import Range, difference, log, median
from referee.evidence.statistics.base import Reading, statistic
from referee.evidence.statistics.times import time_to

from .near_best import time_near


@statistic(along=True, said="the slowdown in {metric}")
def slowdown(race, *, against):
    """Time of a run to settle at levels over that of `against` in its panel: the median over the levels."""
    return _reading("times as long", {run: _slowdown(race, run, against, time_to) for run in race.runs})


@statistic(along=True, said="the difference between the slowdowns in {metric} and the {other}")
def discord(race, *, against, other, of, by):
    """By what factor the slowdown in the metric differs from that in the metric `other`, as |log|.

    Levels of `other` are those of `time_near`.
    """

    def between(run):
        own = _slowdown(race, run, against, time_to)
        far = _slowdown(race.on(metric=other), run, against, lambda pair: time_near(pair, of=of, by=by))
        return _size(difference(own, far))

    return Reading(["|log| between them"], {run: [between(run)] for run in race.runs})


def _slowdown(race, run, against, times):
    """Log of it, as a range."""
    panel, rival = race.panel_of(run), Run(against)
    found = times(race.on(panel=panel, runs=[Run(run.method), rival])).ranges
    pairs = zip(found[rival], found[Run(run.method)], strict=True)
    return median([difference(x.mapped(log), y.mapped(log)) for x, y in pairs])


def _reading(words, logs):
    return Reading([words], {run: [r.mapped(_exp)] for run, r in logs.items()})


def _exp(value):
    return math.exp(min(value, 700)) if value < math.inf else math.inf


def _size(r):
    """All that |x| may be for x in a range."""
    low = 0.0 if r.low <= 0 <= r.high else min(abs(r.low), abs(r.high))
    return Range(low, max(abs(r.low), abs(r.high)))
