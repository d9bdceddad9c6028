"""Orders of growth: the slope of log y over log x, and how sure it is."""

import math

import numpy as np

from ..evidence.orders import log_slope
from .evidence import NotRun, Panel
from .findings import Finding
from .measures import about_panel, absent, means

#: Room that a measured order has above a stated one, which is an upper bound.
MARGIN = 0.25


def slopes(panel: Panel, method: str, y: str, x: str, last=None, pooled=False, inverse=False) -> list[tuple]:
    """(seed, least, largest) slope of log y over log x, or over log 1/x if `inverse`.

    Least and largest are those without each of the points. `last`: over so many points at the largest x.
    `pooled`: of the means over seeds.
    """
    rows, ends = panel.rows(method), []
    for name in (y, x):
        if name not in rows:
            raise NotRun(f"nothing recorded {name}")
    rows = means(rows) if pooled else rows[rows["repetition"] == 0]
    for seed, run in rows.dropna(subset=[y, x]).groupby("seed"):
        with np.errstate(divide="ignore"):
            at = (1 / run[x] if inverse else run[x]).to_numpy(float)
        chosen = np.argsort(at, kind="stable")[-last if last else None :]
        at, height = at[chosen], run[y].to_numpy(float)[chosen]
        each = (
            [log_slope(np.delete(at, k), np.delete(height, k)) for k in range(len(at))] if len(at) > 2 else []
        )
        each = [log_slope(at, height), *each]
        known = not any(map(math.isnan, each))
        ends.append((None if pooled else seed, *((min(each), max(each)) if known else (-np.inf, np.inf))))
    return ends


def order_at_most(
    panel: Panel, method: str, y: str, x: str, bound: float, *, margin: float = MARGIN, **how
) -> list[Finding]:
    """The line of y over x, on logarithmic axes, is no steeper than `bound`, plus `margin`. `how`: see
    `slopes`.
    """
    what = f"order of {y} of {method} at most {bound:.4g}"
    return _ordered(panel, (method,), y, x, what, bound + margin, lambda s: s, _most(bound + margin), how)


def order_at_least(panel: Panel, method: str, y: str, x: str, bound: float, **how) -> list[Finding]:
    """The line of y over x, on logarithmic axes, is at least as steep as `bound`."""
    what = f"order of {y} of {method} at least {bound:.4g}"
    least = _most(-bound)
    return _ordered(
        panel, (method,), y, x, what, bound, lambda s: s, lambda low, high: least(-high, -low), how
    )


def order_lower(panel: Panel, a: str, b: str, y: str, x: str, **how) -> list[Finding]:
    """On logarithmic axes the line of a is less steep than that of b. ``low``, ``high``: a's order over
    b's.
    """
    return _ordered(
        panel, (a, b), y, x, f"order of {y} of {a} below that of {b}", 1.0, _over, _most(1, strict=True), how
    )


def order_about(panel: Panel, a: str, b: str, y: str, x: str, within: float, **how) -> list[Finding]:
    """On logarithmic axes the two lines are as steep, to within a share of the order of b."""

    def judge(low, high):
        near, far = 1 - within <= low and high <= 1 + within, low > 1 + within or high < 1 - within
        return True if near else False if far else None

    return _ordered(panel, (a, b), y, x, f"order of {y} of {a} about that of {b}", within, _over, judge, how)


def _most(bound, strict=False):
    def judge(low, high):
        inside = high < bound if strict else high <= bound
        return True if inside else False if low >= bound and (strict or low > bound) else None

    return judge


def _over(a, b):
    """The interval of a quotient of orders; of orders without one sign nothing is known."""
    if b[0] <= 0 or a[0] < 0:
        return -np.inf, np.inf
    return a[0] / b[1], a[1] / b[0]


def _ordered(panel, methods, y, x, what, required, relate, judge, how):
    y, x = map(panel.evidence.own, (y, x))
    try:
        own = [slopes(panel, method, y, x, **how) for method in methods]
        fields = about_panel(panel, *methods)
    except NotRun as missing:
        return [absent(panel, what, missing, y, x)]
    findings = []
    for each in zip(*own, strict=True):
        low, high = relate(*(ends for _, *ends in each))
        truth = judge(low, high)
        reason = "" if truth is not None else "its range spans what is required"
        numbers = {"low": float(low), "high": float(high), "required": required}
        findings.append(
            Finding(
                **fields, what=what, seed=each[0][0], **numbers, truth=truth, reason=reason, metric=y, over=x
            )
        )
    return findings
