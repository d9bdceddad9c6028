"""The k-sparse polytope {x : |x_i| ≤ R, ‖x‖₁ ≤ k R}: the hull of what has k entries ±R and zeros."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from projfree.ground.parameters import Count, NotNegative, checked
from projfree.linalg.validation import array, real

from ._ball import Ball, finite_array, only_full


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
        """max_{x in set} ⟨G, x⟩ = R times the sum of the k largest |G_i|."""
        return self.radius * float(self._largest(finite_array("k_sparse", G))[1].sum())

    def gauge(self, x) -> float:
        """max{‖x‖_∞, ‖x‖₁/k}."""
        size = np.abs(real("k_sparse: x", x))
        return max(float(size.max()), float(size.sum()) / self.k)

    def lmo(self, G, *, start=None, rng=None, tol=0.0) -> np.ndarray:
        """argmin_{x in set} ⟨G, x⟩ = −R sign(G) where |G| is among the k largest. Exact."""
        G = finite_array("k_sparse", G)
        places, _ = self._largest(G)
        x = np.zeros(G.size)
        x[places] = np.where(G.ravel()[places] > 0.0, -self.radius, self.radius)
        return x.reshape(G.shape)

    def project(self, x, method="full") -> np.ndarray:
        """Nearest point of the set to x: sizes less one shift, cut to [0, R]."""
        only_full("k_sparse", method)
        x = array("k_sparse: x", x)
        size, total = np.abs(x), self.k * self.radius
        shift = _shift(size.ravel(), self.radius, total) if np.minimum(size, self.radius).sum() > total else 0
        return np.copysign(np.clip(size - shift, 0.0, self.radius), x)

    def _largest(self, G):
        """Places and sizes of the k largest |G_i|."""
        size = np.abs(G.ravel())
        if size.size < self.k:
            raise ValueError(f"k_sparse: k = {self.k} for points of {size.size} entries")
        if self.k == size.size:
            return slice(None), size
        places = np.argpartition(size, size.size - self.k)[size.size - self.k :]
        return places, size[places]


def _shift(size, radius, total) -> float:
    """s with Σ clip(size − s, 0, radius) = total: piecewise linear and falling, so by its break points."""

    def excess(s):
        return float(np.clip(size - s, 0.0, radius).sum()) - total

    points = np.sort(np.concatenate([size, size - radius, [0.0]]))
    points = points[np.searchsorted(points, 0.0) :]
    low, high = 0, points.size - 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if excess(points[middle]) > 0 else (low, middle)
    above, below = excess(points[low]), excess(points[high])
    return points[low] + (points[high] - points[low]) * above / (above - below)
