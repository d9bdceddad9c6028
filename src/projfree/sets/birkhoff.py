"""The Birkhoff polytope of doubly stochastic n×n matrices; no projection in closed form."""

from dataclasses import dataclass

import numpy as np

from projfree.common.parameters import Count, checked
from projfree.linalg.assignment import columns
from projfree.linalg.compiled import njit
from projfree.linalg.validation import FLOAT64, INFINITY, finite, largest_bits, matrix

from ._ball import NoProjection, root_of_size

LARGE = int(np.array(2.0**1010).view(np.int64))  # the bits of a number whose double is far from ∞


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
        return float(G[np.arange(len(G)), columns(_safe(-G))].sum())

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
        """argmin_{X in set} ⟨G, X⟩: the permutation of an optimal assignment. Exact."""
        G = _square("G", G)
        if G.flags.carray:  # one call of a kernel: of few rows, calls take longer than the work
            X, done = _permutation(G, LARGE)
            if done:
                return X
        return _permutation(_safe(finite("birkhoff: G", G)), INFINITY)[0]


def _safe(G):
    """G in the order of C, a power of two smaller if differences of its entries could overflow."""
    G = G if G.flags.carray else G.copy()
    return G if largest_bits(G.ravel()) < LARGE else G * 2.0**-10


@njit
def _permutation(G, limit):
    """The matrix of the best assignment, and True; or False where the bits of an entry reach the limit."""
    X = np.zeros(G.shape)
    if largest_bits(G.ravel()) >= limit:
        return X, False
    best = columns(G)
    for i in range(best.size):
        X[i, best[i]] = 1.0
    return X, True


def _square(name, X):
    if type(X) is np.ndarray and X.dtype is FLOAT64 and X.ndim == 2 and X.shape[0] == X.shape[1] > 0:
        return X
    X = matrix(f"birkhoff: {name}", X)
    if X.shape[0] != X.shape[1]:
        raise ValueError(f"birkhoff: {name} must be square, not {X.shape[0]}×{X.shape[1]}")
    return X
