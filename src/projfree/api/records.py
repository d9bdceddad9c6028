"""The metrics of a run's records: bounds of the certificate that cost less than a step.

A record is an upper bound of the Frank-Wolfe gap. It is exact where the set has a cheap support function.
Where the set has `support_bounds`, it is at most 5 % above the gap; the last record, at most 10⁻⁶ of it.
"""

import numpy as np

from ..engine import metrics
from ..engine.metrics.base import frank_wolfe_gap
from ..engine.schedule import Schedule
from ..linalg.atoms import as_array
from ..linalg.projections import norm_l2
from ..linalg.scaling import EPS, rounding
from .result import CERTIFIES

#: When runs are recorded: where the method knows its own gap and records cost much, or little; else.
SELDOM, FEW, OFTEN = Schedule(ratio=2.0), Schedule(ratio=1.5), Schedule()
#: Largest share of a recorded gap by which it may be above the gap; the same of the last record.
EXCESS, LAST = 0.05, 1e-6
#: Loosest and tightest relative accuracy of a bound of the support function: below, it is computed exactly.
LOOSEST, TIGHTEST = 0.05, 1e-10
#: Bounds are found so many times more accurately than a record needs, lest the next one needs two.
AHEAD = 8.0


class Gap:
    """The Frank-Wolfe gap at x, or a bound above it that is at most `level` where the gap is.

    The bounds start from random vectors of one generator: none depends on what an earlier one found.
    """

    def __init__(self, problem, constraint, level):
        self.problem, self.constraint, self.level = problem, constraint, level
        self.rng, self.accuracy, self.lost = np.random.default_rng(0), LOOSEST, 0.0

    def __call__(self, x) -> float:
        return self._bound(x, EXCESS, self.level)

    def last(self, x) -> float:
        return self._bound(x, LAST, -np.inf)

    def _bound(self, x, excess, level):
        gradient = self.problem.gradient(x)
        gap = self._in_double(gradient, x, excess, level)
        self.lost = lost(self.problem, gradient, x, gap)
        return gap + self.lost

    def _in_double(self, gradient, x, excess, level):
        if not (hasattr(self.constraint, "support_bounds") and isinstance(gradient, np.ndarray)):
            return frank_wolfe_gap(gradient, x, self.constraint)
        x = as_array(x)
        along, size = float(np.vdot(gradient, x)), norm_l2(gradient) * norm_l2(x)
        while True:
            least, most = self.constraint.support_bounds(-gradient, self.accuracy, self.rng)
            low, high = along + least, along + most + rounding(x.size, size, most)
            if excess == EXCESS and high <= level:
                return high
            close, used = high - low <= excess * high, self.accuracy
            accuracy = excess * max(low, level, 0.0) / (AHEAD * most) if most else LOOSEST
            self.accuracy = min(max(accuracy, TIGHTEST), LOOSEST)
            if close or used <= max(self.accuracy, TIGHTEST):
                break
        if level < low and (close or excess == EXCESS):
            return high
        return frank_wolfe_gap(gradient, x, self.constraint)


def lost(problem, gradient, x, gap) -> float:
    """What the type of a function's gradient may hide of ⟨∇F, x − v⟩: nothing more in double precision."""
    eps = getattr(problem, "precision", EPS)
    if eps <= EPS:
        return 0.0
    x = as_array(x)
    return eps * (norm_l2(gradient) * norm_l2(x) + abs(gap - float(np.vdot(gradient, x))))


def outside(constraint, x) -> float:
    """By how much a point is outside of a set: max(0, gauge − bound), to rounding."""
    if hasattr(constraint, "excess"):
        return constraint.excess(x)
    return max(0.0, constraint.gauge(x) - constraint.bound)


def measured(problem, constraint, solver, level) -> dict:
    """The metrics of every record but the last.

    Methods that do not project combine points of the set: they need no gauge, as x_0 has been checked.
    """
    names = ["objective", CERTIFIES[problem.family.name][0]]
    names += ["infeasibility"] if problem.family.constraint == "set" else []
    names += ["rank"] if problem.family.name == "regularised" else []
    recorded = {name: metrics.make(name, problem, constraint) for name in names}
    if problem.family.metrics == "constrained":
        recorded["fw_gap"] = Gap(problem, constraint, level)
        if "project" not in getattr(solver, "needs", ()):
            recorded["infeasibility"] = Start(constraint)
    return recorded


def last(recorded, problem, constraint) -> dict:
    """The metrics of the last record."""
    if problem.family.metrics != "constrained":
        return recorded
    exact = {"fw_gap": recorded["fw_gap"].last, "infeasibility": lambda x: outside(constraint, as_array(x))}
    return {**recorded, **exact}


class Start:
    """How far the start is outside of the set: combinations with points of the set are not farther."""

    def __init__(self, constraint):
        self.constraint, self.first = constraint, None

    def __call__(self, x) -> float:
        if self.first is None:
            self.first = outside(self.constraint, as_array(x))
        return self.first
