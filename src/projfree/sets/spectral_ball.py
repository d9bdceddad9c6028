"""The spectral-norm ball {X : σ₁(X) ≤ R} of m×n matrices."""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import svdvals

from projfree.common.parameters import Count, NotNegative, checked
from projfree.linalg.scaling import scaled, times_power
from projfree.linalg.spectral import economy_svd, nuclear_norm
from projfree.linalg.validation import finite, matrix

from ._ball import Ball, only_full, root_of_size


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
        return self.radius * root_of_size("spectral_ball", self.size)

    def support(self, G) -> float:
        """max_{X in set} ⟨G, X⟩ = R ‖G‖_*."""
        return self.radius * nuclear_norm(finite("spectral_ball: G", matrix("spectral_ball: G", G)))

    def gauge(self, X) -> float:
        """σ₁(X)."""
        X = matrix("spectral_ball: X", X)
        largest = float(np.abs(X).max())
        if not np.isfinite(largest):
            return largest
        Y, e = scaled(X)
        return times_power(svdvals(Y, check_finite=False)[0], e)

    def lmo(self, G, *, start=None, rng=None, tol=0.0) -> np.ndarray:
        """argmin_{X in set} ⟨G, X⟩ = −R U Vᵀ of G = U Σ Vᵀ. Exact, by a full decomposition."""
        G = finite("spectral_ball: G", matrix("spectral_ball: G", G))
        U, _, Vt = np.linalg.svd(scaled(G)[0], full_matrices=False)
        return (-self.radius * U) @ Vt

    def project(self, X, method="full") -> np.ndarray:
        """Nearest point of the set to X: singular values cut at R; X itself if it lies inside."""
        only_full("spectral_ball", method)
        X = finite("spectral_ball: X", matrix("spectral_ball: X", X))
        U, s, Vt = economy_svd(X)
        return X if s[0] <= self.radius else (U * np.minimum(s, self.radius)) @ Vt
