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
    panels = [race.panel_of(run) for run in race.runs]
    numbers = range(min(len(panel.repetitions) for panel in panels))
    if len(numbers) < REPETITIONS:
        return None
    last = [panel.repetition(numbers[-1]) for panel in panels]
    pairs = zip(last, race.runs, strict=True)
    seed = min(set.intersection(*(set(panel.seeds([run.method])) for panel, run in pairs)))
    return spread([read(race.on(repetition=k, seed=seed)) for k in numbers])
