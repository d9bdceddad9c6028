"""The ellipsoid {x : √((x − c)ᵀ A (x − c)) ≤ R} for a positive definite A."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.optimize import brentq

from ..common.parameters import NotNegative, checked
from ..linalg.projections import norm_l2, of_length
from ..linalg.validation import finite, matrix, vector
from ._base import Ball


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
    n = property(lambda self: self.spectrum[0].size)

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
        return np.zeros(self.n) if self.centre is None else vector("ellipsoid: centre", self.centre, self.n)

    @property
    def diameter(self) -> float:
        """Largest ‖x − y‖, 2R/√λ_min(A)."""
        return 2.0 * self.radius / float(np.sqrt(self.spectrum[0].min()))

    @property
    def norm_bound(self) -> float:
        """A bound of ‖x‖, ‖c‖ + R/√λ_min(A); attained if c is zero."""
        return norm_l2(self.c) + self.diameter / 2

    def _support(self, G):
        return G @ self.c + self.radius * norm_l2(self._into(G) / np.sqrt(self.spectrum[0]))

    def _gauge(self, x):
        return norm_l2(self._into(x - self.c) * np.sqrt(self.spectrum[0]))

    def _lmo(self, G):
        """c − R A⁻¹G/√(GᵀA⁻¹G); c for G = 0."""
        roots = np.sqrt(self.spectrum[0])
        return self.c - self._out(of_length(self._into(G) / roots, self.radius) / roots)

    def _project(self, x):
        """c + (I + μA)⁻¹(x − c), on the boundary by the choice of μ ≥ 0."""
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
        return x if self.spectrum[1] is None else self.spectrum[1].T @ x

    def _out(self, z):
        return z if self.spectrum[1] is None else self.spectrum[1] @ z
