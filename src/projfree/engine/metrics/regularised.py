"""Metrics of an iterate of a regularised objective F = ℓ + λκ."""

import weakref
from functools import cached_property

import numpy as np

from .base import of_state

#: Relative residual of the polars that metrics ask for.
METRIC_TOL = 1e-5


class Evaluation:
    """What the metrics of one iterate share, each computed once: numbers only, slopes may be 10^8."""

    def __init__(self, problem, constraint, point):
        self.problem, self.constraint, self.point = problem, constraint, weakref.proxy(point)

    @cached_property
    def loss(self):
        """ℓ."""
        return self.problem.value(self.point.image)

    @cached_property
    def penalty_value(self):
        """κ(W), or its least known bound."""
        return self.constraint.value(self.point.U, self.point.V)

    @cached_property
    def objective(self):
        """F = ℓ + λκ."""
        return self.loss + self.constraint.weight * self.penalty_value

    @cached_property
    def surrogate(self):
        """ℓ + λρ, what the methods that carry ρ minimise."""
        return self.loss + self.constraint.weight * self.point.rho

    @cached_property
    def certificate(self):
        """κ°(−∇ℓ), and the lower bound of F* that it certifies by the dual of the loss."""
        slopes = self.problem.slopes(self.point.image)
        rng = np.random.default_rng(0)
        found = self.constraint.polar(self.problem.gradient(slopes), start=None, rng=rng, tol=METRIC_TOL)
        bound = self.problem.dual_bound(slopes, self.point.image, found.bound, self.constraint.weight)
        return found.value, bound

    @property
    def polar_ratio(self):
        """κ°(−∇ℓ)/λ, which is 1 at the optimum unless W* = 0."""
        return self.certificate[0] / self.constraint.weight if self.constraint.weight else np.inf

    @property
    def dual_bound(self):
        """A lower bound of F*."""
        return self.certificate[1]

    @property
    def dual_gap(self):
        """F less the dual bound at this iterate: F − F* is at most so much."""
        return self.objective - self.dual_bound

    @property
    def rank(self):
        """Columns, or atoms with a weight."""
        return self.point.rank


MEASURED = (
    "objective",
    "surrogate",
    "loss",
    "penalty_value",
    "rank",
    "polar_ratio",
    "dual_bound",
    "dual_gap",
)


def known(problem, constraint) -> dict:
    """Metrics by name: `MEASURED`, see `Evaluation`; of the state ``outer``."""
    return {name: _shared(name, problem, constraint) for name in MEASURED} | {"outer": _outer}


@of_state
def _outer(state):
    """Outer iterations: where a step is part of one, fewer than steps."""
    return state.t


def _shared(name, problem, constraint):
    def metric(point):
        found = getattr(point, "evaluation", None)
        if found is None or found.problem is not problem or found.constraint is not constraint:
            found = point.evaluation = Evaluation(problem, constraint, point)
        return getattr(found, name)

    return metric
