"""Kinds about when a level is reached, in seconds or oracle calls, and where the time goes."""

import numpy as np

from ..panel import Missing
from .base import Finding, kind
from .compare import named

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
def share(panel, seed, *, method, timer, threshold, at_most=False):
    """Share of a method's CPU seconds inside one oracle, or one phase with its oracles: ≥ threshold, or ≤."""
    last = panel.records([method], seed, [f"seconds_{timer}", "cpu_seconds"]).iloc[-1]
    inside = [name for name in last.index if name.endswith(f"_in_{timer}")]
    if not last["cpu_seconds"] > 0:
        raise Missing(f"CPU time spent by {method} in {panel.name}")
    part = float(last[[f"seconds_{timer}", *inside]].sum() / last["cpu_seconds"])
    return Finding(part <= threshold if at_most else part >= threshold, {f"share of {timer}": part})
