"""Kinds about when a level is reached, in seconds or oracle calls, and where the time goes."""

import numpy as np

from ..panel import Missing, flat
from .base import Finding, kind
from .compare import named, quotient

UNITS = {"cpu_seconds": "CPU s"}


def unit(axis: str) -> str:
    """Words for what an axis counts."""
    return UNITS.get(axis, axis)


def level_of(level, curve) -> float:
    """A level given as a number or as ``{of_initial: share}`` of a curve's start."""
    if not isinstance(level, dict):
        return float(level)
    if set(level) != {"of_initial"}:
        raise ValueError(f"unknown level {level}; known: a number, or of_initial: share of the start's value")
    return level["of_initial"] * curve.initial


def _words(level):
    return f"{level['of_initial']:g} of the start" if isinstance(level, dict) else f"{level:g}"


@kind
def time_ratio(
    panel,
    seed,
    *,
    a,
    b,
    metric,
    level,
    threshold,
    excess=False,
    axis="cpu_seconds",
    fallback: float | None = None,
):
    """`a` reaches the level, and `b` needs at least threshold times as long (and longer).

    Where no method of the panel reaches the level in its budget and `fallback` is given, the level is
    `fallback` times the best value that any method reached, and the remark says so.
    """
    options = {"excess": excess, "axis": axis}
    curves_a, curves_b = (panel.curves(group, seed, metric, **options) for group in (a, b))
    target, remark = level_of(level, curves_a[0]), ""
    if fallback is not None:
        target, remark = _reachable(panel, seed, metric, options, target, fallback)
    first, second = (min(c.first(target) for c in curves) for curves in (curves_a, curves_b))
    truth = bool(np.isfinite(first) and second > first and second >= threshold * first)
    seen = min(second, max(float(c.x[-1]) for c in curves_b))
    measured = {
        "ratio, at least": seen / first if first else np.nan,
        "level": target,
        f"{unit(axis)} of {named(a)}": first,
        f"{unit(axis)} of {named(b)}": second,
    }
    return Finding(truth, measured, remark)


@kind
def targets(panel, seed, *, a, b, metric, levels, threshold=1.0, excess=False, axis="IFO"):
    """Where both reach a level, T(a) ≤ threshold · T(b); `a` reaches as many levels as `b`, and at least one.

    This of each method in `b`; of several methods in `a`, with the first to be there.
    """
    options = {"excess": excess, "axis": axis}
    curves = panel.curves(a, seed, metric, **options)
    values = [level_of(level, curves[0]) for level in levels]
    own = [min(curve.first(value) for curve in curves) for value in values]
    reached, ratios = {named(a): int(np.isfinite(own).sum())}, {}
    for name in flat(b):
        its = [panel.curve(name, seed, metric, **options).first(value) for value in values]
        reached[name] = int(np.isfinite(its).sum())
        for level, x, y in zip(levels, own, its, strict=True):
            both = np.isfinite(x) and np.isfinite(y)
            ratios[f"{unit(axis)} of {named(a)} / {name} to {_words(level)}"] = (
                quotient(x, y) if both else np.nan
            )
    truth = reached[named(a)] >= max(1, *reached.values()) and not any(r > threshold for r in ratios.values())
    remark = "" if reached[named(a)] else f"{named(a)} reaches none of the levels in {panel.name}."
    return Finding(truth, ratios | {f"levels that {m} reaches": k for m, k in reached.items()}, remark)


def _reachable(panel, seed, metric, options, level, fallback):
    """The level, or a multiple of the best reached if no method reaches it in the budget."""
    ran = [m for m in panel.methods if seed in panel.seeds([m])]
    end = panel.end(ran, seed, options["axis"])
    best = min(panel.curve(m, seed, metric, **options).at(end) for m in ran)
    if best <= level:
        return level, ""
    return (
        fallback * best,
        f"No method reached {level:g} in the budget; the level is {fallback:g} × the best reached.",
    )


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


@kind
def share(panel, seed, *, method, timer, threshold, at_most=False):
    """Share of a method's CPU seconds spent inside one oracle: ≥ threshold, or ≤ with `at_most`."""
    last = panel.records([method], seed, [f"seconds_{timer}", "cpu_seconds"]).iloc[-1]
    if not last["cpu_seconds"] > 0:
        raise Missing(f"CPU time spent by {method} in {panel.name}")
    part = float(last[f"seconds_{timer}"] / last["cpu_seconds"])
    return Finding(part <= threshold if at_most else part >= threshold, {f"share of {timer}": part})
