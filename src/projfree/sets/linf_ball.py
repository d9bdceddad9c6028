"""The l∞ ball {x : |x_i| ≤ R}, of arrays of any shape."""

from dataclasses import dataclass

import numpy as np

from projfree.common.parameters import Count, NotNegative, checked
from projfree.linalg.compiled import njit
from projfree.linalg.validation import INFINITY, array, entries

from ._ball import Ball, finite_array, only_full, root_of_size


@checked
@dataclass(frozen=True)
class Set(Ball):
    """Arrays of entries at most `radius` in size.

    Attributes
    ----------
    radius : float, R
    size : int or None
        Number of entries, which only the diameter needs.
    """

    radius: NotNegative
    size: Count | None = None
    is_polytope = True

    @property
    def norm_bound(self) -> float:
        """Largest ‖x‖, R√size."""
        return self.radius * root_of_size("linf_ball", self.size)

    def support(self, G) -> float:
        """max_{x in set} ⟨G, x⟩ = R ‖G‖₁."""
        return self.radius * float(np.abs(finite_array("linf_ball", G)).sum())

    def gauge(self, x) -> float:
        """‖x‖_∞."""
        return float(np.abs(entries("linf_ball: x", x)).max())

    def lmo(self, G, *, start=None, rng=None, tol=0.0) -> np.ndarray:
        """argmin_{x in set} ⟨G, x⟩ = −R sign(G), a vertex even if G has zeros. Exact."""
        G = entries("linf_ball: G", G)
        x = np.empty(G.shape)
        if _opposite(np.ascontiguousarray(G).ravel(), self.radius, x.ravel()) >= INFINITY:
            finite_array("linf_ball", G)  # says what is wrong with it
        return x

    def project(self, x, method="full") -> np.ndarray:
        """Nearest point of the set to x: its entries cut at ±R."""
        only_full("linf_ball", method)
        return np.clip(array("linf_ball: x", x), -self.radius, self.radius)


@njit
def _opposite(g, radius, x):
    """Fill x; the bits of the largest |g_i|."""
    bits, largest = g.view(np.int64), 0
    for i in range(g.size):
        largest = max(largest, bits[i] & 0x7FFFFFFFFFFFFFFF)
        x[i] = -radius if g[i] > 0.0 else radius
    return largest
