"""The Fantope {X = Xᵀ : 0 ⪯ X ⪯ I, tr X = k}, the hull of the projectors of rank k (sparse PCA, subspaces).

Vu, Cho, Lei and Rohe, "Fantope projection and selection" (2013). For k = 1 it is the `spectraplex`.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy.linalg import eigh

from ..common.parameters import Count, checked
from ..linalg.scaling import scaled, times_power
from ._base import FeasibleSet
from ._products import by_products, least, most
from .hypersimplex import capped


@checked
@dataclass(frozen=True)
class Set(FeasibleSet):
    """Symmetric matrices with eigenvalues between 0 and 1 that sum to k.

    Attributes
    ----------
    k : int
        Rank of an extreme point; matrices must have at least as many rows.
    """

    k: Count = 1
    _read = FeasibleSet._square

    @property
    def diameter(self) -> float:
        """A bound of ‖X − Y‖_F, √(2k); attained by matrices of at least 2k rows."""
        return math.sqrt(2 * self.k)

    @property
    def norm_bound(self) -> float:
        """Largest ‖X‖_F, √k."""
        return math.sqrt(self.k)

    def support(self, G) -> float:
        """max_{X in set} ⟨G, X⟩, the sum of the k largest eigenvalues of G's symmetric part.

        Of what is known by its products it is a bound just above.
        """
        if (known := by_products("fantope", G)) is not None:
            self._check_rows(known[0].shape[0])
            return times_power(most("fantope", known[0], self.k), known[1])
        values, _, e = self._least(G, 0.0, None, -1.0)
        return times_power(-float(values.sum()), e)

    def _gauge(self, X):
        """1 plus the largest of −λ, λ − 1, ``|tr X − k|``/k, and the asymmetry of an entry."""
        values = np.linalg.eigvalsh((X + X.T) / 2)
        uneven = abs(float(np.trace(X)) / self.k - 1.0)
        return 1.0 + max(0.0, -values[0], values[-1] - 1.0, uneven, np.abs(X - X.T).max())

    def lmo(self, G, *, start=None, rng=None, tol=1e-3) -> np.ndarray:
        """argmin_{X in set} ⟨G, X⟩ = V Vᵀ, V (n, k) of the k least eigenvalues of G's symmetric part.

        An array G is decomposed directly. For a large sparse matrix, or an object with ``shape`` and
        ``matvec``, ARPACK takes products only, to the residual `tol`; without entries it must be symmetric.
        """
        V = self._least(G, tol, rng, 1.0)[1]
        return V @ V.T

    def _project(self, X):
        """The eigenvalues projected onto the hypersimplex."""
        self._check_rows(len(X))
        values, U = np.linalg.eigh((X + X.T) / 2)
        return (U * capped(values, 1.0, self.k)) @ U.T

    def _least(self, G, tol, rng, sign):
        """The k least eigenvalues of sign·2^−e G, their vectors, and e."""
        if (known := by_products("fantope", G)) is not None:
            G, e = known
            self._check_rows(G.shape[0])
            return *least("fantope", G, self.k, sign=sign, tol=tol, rng=rng), e
        G, e = scaled(self._finite("G", G))
        self._check_rows(len(G))
        half = (sign * 0.5) * (G + G.T)
        return *eigh(half, subset_by_index=[0, self.k - 1], check_finite=False), e

    def _check_rows(self, n):
        if n < self.k:
            raise ValueError(f"fantope: k = {self.k} for matrices of {n} rows")
