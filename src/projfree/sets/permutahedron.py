"""The permutahedron of w, the hull of all permutations of a vector.

Lim and Wright, "Efficient Bregman projections onto the permutahedron and related polytopes" (2016).
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.optimize import isotonic_regression

from projfree.common.parameters import checked
from projfree.linalg.projections import norm_l2
from projfree.linalg.validation import numbers, vector

from ._ball import only_full
from ._violation import ByViolation, largest


@checked
@dataclass(frozen=True, eq=False)
class Set(ByViolation):
    """Vectors (n,) that `values` majorises.

    Attributes
    ----------
    values : (n,)
        w, in any order; n … 1 gives the permutahedron of ranks.
    """

    values: list | np.ndarray
    is_polytope = True

    @cached_property
    def falling(self):
        """The values from large to small."""
        return np.sort(vector("permutahedron: values", self.values))[::-1].copy()

    @property
    def bound(self) -> float:
        """The bound on the gauge, ‖w‖, or 1 if w is zero."""
        return self.norm_bound or 1.0

    @property
    def diameter(self) -> float:
        """Largest ‖x − y‖, between w and w reversed."""
        return norm_l2(self.falling - self.falling[::-1])

    @property
    def norm_bound(self) -> float:
        """Largest ‖x‖, ‖w‖."""
        return norm_l2(self.falling)

    def support(self, G) -> float:
        """max_{x in set} ⟨G, x⟩: both sorted (the rearrangement inequality)."""
        return float(np.sort(vector("permutahedron: G", G, self.falling.size))[::-1] @ self.falling)

    def violation(self, x) -> float:
        """Largest mean excess of the j largest x_i over the j largest w_i; for all n also the deficit."""
        x = np.sort(numbers("permutahedron: x", x, self.falling.size))
        if not np.isfinite(x).all():
            return float(np.abs(x).max())
        means = np.cumsum(x[::-1] - self.falling) / np.arange(1, x.size + 1)
        return largest(means.max(), -means[-1])

    def lmo(self, G, *, start=None, rng=None, tol=0.0) -> np.ndarray:
        """argmin_{x in set} ⟨G, x⟩: the values sorted against G, the largest at its least entry. Exact."""
        G = vector("permutahedron: G", G, self.falling.size)
        x = np.empty(G.size)
        x[np.argsort(G, kind="stable")] = self.falling
        return x

    def project(self, x, method="full") -> np.ndarray:
        """Nearest point of the set to x: x minus a decreasing regression of its sorted entries less w.

        Entries further apart than any two of w are of different parts of the regression, however far: their
        distances are cut, so that digits of w are kept.
        """
        only_full("permutahedron", method)
        x = vector("permutahedron: x", x, self.falling.size)
        order, found = np.argsort(-x, kind="stable"), np.empty(x.size)
        w, half = self.falling, 0.5 * x[order]  # of the halves, differences are floats
        steps = 2.0 * np.minimum(half[:-1] - half[1:], 0.5 * w[0] - 0.5 * w[-1])
        y = np.append(0.0, -np.cumsum(steps))
        found[order] = np.clip(y - isotonic_regression(y - w, increasing=False).x, w[-1], w[0])
        return found
