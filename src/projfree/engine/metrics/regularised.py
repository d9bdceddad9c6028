"""Metrics of an iterate of a regularised objective F = ℓ + λκ."""

import math
import weakref
from functools import cached_property

import numpy as np

from ...linalg.scaling import rounding
from .base import of_state

#: Relative residual of the polars that metrics ask for.
METRIC_TOL = 1e-5
#: Multiples of W whose tangents are tried, and the relative distance of κ° from λ that makes one useful.
STRETCHES, ROOM = (1.0001, 1.001, 1.01, 1.1, 2.0), 1e-5


class Evaluation:
    """What the metrics of one iterate share, each computed once: numbers only, slopes may be 10^8."""

    def __init__(self, problem, constraint, point):
        self.problem, self.constraint, self.point = problem, constraint, weakref.proxy(point)

    @cached_property
    def loss(self):
        return self.problem.value(self.point.image)

    @cached_property
    def penalty_value(self):
        """κ(W), or its least known bound."""
        return self.constraint.value(self.point.U, self.point.V)

    @cached_property
    def objective(self):
        return self.loss + self.constraint.weight * self.penalty_value

    @cached_property
    def surrogate(self):
        """ℓ + λρ, what the methods that carry ρ minimise."""
        return self.loss + self.constraint.weight * self.point.rho

    @cached_property
    def certificate(self):
        """κ°(−∇ℓ), and the lower bound of F* that it certifies by the dual of the loss."""
        slopes, polar = self._polar(self.point.image)
        known = slopes, self.point.image, polar.bound, self.constraint.weight
        bound = self.problem.dual_bound(*known)
        if bound == -np.inf:  # of a function without a known lower bound
            bound = self.problem.dual_bound(*known, most=self._largest())
        return polar.value, bound

    def _polar(self, image):
        slopes, rng = self.problem.slopes(image), np.random.default_rng(0)
        G = self.problem.gradient(slopes)
        return slopes, self.constraint.polar(G, start=None, rng=rng, tol=METRIC_TOL)

    def _largest(self) -> float:
        """A bound of κ(W*), from the tangents at multiples of W: infinite if none has a κ° < λ.

        F(W) ≥ F(W*) ≥ t + (λ − κ°)κ(W*) with the tangent's value t at 0, by convexity alone.
        """
        least, weight = np.inf, self.constraint.weight
        for stretch in STRETCHES:
            image = self.problem.image(stretch * self.point.U, self.point.V)
            slopes, polar = self._polar(image)
            if polar.bound < weight * (1.0 - ROOM):
                above = self.objective - self.problem.dual_bound(slopes, image, polar.bound, weight)
                least = min(least, above / (weight - polar.bound))
        return least

    @property
    def polar_ratio(self):
        """κ°(−∇ℓ)/λ, which is 1 at the optimum unless W* = 0."""
        return self.certificate[0] / self.constraint.weight if self.constraint.weight else np.inf

    @property
    def dual_bound(self):
        return self.certificate[1]

    @property
    def dual_gap(self):
        """F less the dual bound at this iterate: F − F* is at most so much."""
        F, bound = self.objective, self.dual_bound
        if not np.isfinite(bound):
            return -bound
        return F - bound + rounding(math.prod(self.problem.shape), F, bound)

    @property
    def rank(self):
        """Columns, or atoms with a weight."""
        return self.point.rank


MEASURED = (
    *("objective", "surrogate", "loss", "penalty_value", "rank"),
    *("polar_ratio", "dual_bound", "dual_gap"),
)


def known(problem, constraint) -> dict:
    """Metrics by name: `MEASURED`, see `Evaluation`; of the state ``outer``."""

    def shared(name):
        def metric(point):
            known = getattr(point, "evaluation", None)
            if known is None or known.problem is not problem or known.constraint is not constraint:
                known = point.evaluation = Evaluation(problem, constraint, point)
            return getattr(known, name)

        return metric

    @of_state
    def outer(state):
        """Outer iterations: where a step is part of one, fewer than steps."""
        return state.t

    return {name: shared(name) for name in MEASURED} | {"outer": outer}
