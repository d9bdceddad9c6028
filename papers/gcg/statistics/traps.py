"""Runs that stay where they begin, and ends of those that do not."""

import numpy as np

from referee.evidence.judging.operands import Run
from referee.evidence.judging.ranges import Range
from referee.evidence.panel import Missing, Outside
from referee.evidence.statistics.base import Reading, statistic


@statistic(along=True, said="{metric}", when="where it escapes, at the end ")
def escaped_end(race, *, least=False):
    """The value at t_end (or the least) of runs that left rank 0: the others never began."""
    ends = {run: [Range.of(_escaped(race, run, least))] for run in race.runs}
    return Reading(["the end"], ends, race.drawn.scale, race.drawn.visible)


def _escaped(race, run, least):
    if not race.on(metric="rank").values(run)[-1] > 0:
        raise Outside(f"dictionary of {run.method} that leaves H = 0")
    return _end(race.lines[run].until(race.end), least)


@statistic(said="the share of the seeds that end high in {metric}")
def share_ending_high(race, *, share=0.05):
    """Share of the seeds that end above a share of their way from the start to F*, give or take one seed."""
    return Reading(["share of the seeds"], {run: [_share(race, run, share)] for run in race.runs}, "linear")


def _share(race, run, share):
    panel = race.panel_of(run)
    high = [
        _high(race.on(panel=panel, seed=seed), Run(run.method), share) for seed in panel.seeds([run.method])
    ]
    return Range(max(np.mean(high) - 1 / len(high), 0.0), min(np.mean(high) + 1 / len(high), 1.0))


def _high(race, run, share):
    values = race.values(run) - race.bottom
    return bool(values[-1] > share * values[0])


@statistic(along=True, said="the settled {name}")
def settled_end(race, *, since=0.75, within=0.02, least=False):
    """The value at t_end of runs that fell by at most `within` since a part of the budget.

    With `least` the least value until then: that of a run which falls on is not known either, that of one
    which rises away from it is.
    """
    found = {run: [Range.of(_settled(race, run, since, within, least))] for run in race.runs}
    return Reading(["the least" if least else "the end"], found, race.drawn.scale, race.drawn.visible)


def _settled(race, run, since, within, least):
    end = race.panel_of(run).end([run.method], race.seed, race.axis)
    line = race.lines[run].until(end)
    then = line.until(since * end).last
    if line.last < (1 - within) * then:
        raise Missing(f"settled run of {run.method}: it fell by {1 - line.last / then:.1%} at last")
    return _end(line, least)


def _end(line, least):
    return float(line.y.min() if least else line.last)
