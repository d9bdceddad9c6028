"""Kinds about runs that turn: errors that rise again, plateaus that are left, descents that end too high."""

import numpy as np

from projfree.evidence.kinds.base import Finding, kind
from projfree.evidence.kinds.compare import quotient
from projfree.evidence.panel import Missing, flat


def _curve(panel, method, seed, metric, axis="cpu_seconds", excess=False):
    return panel.curve(method, seed, metric, axis=axis, excess=excess)


@kind
def rebounds(panel, seed, *, method, metric, threshold, absent=False, falling=None, once=None):
    """The last value is ≥ threshold · the least, which is neither first nor last; or, `absent`, it is not.

    Parameters
    ----------
    falling : a metric that must not rise from the least value to the end
    once : {metric, below}; a run that did not rebound says something only once this metric has got below
    """
    curve = _curve(panel, method, seed, metric)
    at = int(np.argmin(curve.value))
    ratio = quotient(curve.final, float(curve.value[at]))
    found = ratio >= threshold and 0 < at < len(curve.value) - 1
    measured = {"last / least": ratio, "least": curve.value[at], "reached after CPU s": curve.x[at]}
    if falling is not None:
        course = _curve(panel, method, seed, falling)
        measured[f"{falling} last / then"] = quotient(course.final, course.current(curve.x[at]))
        found = found and measured[f"{falling} last / then"] <= 1.0
    if once is not None and not found:
        least = _curve(panel, method, seed, once["metric"]).best[-1]
        if least >= once["below"]:
            raise Missing(
                f"{once['metric']} below {once['below']:g} of {method} in the budget of {panel.name}"
            )
    return Finding(bool(found != absent), measured)


@kind
def flat_end(panel, seed, *, methods, metric, threshold, axis="cpu_seconds"):
    """The running best of each method falls by less than threshold, relative, in the last half of its run."""
    falls = {}
    for name in flat(methods):
        curve = _curve(panel, name, seed, metric, axis)
        middle = curve.at(curve.x[-1] / 2)
        falls[f"fall of {name}"] = quotient(middle - curve.at(curve.x[-1]), middle)
    return Finding(all(fall < threshold for fall in falls.values()), falls)


@kind
def leaves_plateau(panel, seed, *, method, metric, threshold, flat=1e-3, axis="cpu_seconds"):
    """After some x where the fall over [x/2, x] was at most `flat`, the metric still falls by ≥ threshold.

    Both relative to the value at x; x is a record after the first.
    """
    curve = _curve(panel, method, seed, metric, axis)
    later = 0.0
    for x, value in zip(curve.x[1:], curve.best[1:], strict=True):
        if curve.at(x / 2) - value <= flat * value:
            later = max(later, quotient(value - curve.best[-1], value))
    return Finding(later >= threshold, {"largest fall after a plateau": later})


@kind
def low_at_once(panel, seed, *, method, metric, error, threshold, factor, iteration=1):
    """After `iteration` the excess is ≤ threshold · the start's, and `error` ≥ factor · its later least."""
    course = _curve(panel, method, seed, metric, "iteration", excess=True)
    errors = _curve(panel, method, seed, error, "iteration")
    ratio = quotient(course.current(iteration), course.initial)
    high = quotient(errors.current(iteration), float(errors.value[errors.x >= iteration].min()))
    return Finding(
        bool(ratio <= threshold and high >= factor),
        {"excess / at the start": ratio, f"{error} / its later least": high},
    )


@kind
def ends_high_more_often(panel, seed, *, method, metric, threshold, other=None, others=None, level=0.05):
    """The share of seeds whose last excess is > level · the start's is larger than elsewhere by > threshold.

    Elsewhere: of the same method in the experiment `other`, or of each of `others` here. One answer for all
    seeds.
    """
    here = _share(panel, method, metric, level)
    there = {}
    if other is not None:
        there[f"share in {other}"] = _share(panel.evidence.panel(other), method, metric, level)
    there |= {f"share of {name}": _share(panel, name, metric, level) for name in flat(others)}
    return Finding(all(here > share + threshold for share in there.values()), {"share": here} | there)


def _share(panel, method, metric, level):
    seeds = panel.seeds([method])
    curves = [_curve(panel, method, seed, metric, excess=True) for seed in seeds]
    return float(np.mean([curve.final > level * curve.initial for curve in curves]))


@kind
def least_there(panel, seed, *, method, metric, elsewhere, threshold=1.0, best=True):
    """The least (or last) value of a method is ≤ threshold · that in each of the experiments `elsewhere`."""
    position = "best" if best else "value"

    def value(place):
        return float(getattr(_curve(place, method, seed, metric), position)[-1])

    own = value(panel)
    ratios = {f"here / {name}": quotient(own, value(panel.evidence.panel(name))) for name in flat(elsewhere)}
    return Finding(all(ratio <= threshold for ratio in ratios.values()), {"value": own} | ratios)


@kind
def rises(panel, seed, *, method, x, metric, threshold=0.0):
    """At the largest x the metric is larger than threshold, and nowhere larger."""
    frame = panel.records([method], seed, [x, metric]).sort_values(x)
    values = frame[metric].to_numpy(float)
    measured = {f"{metric} at {x} {at:g}": value for at, value in zip(frame[x], values, strict=True)}
    return Finding(bool(values[-1] > threshold and values[-1] >= values.max()), measured)
