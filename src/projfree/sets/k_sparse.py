"""The k-sparse polytope {x : |x_i| ≤ R, ‖x‖₁ ≤ k R}: the convex hull of vectors with k entries ±R."""

import math
from dataclasses import dataclass

import numpy as np

from ..common.parameters import Count, NotNegative, checked
from ..linalg.compiled import njit
from ._base import Ball
from .hypersimplex import capped

#: A heap of the k largest is faster than a partition where there are so many entries for each of k.
HEAP = 20


@checked
@dataclass(frozen=True)
class Set(Ball):
    """Arrays with entries at most `radius` in size and a sum of sizes at most k·radius.

    Attributes
    ----------
    radius : float, R
    k : int
        Non-zeros of a vertex; points must have as many entries at least.
    """

    radius: NotNegative
    k: Count = 1
    is_polytope = True
    sparse = True

    @property
    def norm_bound(self) -> float:
        """Largest ‖x‖, R√k."""
        return self.radius * math.sqrt(self.k)

    def _support(self, G):
        return self.radius * np.abs(G.flat[self._largest(G)]).sum()

    def _gauge(self, x):
        size = np.abs(x)
        return max(size.max(), size.sum() / self.k)

    def _lmo(self, G):
        """−R sign(G) where ``|G|`` is one of the k largest."""
        places, x = self._largest(G), np.zeros(G.shape)
        x.flat[places] = np.where(G.flat[places] > 0.0, -self.radius, self.radius)
        return x

    def _project(self, x):
        """Sizes less one shift, cut to [0, R]."""
        size = np.abs(x)
        cut = np.minimum(size, self.radius)
        outside = cut.sum() > self.k * self.radius
        return np.copysign(capped(size, self.radius, self.k) if outside else cut, x)

    def _largest(self, G):
        """Places of the k largest |G_i|."""
        flat = np.ascontiguousarray(G).ravel()
        if flat.size < self.k:
            raise ValueError(f"k_sparse: k = {self.k} for points of {flat.size} entries")
        if HEAP * self.k <= flat.size:
            return _top(flat, self.k)
        return np.argpartition(np.abs(flat), flat.size - self.k)[flat.size - self.k :]


@njit
def _top(x, k):
    """Places of the k largest |x_i|: a heap whose root is the least of those kept."""
    places, sizes = np.arange(k), np.abs(x[:k])
    for root in range(k // 2 - 1, -1, -1):
        _sift(places, sizes, root)
    for i in range(k, x.size):
        if abs(x[i]) > sizes[0]:
            places[0], sizes[0] = i, abs(x[i])
            _sift(places, sizes, 0)
    return places


@njit
def _sift(places, sizes, node):
    while 2 * node + 1 < sizes.size:
        child = 2 * node + 1
        if child + 1 < sizes.size and sizes[child + 1] < sizes[child]:
            child += 1
        if sizes[node] <= sizes[child]:
            return
        places[node], places[child] = places[child], places[node]
        sizes[node], sizes[child] = sizes[child], sizes[node]
        node = child
