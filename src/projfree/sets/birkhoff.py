"""The Birkhoff polytope of doubly stochastic n×n matrices; no projection in closed form."""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linear_sum_assignment

from ..common.parameters import Count, checked
from ..linalg.scaling import scaled
from ._base import NoProjection


@checked
@dataclass(frozen=True)
class Set(NoProjection):
    """Non-negative matrices with rows and columns that sum to 1; its vertices are the permutations.

    Attributes
    ----------
    size : int or None
        The side n; only the diameter needs it.
    """

    size: Count | None = None
    size_of = staticmethod(min)  # of a point's shape
    is_polytope = True
    _read = NoProjection._square

    @property
    def diameter(self) -> float:
        """Largest ‖X − Y‖_F, √(2n) (0 for n = 1)."""
        return 0.0 if self.size == 1 else 2.0**0.5 * self.norm_bound

    @property
    def norm_bound(self) -> float:
        """Largest ‖X‖_F, √n."""
        return self._root_of_size()

    def contains(self, X, slack=1e-9) -> bool:
        """Whether no entry is negative and all rows and columns sum to 1, up to `slack`."""
        X = self._read("X", X)
        sums = np.concatenate([X.sum(axis=0), X.sum(axis=1)])
        return bool(X.min() >= -slack and np.abs(sums - 1.0).max() <= slack)

    def _support(self, G):
        return G[linear_sum_assignment(scaled(G)[0], maximize=True)].sum()

    def _gauge(self, X):
        """Largest sum of absolute values in a row or a column."""
        size = np.abs(X)
        return max(size.sum(axis=0).max(), size.sum(axis=1).max())

    def _lmo(self, G):
        """The permutation of an optimal assignment; of a scaled G, no difference of entries overflows."""
        X = np.zeros(G.shape)
        X[linear_sum_assignment(scaled(G)[0])] = 1.0
        return X
