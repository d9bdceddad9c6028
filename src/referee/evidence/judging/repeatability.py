"""How far the same run lies from itself: a machine that does not repeat its seconds cannot judge by them."""

import math

from ..panel import Missing, Outside
from ..statistics.base import Reading

REPETITIONS = 3
#: What a cell over seconds says where this is not known.
UNKNOWN = "seconds that were not measured repeatedly"


def spread(readings: list[Reading]) -> float:
    """log r: the largest over the smallest number among the repetitions, of the worst run and entry.

    Parameters
    ----------
    readings : list of Reading
        The same statistic of the same seed, one a repetition.
    """
    worst = 0.0
    for run in readings[0].ranges:
        for entries in zip(*(reading.ranges[run] for reading in readings), strict=False):
            known = [r.middle for r in entries if 0 < r.middle < math.inf]
            worst = max(worst, math.log(max(known) / min(known)) if known else 0.0)
    return worst


def repeatability(race, read) -> float | None:
    """log r of a race's statistic in its panels; None if the runs were not repeated often enough.

    Of panels that an alternative runs but once the main run's repetitions tell it, by the same statistic.

    Parameters
    ----------
    race : Race
    read : callable
        Race → Reading.
    """
    found, main = _measured(race, read), race.panel.evidence.main
    if found is not None or main is None:
        return found
    try:
        return _measured(race.on(panel=main.panel(race.panel.name)), read)
    except Missing:
        return None


def _measured(race, read):
    numbers = sorted(set.intersection(*(_numbers(race.panel_of(run), run.method) for run in race.runs)))
    if len(numbers) < REPETITIONS:
        return None
    again = [_again(race, number) for number in numbers]
    seeds = set.intersection(*(set(again[-1].panel_of(run).seeds([run.method])) for run in race.runs))
    return _spread([each.on(seed=min(seeds)) for each in again], race.runs, read) if seeds else None


def _spread(again, runs, read):
    """The spread of those runs that the sentence speaks of in the seed that was repeated; None of none."""
    try:
        return spread([read(race.on(runs=runs)) for race in again])
    except Outside:
        found = [_spread(again, [run], read) for run in runs] if len(runs) > 1 else []
        return max((each for each in found if each is not None), default=None)


def _numbers(panel, method):
    """Repetitions in which a method was run."""
    return {number for number, methods in panel.repeated.items() if method in methods}


def _again(race, number):
    """The race between the runs of one repetition."""
    names = [race.panel.name, *(run.panel for run in race.runs if run.panel)]
    return race.on(panel=race.panel.evidence.repetition(number, names).panel(race.panel.name))
