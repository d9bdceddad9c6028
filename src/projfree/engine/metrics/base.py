"""How a metric says that it is not of the iterate; and the Frank-Wolfe gap."""

import math

import numpy as np

from ...linalg.atoms import as_array, inner
from ...linalg.projections import norm_l2
from ...linalg.scaling import rounding


def frank_wolfe_gap(gradient, x, constraint) -> float:
    """max over v of ⟨gradient, x − v⟩ by an exact linear minimisation, and the rounding in it.

    So it is at least 0 for an x in the set: a gap below 0 shows an inexact linear minimisation.
    """
    if isinstance(gradient, np.ndarray):
        x = as_array(x)
        along, support = float(np.vdot(gradient, x)), constraint.support(-gradient)
        return along + support + rounding(x.size, norm_l2(gradient) * norm_l2(x), support)
    along, support = inner(gradient, x), constraint.support(gradient.scaled(-1.0))
    return along + support + rounding(math.prod(gradient.shape), along, support)


def of_state(metric):
    """Mark a function of the method's state."""
    metric.of_state = True
    return metric


def of_tally(name: str, before=0):
    """The metric of one number of the tally, `before` a method first tells it."""

    def metric(tally):
        return tally.get(name, before)

    vars(metric)["of_tally"] = True
    return metric
