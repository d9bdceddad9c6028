"""Kinds about costs to a level: the slowest of all, and costs that do not fall along methods."""

import numpy as np

from projfree.evidence.kinds.base import Finding, kind
from projfree.evidence.kinds.times import level_of, unit
from projfree.evidence.panel import flat


@kind
def slowest(panel, seed, *, method, others, metric, threshold=2.0, excess=False, level, axis="cpu_seconds"):
    """`method` has the largest B at the end, and needs ≥ threshold × the others' median time to the level."""
    end = panel.end(flat(method, others), seed, axis)
    own = panel.curve(method, seed, metric, excess=excess, axis=axis)
    rest = panel.curves(others, seed, metric, excess=excess, axis=axis)
    target = level_of(level, own)
    time, median = own.first(target), float(np.median([curve.first(target) for curve in rest]))
    largest = own.at(end) > max(curve.at(end) for curve in rest)
    measured = {
        "value / worst of the others": own.at(end) / max(curve.at(end) for curve in rest),
        f"{unit(axis)} to level": time,
        f"{unit(axis)} to level, median of the others": median,
    }
    return Finding(bool(largest and np.isfinite(median) and time >= threshold * median), measured)


@kind
def monotone(
    panel, seed, *, methods, metric, level, threshold=0.1, excess=False, axis="LO", reached_only=False
):
    """The cost to a level does not fall along `methods`: Spearman's ρ ≥ 1 − threshold.

    A method that never reaches the level costs ∞; with `reached_only` it is left out instead.
    """
    costs = {m: panel.curve(m, seed, metric, excess=excess, axis=axis).first(level) for m in methods}
    kept = [cost for cost in costs.values() if np.isfinite(cost) or not reached_only]
    rho = _rho(kept)
    return Finding(
        bool(rho >= 1 - threshold),
        {"Spearman ρ": rho} | {f"{unit(axis)} of {m}": c for m, c in costs.items()},
    )


def _rho(costs):
    """Spearman's ρ with the position; all equal is non-decreasing, fewer than two finite show nothing."""
    if np.isfinite(costs).sum() < 2:
        return np.nan
    if len(set(costs)) == 1:
        return 1.0
    ranks = np.nan_to_num(costs, posinf=np.finfo(float).max)
    from scipy.stats import spearmanr  # takes a second to load, and tidy tables do not need it

    return float(spearmanr(range(len(costs)), ranks).statistic)
