"""OSCAR: λ1‖x‖_1 + λ2 Σ_{i<j} max{|x_i|, |x_j|}, a sorted-l1 norm (ipg eq. 10; Bondell and Reich 2008)."""

from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np

from ..common.names import unknown
from ..common.parameters import NotNegative, checked
from ..linalg.compiled import njit
from ..linalg.ordering import descending_order, select, sort
from ..linalg.validation import numbers, positive, vector
from ._vector import VectorPenalty
from .prox import choose, dual_frank_wolfe, group_merging, pava, perturbed

EXACT = {
    "pava": pava.prox,
    "igm_restart": group_merging.restart,
    "igm_pass": group_merging.sweep,
    "igm_interpreted": group_merging.interpreted,
}


@checked
@dataclass(frozen=True)
class Penalty(VectorPenalty):
    """``h(x) = Σ_j w_j |x|_(j)`` with descending w ≥ 0; ``|x|_(j)`` is the j-th largest absolute value.

    The j-th largest is the maximum of N − j pairs, so OSCAR has w_j = λ1 + λ2(N − j).
    """

    weights: np.ndarray
    reference = "pava"

    def __post_init__(self):
        w = vector("penalty 'oscar': weights", self.weights)
        if w[-1] < 0 or (w[1:] > w[:-1]).any():
            raise ValueError("penalty 'oscar': weights must be not negative and descending")
        object.__setattr__(self, "weights", w)

    @classmethod
    @checked
    def for_problem(
        cls,
        problem,
        lambda1: NotNegative = 0.01,
        lambda2: NotNegative = 1.0,
        units: Literal["relative", "absolute"] = "relative",
    ):
        """λ1 and λ2 as given (``units: absolute``), or in units of ‖∇g(0)‖_∞ and λ1/N (U13)."""
        size = problem.shape[0]
        if units == "relative":
            lambda1 = lambda1 * problem.constants["largest_slope"]
            lambda2 = lambda2 * lambda1 / size
        return cls(lambda1 + lambda2 * np.arange(size - 1, -1, -1.0))

    def value(self, x) -> float:
        """h(x), by one sort."""
        return float(_value(numbers("x", x, self.weights.size), self.weights))

    def prox(self, p, gamma, *, method="pava", exact="pava", tol=0.0, warm=None, rng=None, **options):
        """The proximal point by a method of `EXACT`, ``dual_frank_wolfe``, or ``perturbed`` by `tol`."""
        if method in EXACT:
            return EXACT[method](self.weights, p, gamma, **options)
        if method == "perturbed":
            point = choose(EXACT, exact)(self.weights, p, gamma)
            return perturbed.along(point, p, gamma, self.value, tol, rng)
        if method != "dual_frank_wolfe":
            raise ValueError(unknown("prox", method, [*EXACT, "dual_frank_wolfe", "perturbed"]))
        p, gamma = vector("p", p, self.weights.size), positive("gamma", gamma)
        support = partial(self.support, order=descending_order(p))
        return dual_frank_wolfe.prox(support, p, gamma, tol=tol, warm=warm, **options)

    def support(self, x, order=None):
        """(s, h(x)) with s_j = sign(x_j) w_rank(j) ∈ ∂h(x); a nearby point's `order` is updated in place."""
        x = vector("x", x, self.weights.size)
        if order is None:
            order = descending_order(x)
        elif order.shape != x.shape:
            raise ValueError(f"order must be a vector of {x.size}, not an array of shape {order.shape}")
        elif not _repair(np.abs(x), order):
            order[:] = descending_order(x)
        return _signed_weights(x, order, self.weights)

    def excess(self, u) -> float:
        """Largest excess of u over ``D = {u : Σ_{i≤k} |u|_(i) ≤ Σ_{i≤k} w_i for all k}``; ≤ 0 inside."""
        u = vector("u", u, self.weights.size)
        return float(np.max(np.cumsum(np.sort(np.abs(u))[::-1]) - np.cumsum(self.weights)))

    @property
    def sq_diameter(self) -> float:
        """A bound on diam(D)²: 4‖w‖²."""
        return 4.0 * float(self.weights @ self.weights)

    def metrics(self, problem) -> dict:
        """Numbers of non-zeros and of groups of equal absolute values, up to 1e-8 of the largest."""
        return super().metrics(problem) | {"groups": groups}


def groups(point) -> int:
    """Number of different absolute values among the non-zeros, up to 1e-8 of the largest."""
    size = np.sort(np.abs(point.array))
    level = 1e-8 * max(size[-1], 1e-300)
    return int(np.sum(np.diff(size, prepend=0.0)[size > level] > level))


@njit
def _repair(size, order):
    """Sort `order` by decreasing size, by insertion; False if it is no order, or sorting takes too long."""
    if order.min() < 0 or order.max() >= size.size:
        return False
    moves, most = 0, 8 * order.size + 64
    for j in range(1, order.size):
        k, i = order[j], j
        while i > 0 and size[order[i - 1]] < size[k]:
            order[i] = order[i - 1]
            i -= 1
        order[i] = k
        moves += j - i
        if moves > most:
            return False
    return True


@njit
def _value(x, weights):
    places, sizes = np.empty(x.size, np.int64), np.empty(x.size)
    count = select(x, 0.0, 1.0, places, sizes)
    sort(x, 1.0, places[:count], sizes[:count])
    return sizes[:count] @ weights[:count]


@njit
def _signed_weights(x, order, weights):
    s, value = np.empty(x.size), 0.0
    for j in range(x.size):
        k = order[j]
        s[k] = weights[j] if x[k] > 0.0 else -weights[j] if x[k] < 0.0 else 0.0
        value += weights[j] * abs(x[k])
    return s, value
