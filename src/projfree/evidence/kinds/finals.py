"""Kinds about where runs end up."""

from ..panel import flat
from .base import Finding, kind
from .compare import named, quotient


def final(panel, group, seed, metric, best=False):
    """Least last value, or with `best` least value of all records, of the methods of a group."""
    runs = [panel.records([m], seed, [metric])[metric] for m in flat(group)]
    return min(float(values.min() if best else values.iloc[-1]) for values in runs)


@kind
def final_ratio(panel, seed, *, a, b, metric, threshold, other: str | None = None, best=False):
    """The last (or `best`) value of `a` is below threshold · that of `b`, which may stand in `other`."""
    its = final(panel.evidence.panel(other) if other else panel, b, seed, metric, best)
    own = final(panel, a, seed, metric, best)
    words = named(b) + (f" in {other}" if other else "")
    ratio = quotient(own, its)
    return Finding(ratio < threshold, {"ratio": ratio, named(a): own, words: its})


@kind
def reaches(panel, seed, *, method, metric, threshold):
    """The last value is at most threshold · the value at the start."""
    values = panel.records([method], seed, [metric])[metric].to_numpy(float)
    ratio = quotient(values[-1], values[0])
    return Finding(bool(ratio <= threshold), {"last / first": ratio, "last": values[-1], "first": values[0]})
