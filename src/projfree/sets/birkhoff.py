"""The Birkhoff polytope of doubly stochastic n×n matrices; no projection in closed form."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linear_sum_assignment

from projfree.ground.parameters import Count, checked
from projfree.linalg.compiled import njit
from projfree.linalg.validation import finite, matrix

from ._ball import root_of_size


@checked
@dataclass(frozen=True)
class Set:
    """Non-negative matrices whose rows and columns sum to 1; its vertices are the permutations.

    Attributes
    ----------
    size : int or None
        The side n; only the diameter needs it.
    """

    size: Count | None = None
    bound = 1.0
    size_of = staticmethod(min)  # of a point's shape
    is_polytope = True

    @property
    def diameter(self) -> float:
        """Largest ‖X − Y‖_F, √(2n) (0 for n = 1)."""
        return 0.0 if self.size == 1 else 2.0**0.5 * self.norm_bound

    @property
    def norm_bound(self) -> float:
        """Largest ‖X‖_F, √n."""
        return root_of_size("birkhoff", self.size)

    def support(self, G) -> float:
        """max_{X in set} ⟨G, X⟩, the value of the best assignment."""
        G = finite("birkhoff: G", _square("G", G))
        return float(G[linear_sum_assignment(G, maximize=True)].sum())

    def gauge(self, X) -> float:
        """Largest sum of absolute values in a row or a column."""
        size = np.abs(_square("X", X))
        return float(max(size.sum(axis=0).max(), size.sum(axis=1).max()))

    def contains(self, X, slack=1e-9) -> bool:
        """Whether no entry is negative and all rows and columns sum to 1, up to `slack`."""
        X = _square("X", X)
        sums = np.concatenate([X.sum(axis=0), X.sum(axis=1)])
        return bool(X.min() >= -slack and np.abs(sums - 1.0).max() <= slack)

    def lmo(self, G, *, start=None, rng=None, tol=0.0) -> np.ndarray:
        """argmin_{X in set} ⟨G, X⟩: the permutation of an optimal assignment (Crouse 2016). Exact."""
        G = finite("birkhoff: G", _square("G", G))
        X = np.zeros(G.shape)
        _place(linear_sum_assignment(G)[1], X)
        return X


@njit
def _place(cols, X):
    """A one in each row i, at cols[i]."""
    for i in range(cols.size):
        X[i, cols[i]] = 1.0


def _square(name, X):
    X = matrix(f"birkhoff: {name}", X)
    if X.shape[0] != X.shape[1]:
        raise ValueError(f"birkhoff: {name} must be square, not {X.shape[0]}×{X.shape[1]}")
    return X
