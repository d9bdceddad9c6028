"""The group lasso Σ_g w_g ‖x_g‖, of groups without overlap (Yuan and Lin 2006)."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..common.parameters import NotNegative, checked
from ..linalg.validation import numbers, positive, vector
from ..sets import group_ball
from ._vector import VectorPenalty
from .prox import Prox, choose


@checked
@dataclass(frozen=True, eq=False)
class Penalty(VectorPenalty):
    """``h(x) = Σ_g w_g ‖x_g‖``.

    Attributes
    ----------
    groups : (n,) array of int, the group 0, 1, … of each entry
    weights : (number of groups,), not negative
    """

    groups: np.ndarray
    weights: np.ndarray

    def __post_init__(self):
        w = vector("penalty 'group': weight", self.weights, int(np.max(self.ball.labels)) + 1)
        if w.min() < 0:
            raise ValueError("penalty 'group': weight must not be negative")
        object.__setattr__(self, "weights", w)

    @classmethod
    @checked
    def for_problem(cls, problem, groups: list | np.ndarray, weight: NotNegative | list | np.ndarray = 1.0):
        """One weight for all groups, or one for each; a usual choice is √(size of the group)."""
        if np.shape(groups) != tuple(problem.shape):
            raise ValueError(f"group: groups of shape {np.shape(groups)}, x of shape {tuple(problem.shape)}")
        count = int(np.max(groups)) + 1
        return cls(np.asarray(groups), np.full(count, weight) if np.ndim(weight) == 0 else np.array(weight))

    @cached_property
    def ball(self):
        """The set of the same groups."""
        return group_ball.Set(1.0, self.groups)

    def value(self, x) -> float:
        """h(x)."""
        return float(self.weights @ self.ball.norms(numbers("x", x, self.ball.labels.size)))

    def prox(self, p, gamma, *, method="full", tol=0.0, warm=None, rng=None) -> Prox:
        """Each p_g with its norm reduced by γw_g, or zero."""
        choose({"full": None}, method)
        p = vector("p", p, self.ball.labels.size)
        norms = self.ball.norms(p)
        with np.errstate(over="ignore"):
            left = np.maximum(norms - positive("gamma", gamma) * self.weights, 0.0)
        share = np.divide(left, norms, out=np.zeros(norms.size), where=norms > 0.0)
        return Prox(p * share[self.ball.labels], float(self.weights @ left))
