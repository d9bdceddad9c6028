"""The weighted ℓ1 norm Σ w_i |x_i|: its prox is the soft threshold."""

from dataclasses import dataclass

import numpy as np

from ..common.parameters import NotNegative, checked
from ..linalg.validation import numbers, positive, vector
from ._vector import VectorPenalty
from .prox import Prox, choose


@checked
@dataclass(frozen=True, eq=False)
class Penalty(VectorPenalty):
    """``h(x) = Σ w_i |x_i|``.

    Attributes
    ----------
    weights : (n,), not negative
    """

    weights: np.ndarray

    def __post_init__(self):
        w = vector("penalty 'l1': weight", self.weights)
        if w.min() < 0:
            raise ValueError("penalty 'l1': weight must not be negative")
        object.__setattr__(self, "weights", w)

    @classmethod
    @checked
    def for_problem(cls, problem, weight: NotNegative | list | np.ndarray = 1.0):
        """One weight for all entries, or one for each."""
        size = problem.shape[0]
        return cls(np.full(size, weight) if np.ndim(weight) == 0 else vector("l1: weight", weight, size))

    def value(self, x) -> float:
        """h(x)."""
        return float(self.weights @ np.abs(numbers("x", x, self.weights.size)))

    def prox(self, p, gamma, *, method="full", tol=0.0, warm=None, rng=None) -> Prox:
        """``max(|p| − γw, 0)`` with the signs of p."""
        choose({"full": None}, method)
        p = vector("p", p, self.weights.size)
        with np.errstate(over="ignore"):  # a threshold of ∞ leaves 0
            size = np.abs(p) - positive("gamma", gamma) * self.weights
        x = np.copysign(np.maximum(size, 0.0), p)
        return Prox(x, self.value(x))
