"""Shapes of one descent: steep at first, flat at last, leaving a plateau, low at once; and its peak."""

import math

import numpy as np

from referee.evidence.judging.race import levels_of
from referee.evidence.judging.ranges import Range
from referee.evidence.panel import Missing
from referee.evidence.statistics.base import Reading, statistic
from referee.evidence.statistics.times import settled


def _of_each(race, words, number):
    return Reading([words], {run: [Range.of(number(run))] for run in race.runs}, "linear")


@statistic(along=True, said="the first over the last fall of {metric}")
def steepness(race, *, parts=3, share=0.01):
    """The fall over the first of equal parts of the way to a level over that in the last of them.

    The way ends where the run has settled at that share of its start: what is still falling has no last part.
    """

    def number(run):
        line, (level,) = race.lines[run], levels_of(race, shares=[share], common=False).values()
        end = settled(line, level).high
        if end == math.inf:
            raise Missing(f"settled run of {run.method}: it is still falling")
        first, last = (
            _at(line, end * x) - _at(line, end * y) for x, y in [(0, 1 / parts), (1 - 1 / parts, 1)]
        )
        return first / last if last > 0 else math.inf

    return _of_each(race, "first part / last part", number)


@statistic(along=True, said="the late fall of {metric}")
def late_fall(race, *, since=0.5):
    """By what share of its value a run falls from a part of the budget to its end."""

    def number(run):
        then, last = (_at(race.lines[run], x * race.end) for x in (since, 1))
        return 1 - last / then

    return _of_each(race, "fall", number)


@statistic(along=True, said="the largest fall after a plateau of {metric}")
def fall_after_plateau(race, *, flat=1e-3):
    """The largest fall after an x over whose latter half, [x/2, x], the fall was at most `flat`; relative."""

    def number(run):
        line = race.lines[run].until(race.end)
        later = [
            1 - line.last / y for x, y in zip(line.x[1:], line.y[1:], strict=True) if _flat(line, x, flat)
        ]
        return max(later, default=0.0)

    return _of_each(race, "fall after a plateau", number)


def _flat(line, x, flat):
    then = _at(line, x)
    return _at(line, x / 2) - then <= flat * then


@statistic(said="what record {record} leaves of {metric}")
def left_after(race, *, record):
    """What a record leaves of the way from the run's start to the least value known of the instance."""

    def number(run):
        values = race.values(run) - race.bottom
        return values[_index(values, record)] / values[0]

    return _of_each(race, "share left", number)


@statistic(said="record {record} over the later least of {metric}")
def over_later_least(race, *, record):
    """A record's value over the least value from there on."""

    def number(run):
        values = race.values(run)
        at = _index(values, record)
        return values[at] / values[at:].min()

    return _of_each(race, "over the later least", number)


def _index(values, record):
    if record >= len(values):
        raise Missing(f"record {record}")
    return record


@statistic(said="the peak over the last value of {metric}")
def peak_over_last(race):
    """The largest value of a run over its last."""

    def number(run):
        values = race.values(run)
        return values.max() / values[-1] if values[-1] else math.inf

    return _of_each(race, "peak / last", number)


@statistic(said="{metric}", when="after the start ")
def later(race):
    """All records after the start: the least and the largest."""
    ends = {run: [Range.of(end(race.values(run)[1:])) for end in (np.min, np.max)] for run in race.runs}
    return Reading(["the least record after the start", "the largest"], ends, "linear")


def _at(line, x):
    """The value that holds at x."""
    return float(line.y[max(int(np.searchsorted(line.x, x, side="right")) - 1, 0)])
