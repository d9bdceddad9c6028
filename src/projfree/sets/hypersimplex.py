"""The hypersimplex {x : 0 ≤ x_i ≤ R, Σx = k R}, or capped simplex: each vertex has k entries R."""

import math
from dataclasses import dataclass

import numpy as np

from ..common.parameters import Count, NotNegative, checked
from ._base import FeasibleSet


@checked
@dataclass(frozen=True)
class Set(FeasibleSet):
    """Arrays with entries between 0 and `radius` and sum k·radius.

    Attributes
    ----------
    radius : float, R
    k : int
        Number of non-zeros of a vertex; points must have at least as many entries.
    """

    radius: NotNegative = 1.0
    k: Count = 1
    is_polytope = True
    sparse = True

    @property
    def bound(self) -> float:
        """The bound on the gauge, R."""
        return self.radius

    @property
    def diameter(self) -> float:
        """A bound of ‖x − y‖, R√(2k); attained by points of at least 2k entries."""
        return self.radius * math.sqrt(2 * self.k)

    @property
    def norm_bound(self) -> float:
        """Largest ‖x‖, R√k."""
        return self.radius * math.sqrt(self.k)

    def _support(self, G):
        return self.radius * G.flat[least(-G.ravel(), self.k)].sum()

    def _gauge(self, x):
        """R plus the largest of −x_i, x_i − R and ``|Σx − kR|``/k."""
        return self.radius + max(0.0, -x.min(), x.max() - self.radius, abs(x.sum() / self.k - self.radius))

    def _lmo(self, G):
        x = np.zeros(G.shape)
        x.flat[least(G.ravel(), self.k)] = self.radius
        return x

    def _project(self, x):
        least(x.ravel(), self.k)  # says if there are too few entries
        return capped(x, self.radius, self.k)


def least(g, k: int) -> np.ndarray:
    """Places of the k least entries of g (n,); ValueError if g has fewer than k entries."""
    if g.size < k:
        raise ValueError(f"hypersimplex: k = {k} for points of {g.size} entries")
    return np.argpartition(g, k - 1)[:k]


def capped(x, radius: float, k: int) -> np.ndarray:
    """The nearest point of {0 ≤ x_i ≤ radius, Σx = k·radius} to x: clip(x − s, 0, radius) of the right sum.

    It is that of x less its k-th largest entry, and then depends on entries within ±radius only, so that
    digits of the radius are kept however large x is. The sum is piecewise linear and falls with s, so a
    search over its break points finds the right piece.
    """
    if not radius:
        return np.zeros(x.shape)
    with np.errstate(over="ignore"):
        x = np.clip(x - np.partition(x.ravel(), x.size - k)[x.size - k], -radius, radius)

    def excess(s):
        return float(np.clip(x.ravel() - s, 0.0, radius).sum()) - k * radius

    points = np.sort(np.concatenate([x.ravel(), x.ravel() - radius]))
    low, high = 0, points.size - 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if excess(points[middle]) > 0 else (low, middle)
    above, below = excess(points[low]), excess(points[high])
    # Where rounding leaves nothing between the two points, they are equally good.
    share = above / (above - below) if above != below else 0.0
    return np.clip(x - float(points[low] + (points[high] - points[low]) * share), 0.0, radius)
