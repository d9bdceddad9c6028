"""Kinds about orders of growth: slopes on double logarithmic axes against what a theorem states."""

import numpy as np

from ..orders import cost_order, log_slope
from .base import Finding, kind


@kind
def slope(panel, seed, *, method, x, y, order, threshold, last: int | None = None, two_sided=False):
    """Slope of log y in log x over the last records ≤ order + threshold; `two_sided`: and ≥ order − it."""
    frame = panel.records([method], seed, [x, y]).sort_values(x, kind="stable")
    measured = log_slope(frame[x].to_numpy(float), frame[y].to_numpy(float), last)
    kept = measured <= order + threshold and (not two_sided or measured >= order - threshold)
    return Finding(bool(kept), {"slope": measured, "stated": order})


@kind
def rate(panel, seed, *, method, cost, criterion, order, threshold=0.25, last=3):
    """Order of cost in 1/ε over the last records ≤ order + threshold: orders are upper bounds."""
    frame = panel.records([method], seed, [cost, criterion]).sort_values("iteration", kind="stable")
    measured = cost_order(frame[criterion].to_numpy(float), frame[cost].to_numpy(float), last)
    return Finding(bool(np.less_equal(measured, order + threshold)), {"order": measured, "stated": order})
