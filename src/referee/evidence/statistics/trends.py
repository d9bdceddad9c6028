"""Relations between two measured columns: orders of growth and rank correlations."""

import math

import numpy as np
import pandas as pd

from ..judging.race import VISIBLE
from ..judging.ranges import ANY, Range
from ..orders import log_slope
from ..panel import Missing
from .base import Reading, Said, statistic


@statistic(lambda given: Said("the order of {metric} in {against}"), along=lambda given: given["visible"])
def slope(race, *, against, last=None, visible=False):
    """Slope of log metric in log `against` (a column, or ``1/column``) over the largest of it.

    Its range is that of the slopes without each of the records; open where one of them has none.

    Parameters
    ----------
    last : int, optional
        Over so many records at the largest of `against`.
    visible : bool
        Along the axis `against` from the first record after the start to the last at which all runs are
        visibly above 0 (1 % of their start), where their rates still differ; a number, not a range.
    """
    if visible:
        end = min(_seen(line) for line in race.lines.values())
        found = {run: [_order(line.until(end), race)] for run, line in race.lines.items()}
    else:
        found = {run: [slope_of(*_pairs(race, run, against, last))] for run in race.runs}
    return Reading([f"slope in {against}"], found, "linear")


def _seen(line):
    """The last place before the curve falls below what can be seen."""
    merged = np.flatnonzero(line.y <= VISIBLE * line.y[0])
    return float(line.x[max(merged[0] - 1, 0)] if merged.size else line.x[-1])


def _order(line, race):
    moved = line.x > 0
    if moved.sum() < 3:
        raise Missing(f"three records before the curves of {race.panel.name} have merged")
    return Range.of(log_slope(line.x[moved], line.y[moved]))


def _pairs(race, run, against, last):
    column = against.removeprefix("1/")
    frame = race.records(run, race.metric, column)
    y, x = frame[race.metric].to_numpy(float), frame[column].to_numpy(float)
    with np.errstate(divide="ignore"):
        x = x if against == column else 1 / x
    chosen = np.argsort(x, kind="stable")[-last if last else None :]
    return x[chosen], y[chosen]


def slope_of(x, y) -> Range:
    """Least-squares slope on logarithmic axes, as the range that it has without each of its points."""
    whole = log_slope(x, y)
    if math.isnan(whole):
        return ANY
    parts = [log_slope(np.delete(x, k), np.delete(y, k)) for k in range(len(x))] if len(x) > 2 else []
    if any(map(math.isnan, parts)):
        return ANY
    return Range(min([whole, *parts]), max([whole, *parts]))


def _said_rank(given):
    gain = "the rank correlation with the size of the gain in {metric}"
    return Said(gain if given["gain_of"] else "the rank correlation of {metric} with {by}")


@statistic(_said_rank, along=lambda given: bool(given["gain_of"]))
def rank(race, *, by=None, ties=0.0, gain_of=None):
    """Spearman's correlation of the metric with a column; exact, but for `ties` along a curve.

    Parameters
    ----------
    by : str, optional
        The column.
    ties : float
        Values of the metric, and of `by`, within that share of their range are equal: along a curve only what
        differs visibly in both counts.
    gain_of : str, optional
        A method: its gain on the other one, log(value of the other / its value) at the end of their panel's
        budget, against the size, which grows as the runs name panels.
    """
    if gain_of:
        panels = list(dict.fromkeys(run.panel for run in race.runs))
        gains = [_gain(race.on(runs=[run for run in race.runs if run.panel == p]), gain_of) for p in panels]
        found = Range.of(correlation(np.arange(len(panels)), gains, ties))
        return Reading(["rank correlation with the size"], {run: [found] for run in race.runs}, "linear")
    found = {}
    for run in race.runs:
        frame = race.records(run, race.metric, by)
        x, y = frame[by].to_numpy(float), frame[race.metric].to_numpy(float)
        found[run] = [Range.of(correlation(merged(x, ties), y, ties))]
    return Reading([f"rank correlation with {by}"], found, "linear")


def _gain(race, of):
    """Of the two runs of one panel."""
    ends = {run.method == of: line.until(race.end).last for run, line in race.lines.items()}
    return float(np.log(ends[False] / ends[True]))


def correlation(x, y, ties: float) -> float:
    """Spearman's correlation; y's values closer than `ties` of their range are one; NaN for constants."""
    y = merged(np.asarray(y, float), ties)
    ranks = pd.DataFrame({"x": x, "y": y}).rank()  # not scipy.stats, which takes a second to load
    return float(np.corrcoef(ranks.to_numpy().T)[0, 1]) if np.ptp(x) and np.ptp(y) else math.nan


def merged(y, ties):
    """Values with each chain of neighbours within that share of their range made one value."""
    order = np.argsort(y)
    far = np.diff(y[order]) > ties * np.ptp(y)
    found = np.empty(len(y))
    found[order] = np.append(0, np.cumsum(far))
    return found
