"""What a method gains in one experiment over another, in the mean."""

import numpy as np

from projfree.evidence.kinds.base import Finding, kind
from projfree.evidence.kinds.finals import final


@kind
def mean_gain(panel, seed, *, method, other, metric, threshold=0.0):
    """The last value exceeds that in the experiment `other` by more than threshold in the mean over seeds."""
    reference = panel.evidence.panel(other)
    seeds = sorted(set(panel.seeds([method])) & set(reference.seeds([method])))
    here = {s: final(panel, method, s, metric) for s in seeds}
    gains = [here[s] - final(reference, method, s, metric) for s in seeds]
    measured = {
        "mean gain": float(np.mean(gains)),
        f"{metric}": here[seed],
        f"{metric}, {other}": here[seed] - gains[seeds.index(seed)],
    }
    return Finding(measured["mean gain"] > threshold, measured)
