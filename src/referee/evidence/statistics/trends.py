"""How a measured column goes with another: orders of growth, and rank correlations."""

import math

import numpy as np
import pandas as pd

from ..judging.ranges import ANY, Range
from ..orders import log_slope
from .base import Reading, statistic


@statistic(said="the order of {metric} in {against}")
def slope(race, *, against, last=None):
    """Slope of log metric in log `against` (a column, or ``1/column``) over the largest of it.

    Its range is that of the slopes without each of the records; open where one of them has none.
    """
    found = {run: [slope_of(*_pairs(race, run, against, last))] for run in race.runs}
    return Reading([f"slope in {against}"], found, "linear")


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


@statistic(said="the rank correlation of {metric} with {by}")
def rank(race, *, by, ties=0.01):
    """Spearman's correlation of the metric with a column; values within `ties` of their range are equal."""
    found = {}
    for run in race.runs:
        frame = race.records(run, race.metric, by)
        found[run] = [
            Range.of(correlation(frame[by].to_numpy(float), frame[race.metric].to_numpy(float), ties))
        ]
    return Reading([f"rank correlation with {by}"], found, "linear")


def correlation(x, y, ties: float) -> float:
    """Spearman's correlation; y's values closer than `ties` of their range are one; NaN for constants."""
    y = _merged(np.asarray(y, float), ties)
    ranks = pd.DataFrame({"x": x, "y": y}).rank()  # not scipy.stats, which takes a second to load
    return float(np.corrcoef(ranks.to_numpy().T)[0, 1]) if np.ptp(x) and np.ptp(y) else math.nan


def _merged(y, ties):
    """Values with each chain of neighbours that differ by less than the resolution made one value."""
    order = np.argsort(y)
    far = np.diff(y[order]) > ties * np.ptp(y)
    merged = np.empty_like(y)
    merged[order] = np.append(0, np.cumsum(far))
    return merged
