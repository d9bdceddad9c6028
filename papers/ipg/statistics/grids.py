"""Statistics of many records that are no curve: calls a pass, and records over a grid of parameters."""

import numpy as np

from referee.evidence.judging.race import VISIBLE
from referee.evidence.judging.ranges import Range
from referee.evidence.panel import Missing
from referee.evidence.statistics.base import Reading, statistic


@statistic(said="the number of {name} a pass")
def calls_a_pass(race):
    """Calls (the metric: ``PO``) a pass, over the whole run."""
    found = {}
    for run in race.runs:
        last = race.records(run, race.metric, "iteration").iloc[-1]
        if not last["iteration"] > 0:
            raise Missing(f"a pass of {run.method} in {race.panel.name}")
        found[run] = [Range.of(last[race.metric] / last["iteration"])]
    return Reading(["calls a pass"], found)


@statistic(said="the largest {name}")
def largest(race):
    """The largest of all records of all runs: "we can even achieve" asks for one."""
    top = Range.of(max(race.values(run).max() for run in race.runs))
    return Reading(["the largest"], dict.fromkeys(race.runs, [top]))


@statistic(said="the worst over the best {name}")
def worst_over_best(race):
    """The largest of the records chosen by ``where`` over the least of all; nothing where all are alike."""
    whole = race.on(where={})
    found = {run: [Range.of(_over_best(race, run, whole.values(run)))] for run in race.runs}
    return Reading(["worst over best"], found)


def _over_best(race, run, values):
    if np.ptp(values) <= VISIBLE * np.abs(values).max():
        raise Missing(f"influence of {', '.join(race.where)} on {race.metric} in {race.panel.name}")
    return race.values(run).max() / values.min()
