"""Kinds about a cheaper method that is to keep up with a dearer one: same rate, earlier there, calls a
step.
"""

import numpy as np

from projfree.evidence.curves import TINY
from projfree.evidence.kinds.base import Finding, kind
from projfree.evidence.kinds.compare import Race, quotient, when
from projfree.evidence.orders import log_slope
from projfree.evidence.panel import Missing


@kind
def same_rate(
    panel,
    seed,
    *,
    a,
    b,
    metric,
    threshold=0.25,
    low=0.8,
    negligible=1e-3,
    slopes=0.2,
    excess=False,
    at=(0.25, 0.5, 1.0),
    axis="iteration",
):
    """`low` · B(b) ≤ B(a) ≤ (1 + threshold) · B(b) at parts of the axis, or both ≤ negligible · the start.

    And the slopes of log B in log of the axis over its middle half differ by at most `slopes` (None: not
    asked; nor where both are negligible there).
    """
    race = Race(panel, seed, (a, b), metric, excess, axis)
    small = negligible * max(curve.initial for curve in race.curves([a, b]))
    measured, truth = {}, True
    for part in reversed(at):
        one, two = race.value(a, part), race.value(b, part)
        ratio = quotient(one, two)
        measured[f"ratio at {when(part)}"] = ratio
        truth = truth and (low <= ratio <= 1 + threshold or max(one, two) <= small)
    if slopes is not None and max(race.value(a, 0.25), race.value(b, 0.25)) > small:
        measured["slope difference"] = _slope(race, a) - _slope(race, b)
        truth = truth and abs(measured["slope difference"]) <= slopes
    return Finding(bool(truth), measured)


def _slope(race, name):
    (curve,) = race.curves(name)
    middle = (curve.x >= race.end / 4) & (curve.x <= 3 * race.end / 4)
    if middle.sum() < 2:
        raise Missing(f"two records of {name} in the middle half of {race.panel.name}")
    return log_slope(curve.x[middle], np.maximum(curve.best[middle], TINY), None)


@kind
def catches_up(
    panel, seed, *, a, b, metric, threshold, slack=1e-3, at=(0.25, 0.5, 1.0), excess=False, axis="cpu_seconds"
):
    """`a` is at what `b` had at parts of `b`'s own run (within slack), and `b` took threshold times as
    long.
    """
    first, second = (panel.curve(name, seed, metric, excess=excess, axis=axis) for name in (a, b))
    steps = panel.curve(b, seed, metric, excess=excess, axis="iteration")
    ratios = {}
    for part in reversed(at):
        level = steps.at(part * steps.x[-1])
        ratios[f"ratio at {when(part)}"] = quotient(
            second.first(level), first.first(level + slack * abs(level))
        )
    return Finding(all(r >= threshold and np.isfinite(r) for r in ratios.values()), ratios)


@kind
def speedups(panel, seed, *, a, b, metric, levels, threshold, excess=False, axis="cpu_seconds", every=True):
    """T(b)/T(a) ≥ threshold at every level (or at one, without `every`) that both reach; at least one.

    Levels are shares of the start's value.
    """
    curves = [panel.curve(name, seed, metric, excess=excess, axis=axis) for name in (a, b)]
    ratios = {}
    for level in levels:
        times = [curve.first(level * curve.initial) for curve in curves]
        if np.isfinite(times).all():
            ratios[f"ratio to {level:g} of the start"] = quotient(times[1], times[0])
    enough = [ratio >= threshold for ratio in ratios.values()]
    remark = "" if ratios else f"No level that both {a} and {b} reach in {panel.name}."
    return Finding(bool(enough) and (all if every else any)(enough), ratios or {"levels reached": 0}, remark)


@kind
def per_step(panel, seed, *, method, count, threshold):
    """A count at the last record is at most threshold a step."""
    last = panel.records([method], seed, [count]).iloc[-1]
    if not last["iteration"] > 0:
        raise Missing(f"a step of {method} in {panel.name}")
    ratio = float(last[count] / last["iteration"])
    return Finding(ratio <= threshold, {f"{count} a step": ratio})


@kind
def excess_reaches(panel, seed, *, method, metric, threshold):
    """The last excess over the panel's best is at most threshold · that of the start."""
    curve = panel.curve(method, seed, metric, excess=True, axis="iteration")
    ratio = quotient(curve.final, curve.initial)
    return Finding(bool(ratio <= threshold), {"excess / at the start": ratio})


@kind
def relative_bound(panel, seed, *, methods, metric, to, threshold):
    """In every record |metric| ≤ threshold · |to|."""
    frame = panel.records(methods, seed, [metric, to])
    ratio = float((frame[metric].abs() / frame[to].abs()).max())
    return Finding(ratio <= threshold, {"largest ratio": ratio, "records": len(frame)})
