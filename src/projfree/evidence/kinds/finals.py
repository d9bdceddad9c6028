"""Kinds about where runs end up."""

import numpy as np

from ..panel import flat
from .base import Finding, kind
from .compare import named, quotient


def _final(panel, group, seed, metric, best=False):
    """Least last value, or with `best` least value of all records, of the methods of a group."""
    runs = [panel.records([m], seed, [metric])[metric] for m in flat(group)]
    return min(float(values.min() if best else values.iloc[-1]) for values in runs)


@kind
def final_ratio(panel, seed, *, a, b, metric, threshold, other: str | None = None, best=False):
    """The last (or `best`) value of `a` is below threshold · that of `b`, which may stand in `other`."""
    its = _final(panel.evidence.panel(other) if other else panel, b, seed, metric, best)
    own = _final(panel, a, seed, metric, best)
    words = named(b) + (f" in {other}" if other else "")
    ratio = quotient(own, its)
    return Finding(ratio < threshold, {"ratio": ratio, named(a): own, words: its})


@kind
def reaches(panel, seed, *, method, metric, threshold):
    """The last value is at most threshold · the value at the start."""
    values = panel.records([method], seed, [metric])[metric].to_numpy(float)
    ratio = quotient(values[-1], values[0])
    return Finding(bool(ratio <= threshold), {"last / first": ratio, "last": values[-1], "first": values[0]})


@kind
def mean_gain(panel, seed, *, method, other, metric, threshold=0.0):
    """The last value exceeds that in the experiment `other` by more than threshold in the mean over seeds."""
    reference = panel.evidence.panel(other)
    seeds = sorted(set(panel.seeds([method])) & set(reference.seeds([method])))
    here = {s: _final(panel, method, s, metric) for s in seeds}
    gains = [here[s] - _final(reference, method, s, metric) for s in seeds]
    measured = {
        "mean gain": float(np.mean(gains)),
        f"{metric}": here[seed],
        f"{metric}, {other}": here[seed] - gains[seeds.index(seed)],
    }
    return Finding(measured["mean gain"] > threshold, measured)
