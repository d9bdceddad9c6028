"""Levels that methods reach, and at what cost."""

import numpy as np

from projfree.evidence.kinds.base import Finding, kind
from projfree.evidence.kinds.compare import named, quotient
from projfree.evidence.kinds.times import level_of, unit
from projfree.evidence.panel import flat


def _words(level):
    return f"{level['of_initial']:g} of the start" if isinstance(level, dict) else f"{level:g}"


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
