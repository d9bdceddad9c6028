"""How far the same run lies from itself: a machine that does not repeat its seconds cannot judge by them."""

import math

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
    """log r of a race's statistic in its panel; None where the runs were not repeated often enough.

    Parameters
    ----------
    race : Race
    read : callable
        Race → Reading.
    """
    panel = race.panel
    numbers = sorted(panel.repetitions)
    if len(numbers) < REPETITIONS or any(run.panel for run in race.runs):
        return None
    repeated = panel.repetition(numbers[-1])
    seeds = [seed for seed in repeated.seeds([run.method for run in race.runs])]
    return spread([read(race.on(panel=panel.repetition(k), seed=seeds[0])) for k in numbers])
