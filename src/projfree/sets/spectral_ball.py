"""The spectral-norm ball {X : σ₁(X) ≤ R} of m×n matrices."""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import svdvals

from ..common.parameters import Count, NotNegative, checked
from ..linalg.scaling import scaled, times_power
from ..linalg.spectral import economy_svd, nuclear_norm
from ..linalg.validation import matrix
from ._base import Ball


@checked
@dataclass(frozen=True)
class Set(Ball):
    """Matrices of spectral norm at most `radius`.

    Attributes
    ----------
    radius : float, R
    size : int or None
        The smaller side min(m, n); only the diameter needs it.
    """

    radius: NotNegative
    size: Count | None = None
    size_of = staticmethod(min)  # of a point's shape

    @property
    def norm_bound(self) -> float:
        """Largest ‖X‖_F, R√min(m, n)."""
        return self.radius * self._root_of_size()

    def _read(self, symbol, X):
        return matrix(f"spectral_ball: {symbol}", X)

    def _support(self, G):
        return self.radius * nuclear_norm(G)

    def _gauge(self, X):
        Y, e = scaled(X)
        return times_power(svdvals(Y, check_finite=False)[0], e)

    def _lmo(self, G):
        """−R U Vᵀ of G = U Σ Vᵀ, by a full decomposition."""
        U, _, Vt = np.linalg.svd(scaled(G)[0], full_matrices=False)
        return (-self.radius * U) @ Vt

    def _project(self, X):
        """Singular values cut at R; X itself if it lies inside."""
        U, s, Vt = economy_svd(X)
        return X if s[0] <= self.radius else (U * np.minimum(s, self.radius)) @ Vt
