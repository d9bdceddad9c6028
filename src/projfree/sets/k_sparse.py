"""The k-sparse polytope {x : |x_i| ≤ R, ‖x‖₁ ≤ k R}: the convex hull of vectors with k entries ±R."""

import math
from dataclasses import dataclass

import numpy as np

from projfree.common.parameters import Count, NotNegative, checked
from projfree.linalg.compiled import njit
from projfree.linalg.validation import array, entries

from ._ball import Ball, finite_array, only_full
from ._sparse import takes_sparse
from .hypersimplex import capped

#: A heap of the k largest is faster than a partition where there are so many entries for each of k.
HEAP = 20


@takes_sparse
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

    @property
    def norm_bound(self) -> float:
        """Largest ‖x‖, R√k."""
        return self.radius * math.sqrt(self.k)

    def support(self, G) -> float:
        """max_{x in set} ⟨G, x⟩ = R times the sum of the k largest ``|G_i|``."""
        return self.radius * float(self._largest(finite_array("k_sparse", G))[1].sum())

    def gauge(self, x) -> float:
        """max{‖x‖_∞, ‖x‖₁/k}."""
        size = np.abs(entries("k_sparse: x", x))
        return max(float(size.max()), float(size.sum()) / self.k)

    def lmo(self, G, *, start=None, rng=None, tol=0.0) -> np.ndarray:
        """argmin_{x in set} ⟨G, x⟩ = −R sign(G) where ``|G|`` is one of the k largest.

        Exact; sparse for a sparse G.
        """
        G = finite_array("k_sparse", G)
        places, _ = self._largest(G)
        x = np.zeros(G.shape)
        _fill(np.ascontiguousarray(G).ravel(), places, self.radius, x.ravel())
        return x

    def project(self, x, method="full") -> np.ndarray:
        """Nearest point of the set to x: sizes less one shift, cut to [0, R]."""
        only_full("k_sparse", method)
        x = array("k_sparse: x", x)
        size = np.abs(x)
        cut = np.minimum(size, self.radius)
        outside = cut.sum() > self.k * self.radius
        return np.copysign(capped(size, self.radius, self.k) if outside else cut, x)

    def _largest(self, G):
        """Places and sizes of the k largest |G_i|."""
        flat = np.ascontiguousarray(G).ravel()
        if flat.size < self.k:
            raise ValueError(f"k_sparse: k = {self.k} for points of {flat.size} entries")
        if HEAP * self.k <= flat.size:
            places = _top(flat, self.k)
        else:
            places = np.argpartition(np.abs(flat), flat.size - self.k)[flat.size - self.k :]
        return places, np.abs(flat[places])


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
def _fill(g, places, radius, x):
    for i in places:
        x[i] = -radius if g[i] > 0.0 else radius


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
