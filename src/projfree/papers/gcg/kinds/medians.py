"""Speed-ups as the median over several levels, and who is where at equal rank."""

import numpy as np

from projfree.evidence.kinds.base import Finding, kind
from projfree.evidence.kinds.compare import named, quotient
from projfree.evidence.kinds.times import unit
from projfree.evidence.panel import Missing, flat
from projfree.ground.names import require

#: How the levels of `median_speedup` are read.
LEVELS = ("share", "relative", "points")


def _targets(panel, seed, a, metric, by, levels, others, options):
    """Levels as values of the metric.

    ``share`` q: F* + q(F(0) − F*), F(0) where `a` starts, F* the least of any method, which is what curves of
    the excess start from; ``relative`` q: (1 + q) times the least of `others`; ``points`` q: that plus q.
    """
    if by == "share":
        start = panel.curve(flat(a)[0], seed, metric, **options).initial
        return [q * start for q in levels]
    require([by], LEVELS, "levels")
    rivals = panel.curves(panel.ran(seed, others), seed, metric, **options)
    least = min(curve.best[-1] for curve in rivals)
    return [least * (1 + q) if by == "relative" else least + q for q in levels]


def speedup(panel, seed, a, b, metric, by, levels, others, axis):
    """(median over the levels of T(b)/T(a), whether it is only a lower bound, the ratios).

    Where b never arrives its time is the end of its run, a lower bound; where a never arrives the ratio is 0.
    """
    options = {"excess": by == "share", "axis": axis}
    ratios, bounded = {}, []
    for q, target in zip(levels, _targets(panel, seed, a, metric, by, levels, others, options), strict=True):
        first = min(curve.first(target) for curve in panel.curves(a, seed, metric, **options))
        curves = panel.curves(b, seed, metric, **options)
        second = min(curve.first(target) for curve in curves)
        bounded.append(bool(np.isfinite(first) and not np.isfinite(second)))
        second = min(second, max(float(curve.x[-1]) for curve in curves))
        ratios[q] = quotient(second, first) if np.isfinite(first) else 0.0
    middle = float(np.median(list(ratios.values())))
    return (
        middle,
        any(lower and ratios[q] <= middle for q, lower in zip(levels, bounded, strict=True)),
        ratios,
    )


@kind
def median_speedup(
    panel,
    seed,
    *,
    a,
    b,
    metric,
    threshold,
    by="share",
    levels=(0.1, 0.03, 0.01, 0.003),
    others=None,
    axis="cpu_seconds",
    similar=False,
):
    """S(a, b), the median over the levels of T(b)/T(a), is ≥ threshold; `similar`: within that factor of 1.

    `by`: how levels are read, see `_targets`. Where S is a lower bound that does not settle the question, it
    is missing: the budget is too small to tell.
    """
    middle, bound, ratios = speedup(panel, seed, a, b, metric, by, levels, others, axis)
    truth = 1 / threshold <= middle <= threshold if similar else middle >= threshold
    if bound and (middle <= threshold if similar else not truth):
        raise Missing(f"{named(b)} at the levels within the budget of {panel.name}: S ≥ {middle:.3g}")
    words = {f"{unit(axis)} ratio at {q:g}": ratio for q, ratio in ratios.items()}
    return Finding(bool(truth), {"median": middle, **words}, "A lower bound." if bound else "")


@kind
def speedup_shrinks(
    panel,
    seed,
    *,
    a,
    b,
    other,
    metric,
    threshold=1.0,
    by="share",
    levels=(0.1, 0.03, 0.01, 0.003),
    others=None,
    axis="cpu_seconds",
):
    """S(a, b) here is below threshold · that on the panel `other`, of which the first seed counts."""
    there = panel.evidence.panel(other)
    seeds = there.seeds(flat(a, b))
    here = speedup(panel, seed, a, b, metric, by, levels, others, axis)[0]
    its = speedup(there, seed if seed in seeds else seeds[0], a, b, metric, by, levels, others, axis)[0]
    return Finding(here < threshold * its, {"median": here, f"median, {other}": its})


@kind
def overtaken(panel, seed, *, a, b, metric, threshold=1.0, early=(0.5, 0.3), late=0.01, axis="cpu_seconds"):
    """`b` is ahead by more than threshold at one of the `early` levels, and `a` is first at the `late` one.

    Levels are shares of the way from F* to F(0).
    """
    *first, last = speedup(panel, seed, a, b, metric, "share", [*early, late], None, axis)[2].values()
    lead = max(quotient(1.0, ratio) for ratio in first)
    measured = {f"{named(b)}'s lead early": lead, f"{named(a)}'s lead at {late:g}": last}
    return Finding(bool(lead > threshold and last > 1), measured)


@kind
def near_best(panel, seed, *, method, metric, threshold, others=None):
    """The best value of `method` is at most threshold above that of `others` (of all by default)."""
    runs = {name: panel.records([name], seed, [metric])[metric].min() for name in panel.ran(seed, others)}
    own = float(panel.records([method], seed, [metric])[metric].min())
    return Finding(own <= min(runs.values()) + threshold, {"above the best": own - float(min(runs.values()))})


@kind
def front_loaded(panel, seed, *, method, metric, threshold, axis="iteration", parts=3):
    """The fall over the first of equal parts of the axis is ≥ threshold times the fall over the last."""
    curve = panel.curve(method, seed, metric, axis=axis)
    end = float(curve.x[-1])
    first = curve.initial - curve.at(end / parts)
    last = curve.at(end * (parts - 1) / parts) - curve.at(end)
    return Finding(bool(first >= threshold * last), {"first / last": quotient(first, last)})


@kind
def lower_at_equal(panel, seed, *, a, b, metric, threshold=1.0, by="rank", least=3):
    """At every value of `by` ≥ `least` of both, the least metric of `a` is < threshold · that of `b`."""
    best = []
    for name in (a, b):
        frame = panel.records([name], seed, [metric, by])
        best.append(frame[frame[by] >= least].groupby(by)[metric].min())
    common = best[0].index.intersection(best[1].index)
    if common.empty:
        raise Missing(f"a {by} ≥ {least} that both {a} and {b} have in {panel.name}")
    ratios = best[0][common] / best[1][common]
    return Finding(
        bool((ratios < threshold).all()), {"largest ratio": float(ratios.max()), f"{by}s": len(common)}
    )
