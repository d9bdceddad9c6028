"""The ellipsoid {x : √((x − c)ᵀ A (x − c)) ≤ R} for a positive definite A."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.optimize import brentq

from projfree.common.parameters import NotNegative, checked
from projfree.linalg.projections import norm_l2, of_length
from projfree.linalg.validation import finite, matrix, numbers, vector

from ._ball import Ball, only_full


@checked
@dataclass(frozen=True, eq=False)
class Set(Ball):
    """Vectors (n,) in an ellipsoid; A is decomposed once, at the first call.

    Attributes
    ----------
    radius : float, R
    A : (n, n), symmetric and positive definite, or (n,), a diagonal
    centre : (n,), c; None is zero
    """

    radius: NotNegative
    A: list | np.ndarray
    centre: list | np.ndarray | None = None

    def __post_init__(self):
        if not self.spectrum[0].min() > 0.0:
            raise ValueError("ellipsoid: A must be positive definite")
        _ = self.c

    @cached_property
    def spectrum(self):
        """Eigenvalues (n,) of A and its eigenvectors (n, n), None for a diagonal."""
        if np.ndim(self.A) == 1:
            return vector("ellipsoid: A", self.A), None
        A = finite("ellipsoid: A", matrix("ellipsoid: A", self.A))
        if A.shape[0] != A.shape[1] or np.abs(A - A.T).max() > 1e-12 * np.abs(A).max():
            raise ValueError("ellipsoid: A must be symmetric")
        return np.linalg.eigh(A)

    @cached_property
    def c(self):
        """The centre as an array."""
        size = self.spectrum[0].size
        return np.zeros(size) if self.centre is None else vector("ellipsoid: centre", self.centre, size)

    @property
    def diameter(self) -> float:
        """Largest ‖x − y‖, 2R/√λ_min(A)."""
        return 2.0 * self.radius / float(np.sqrt(self.spectrum[0].min()))

    @property
    def norm_bound(self) -> float:
        """A bound of ‖x‖, ‖c‖ + R/√λ_min(A); attained if c is zero."""
        return norm_l2(self.c) + self.diameter / 2

    def support(self, G) -> float:
        """max_{x in set} ⟨G, x⟩ = ⟨G, c⟩ + R √(GᵀA⁻¹G)."""
        G = vector("ellipsoid: G", G, self.c.size)
        return float(G @ self.c) + self.radius * norm_l2(self._into(G) / np.sqrt(self.spectrum[0]))

    def gauge(self, x) -> float:
        """√((x − c)ᵀ A (x − c))."""
        away = numbers("ellipsoid: x", x, self.c.size) - self.c
        if not np.isfinite(away).all():
            return float(np.abs(away).max())
        return norm_l2(self._into(away) * np.sqrt(self.spectrum[0]))

    def lmo(self, G, *, start=None, rng=None, tol=0.0) -> np.ndarray:
        """argmin_{x in set} ⟨G, x⟩ = c − R A⁻¹G/√(GᵀA⁻¹G); c for G = 0. Exact."""
        roots = np.sqrt(self.spectrum[0])
        t = of_length(self._into(vector("ellipsoid: G", G, self.c.size)) / roots, self.radius)
        return self.c - self._out(t / roots)

    def project(self, x, method="full") -> np.ndarray:
        """Nearest point of the set to x: c + (I + μA)⁻¹(x − c), on the boundary by the choice of μ ≥ 0."""
        only_full("ellipsoid", method)
        x = vector("ellipsoid: x", x, self.c.size)
        if self.gauge(x) <= self.radius:
            return x
        if not self.radius:
            return self.c.copy()
        values, z = self.spectrum[0], self._into(x - self.c)

        def excess(mu):
            return norm_l2(np.sqrt(values) * z / (1.0 + mu * values)) - self.radius

        most = norm_l2(z / np.sqrt(values)) / self.radius
        mu = brentq(excess, 0.0, most, xtol=1e-300) if excess(most) < 0.0 else most
        return self.c + self._out(z / (1.0 + mu * values))

    def _into(self, x):
        """Coordinates in the eigenvectors."""
        return x if self.spectrum[1] is None else self.spectrum[1].T @ x

    def _out(self, z):
        return z if self.spectrum[1] is None else self.spectrum[1] @ z
