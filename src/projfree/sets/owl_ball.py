"""The ball of an ordered weighted l1 norm {x : Σ w_i |x|_(i) ≤ R} (OWL, SLOPE; OSCAR for linear weights).

Zeng and Figueiredo, "The ordered weighted l1 norm: atomic formulation, projections, and algorithms" (2014):
its extreme points have equal sizes on some entries and zeros elsewhere.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.optimize import isotonic_regression

from ..common.parameters import NotNegative, checked
from ..linalg.validation import vector
from ._base import Ball


@checked
@dataclass(frozen=True, eq=False)
class Set(Ball):
    """Vectors (n,) whose sizes, from large to small, have a weighted sum of at most `radius`.

    Attributes
    ----------
    radius : float, R
    weights : (n,)
        w_1 ≥ … ≥ w_n ≥ 0, w_1 > 0.
    """

    radius: NotNegative
    weights: list | np.ndarray
    is_polytope = True
    n = property(lambda self: self.w.size)

    def __post_init__(self):
        w = self.w
        if not w[0] > 0.0 or w[-1] < 0.0 or (w[1:] > w[:-1]).any():
            raise ValueError("owl_ball: weights must not rise, the first must be > 0, the last ≥ 0")

    @cached_property
    def w(self):
        """The weights as an array."""
        return vector("owl_ball: weights", self.weights)

    @cached_property
    def sums(self):
        """w_1 + … + w_j."""
        return np.cumsum(self.w)

    @property
    def norm_bound(self) -> float:
        """Largest ‖x‖, R max_j √j/(w_1 + … + w_j)."""
        return self.radius * float((np.sqrt(np.arange(1, self.w.size + 1)) / self.sums).max())

    def _support(self, G):
        """R max_j (sum of the j largest ``|G_i|``)/(w_1 + … + w_j)."""
        return self.radius * self._ratios(np.abs(G))[1].max()

    def _gauge(self, x):
        return self.w @ np.sort(np.abs(x))[::-1]

    def _lmo(self, G):
        """−R sign(G)/(w_1 + … + w_j) on the j entries of the best ratio."""
        order, ratios = self._ratios(np.abs(G))
        j = int(np.argmax(ratios))
        x, places = np.zeros(G.size), order[: j + 1]
        x[places] = np.copysign(self.radius / self.sums[j], -G[places])
        return x

    def _project(self, x):
        """The prox of γ times the norm, with the γ for which it has size R."""
        if self.gauge(x) <= self.radius:
            return x
        if not self.radius:
            return np.zeros(x.size)
        order, point = np.argsort(-np.abs(x), kind="stable"), np.empty(x.size)
        nearest = _nearest(self.w, np.abs(x)[order], self.radius)
        if nearest is None:
            return self.lmo(-x)
        point[order] = nearest
        return np.copysign(point, x)

    def _ratios(self, size):
        order = np.argsort(-size, kind="stable")
        return order, np.cumsum(size[order]) / self.sums


def _nearest(w, size, radius):
    """The nearest point to sizes, falling and outside: max(falling regression of size − γw, 0).

    Its norm is convex, falling and piecewise linear in γ: it falls more slowly where blocks merge or vanish.
    So Newton's method rises from γ = 0 to the answer and ends after finitely many steps. The answer is None
    if the radius is lost in the rounding of the sizes: then an atom is the nearest point to rounding.
    """
    gamma = 0.0
    while True:
        fit = isotonic_regression(size - gamma * w, increasing=False)
        x, first = np.maximum(fit.x, 0.0), fit.blocks[:-1]
        slopes = np.add.reduceat(w, first) ** 2 / np.diff(fit.blocks)
        norm = float(w @ x)
        if not norm:
            return None
        following = gamma + (norm - radius) / float(slopes[fit.x[first] > 0.0].sum())
        if not following > gamma * (1 + 1e-15):
            return x * (radius / norm)
        gamma = following
