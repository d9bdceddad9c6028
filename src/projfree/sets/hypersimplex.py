"""The hypersimplex {x : 0 ≤ x_i ≤ R, Σx = k R}, or capped simplex: each vertex has k entries R."""

import math
from dataclasses import dataclass

import numpy as np

from projfree.common.parameters import Count, NotNegative, checked
from projfree.linalg.validation import array, entries

from ._ball import finite_array, only_full
from ._sparse import takes_sparse
from ._violation import ByViolation, largest, shift


@takes_sparse
@checked
@dataclass(frozen=True)
class Set(ByViolation):
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

    def support(self, G) -> float:
        """max_{x in set} ⟨G, x⟩ = R times the sum of the k largest G_i."""
        G = finite_array("hypersimplex", G).ravel()
        return self.radius * float(G[least(-G, self.k)].sum())

    def violation(self, x) -> float:
        """Largest of −x_i, x_i − R and ``|Σx − kR|``/k."""
        x = entries("hypersimplex: x", x)
        return largest(-x.min(), x.max() - self.radius, abs(x.sum() / self.k - self.radius))

    def lmo(self, G, *, start=None, rng=None, tol=0.0) -> np.ndarray:
        """argmin_{x in set} ⟨G, x⟩: R at the k least entries of G. Exact; sparse for a sparse G."""
        G = finite_array("hypersimplex", G)
        x = np.zeros(G.shape)
        x.flat[least(G.ravel(), self.k)] = self.radius
        return x

    def project(self, x, method="full") -> np.ndarray:
        """Nearest point of the set to x: clip(x − s, 0, R) with the s for which the sum is right."""
        only_full("hypersimplex", method)
        x = array("hypersimplex: x", x)
        least(x.ravel(), self.k)  # says if there are too few entries
        return capped(x, self.radius, self.k)


def least(g, k: int) -> np.ndarray:
    """Places of the k least entries of g (n,).

    Raises
    ------
    ValueError
        If g has fewer than k entries.
    """
    if g.size < k:
        raise ValueError(f"hypersimplex: k = {k} for points of {g.size} entries")
    return np.argpartition(g, k - 1)[:k]


def capped(x, radius: float, k: int) -> np.ndarray:
    """The nearest point of {0 ≤ x_i ≤ radius, Σx = k·radius} to x.

    It is that of x less its k-th largest entry, and then depends on entries within ±radius only, so that
    digits of the radius are kept however large x is.
    """
    if not radius:
        return np.zeros(x.shape)
    with np.errstate(over="ignore"):
        x = np.clip(x - np.partition(x.ravel(), x.size - k)[x.size - k], -radius, radius)
    return np.clip(x - shift(x.ravel(), radius, k * radius), 0.0, radius)
