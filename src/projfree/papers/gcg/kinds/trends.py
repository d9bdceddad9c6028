"""Kinds about two metrics of one run: at the same level, along the run, in their speed-ups, at their peak."""

import numpy as np

from projfree.evidence.kinds.base import Finding, kind
from projfree.evidence.kinds.compare import named, quotient
from projfree.evidence.panel import Missing, flat

from .medians import speedup


@kind
def ratio_at_level(panel, seed, *, a, b, metric, level, by="objective", threshold, axis="cpu_seconds"):
    """Where each first reaches the level of `by`, metric(a) is ≥ threshold · metric(b).

    The level is a share of the way from the least `by` of the panel to its start.
    """
    found = []
    for name in (a, b):
        curve = panel.curve(name, seed, by, excess=True, axis=axis)
        at = curve.first(level * curve.initial)
        if not np.isfinite(at):
            raise Missing(f"{name} at {level:g} of the way within the budget of {panel.name}")
        values = panel.curve(name, seed, metric, axis=axis)
        found.append(float(values.value[np.searchsorted(values.x, at)]))
    ratio = quotient(*found)
    return Finding(ratio >= threshold, {"ratio": ratio, named(a): found[0], named(b): found[1]})


@kind
def rank_correlation(panel, seed, *, method, x, y, threshold):
    """Spearman's ρ of two columns over the records of a run is ≥ threshold."""
    frame = panel.records([method], seed, [x, y])
    if len(frame) < 3:
        raise Missing(f"three records of {method} in {panel.name}")
    from scipy.stats import spearmanr  # takes a second to load, and tidy tables do not need it

    rho = float(spearmanr(frame[x], frame[y]).statistic)
    return Finding(rho >= threshold, {"Spearman ρ": rho, "records": len(frame)})


@kind
def speedups_agree(
    panel, seed, *, a, b, other, metrics, by, levels, others=None, threshold=0.5, axis="cpu_seconds"
):
    """|log S − log S'| of two metrics is ≤ threshold · the same on the panel `other`.

    `metrics, by, levels` are pairs, see `median_speedup`.
    """
    there = panel.evidence.panel(other)
    seeds = there.seeds(flat(a, b))
    here, its = (
        _disagreement(p, s, a, b, metrics, by, levels, others, axis)
        for p, s in ((panel, seed), (there, seed if seed in seeds else seeds[0]))
    )
    return Finding(here <= threshold * its, {"|log S − log S'|": here, f"|log S − log S'|, {other}": its})


def _disagreement(panel, seed, a, b, metrics, by, levels, others, axis):
    given = zip(metrics, by, levels, strict=True)
    ratios = [speedup(panel, seed, a, b, m, how, at, others, axis)[0] for m, how, at in given]
    if not all(np.isfinite(ratio) and ratio > 0 for ratio in ratios):
        raise Missing(f"{named(a)} at the levels of {', '.join(metrics)} within the budget of {panel.name}")
    return abs(float(np.log(ratios[0]) - np.log(ratios[1])))


@kind
def peaks(panel, seed, *, method, metric, threshold):
    """The largest value of the run is ≥ threshold · the last."""
    values = panel.records([method], seed, [metric])[metric].to_numpy(float)
    ratio = quotient(float(values.max()), float(values[-1]))
    return Finding(ratio >= threshold, {"peak / last": ratio, "peak": float(values.max())})
