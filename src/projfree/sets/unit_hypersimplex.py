"""The unit hypersimplex {x : 0 ≤ x_i ≤ R, Σx ≤ k R}: each vertex has at most k entries R."""

from dataclasses import dataclass

import numpy as np

from projfree.common.parameters import checked
from projfree.linalg.validation import array, entries

from . import hypersimplex
from ._ball import finite_array, only_full
from ._sparse import takes_sparse
from ._violation import largest


@takes_sparse
@checked
@dataclass(frozen=True)
class Set(hypersimplex.Set):
    """Arrays with entries between 0 and `radius` and sum at most k·radius.

    Attributes
    ----------
    radius : float, R
    k : int
        Largest number of non-zeros of a vertex; points must have at least as many entries.
    """

    def support(self, G) -> float:
        """max_{x in set} ⟨G, x⟩ = R times the sum of the k largest G_i that are positive."""
        return super().support(np.maximum(finite_array("unit_hypersimplex", G), 0.0))

    def violation(self, x) -> float:
        """Largest of −x_i, x_i − R and Σx/k − R."""
        x = entries("unit_hypersimplex: x", x)
        return largest(-x.min(), x.max() - self.radius, x.sum() / self.k - self.radius)

    def lmo(self, G, *, start=None, rng=None, tol=0.0) -> np.ndarray:
        """argmin_{x in set} ⟨G, x⟩: R at the negative entries among the k least of G.

        Exact; sparse for a sparse G.
        """
        G = finite_array("unit_hypersimplex", G)
        return np.where(G < 0.0, super().lmo(G), 0.0)

    def project(self, x, method="full") -> np.ndarray:
        """Nearest point of the set to x: clipped to [0, R], after a shift if the sum is too large."""
        only_full("unit_hypersimplex", method)
        x = array("unit_hypersimplex: x", x)
        cut = np.clip(x, 0.0, self.radius)
        return cut if cut.sum() <= self.k * self.radius else super().project(x)
