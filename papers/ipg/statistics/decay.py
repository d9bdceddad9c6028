"""How a curve decays: its order while it can be seen, and what is left of its start at the end."""

import numpy as np

from referee.evidence.judging.race import VISIBLE
from referee.evidence.judging.ranges import Range
from referee.evidence.orders import log_slope
from referee.evidence.panel import Missing
from referee.evidence.statistics.base import Reading, statistic


@statistic(along=True, said="the order of decay of {metric}")
def order_of_decay(race):
    """Order r of metric ~ axis^(−r) while all runs are visibly above 0, where their rates still differ.

    From the first record after the start to the last at which each is above 1 % of its start.
    """
    end = min(_seen(line) for line in race.lines.values())
    ranges = {run: [_order(line.until(end), race)] for run, line in race.lines.items()}
    return Reading(["the order"], ranges, "linear")


def _seen(line):
    """The last place before the curve falls below what can be seen."""
    merged = np.flatnonzero(line.y <= VISIBLE * line.y[0])
    return float(line.x[max(merged[0] - 1, 0)] if merged.size else line.x[-1])


def _order(line, race):
    moved = line.x > 0
    if moved.sum() < 3:
        raise Missing(f"three records before the curves of {race.panel.name} have merged")
    return Range.of(-log_slope(line.x[moved], line.y[moved]))


@statistic(said="the remaining share of {metric}")
def remaining_share(race):
    """The last value over the first."""
    values = {run: race.values(run) for run in race.runs}
    found = {run: [Range.of(y[-1] / y[0])] for run, y in values.items()}
    return Reading(["what remains"], found, "linear")
