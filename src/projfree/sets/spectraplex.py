"""The spectraplex {X = Xᵀ ⪰ 0, tr X = total} of n×n matrices."""

import math
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from scipy.linalg.blas import dsymv
from scipy.linalg.lapack import dsyevr
from scipy.sparse.linalg import LinearOperator

from ..common.parameters import NotNegative, checked
from ..linalg.atoms import Atom
from ..linalg.projections import project_simplex
from ..linalg.scaling import scaled, times_power
from ._base import OfTotal
from ._products import DIRECT, by_products, least, most


@checked
@dataclass(frozen=True)
class Set(OfTotal):
    """Positive semi-definite matrices of trace `total`; its extreme points are total·u uᵀ."""

    total: NotNegative = 1.0
    _read = OfTotal._square

    def support(self, G) -> float:
        """max_{X in set} ⟨G, X⟩ = total times the largest eigenvalue of G's symmetric part, to rounding."""
        if (known := by_products("spectraplex", G)) is not None:
            return self.total * times_power(most("spectraplex", known[0], 1), known[1])
        S, e = scaled(_symmetric(self._finite("G", G)))
        return self.total * times_power(np.linalg.eigvalsh(S)[-1], e)

    def contains(self, X, slack=1e-9) -> bool:
        """Whether X is symmetric with trace `total` and no negative eigenvalue, up to slack·total."""
        X, room = self._read("X", X), slack * self.total
        if not np.isfinite(X).all() or np.abs(X - X.T).max() > room:
            return False
        return bool(abs(np.trace(X) - self.total) <= room and np.linalg.eigvalsh(X)[0] >= -room)

    def lmo(self, G, *, start=None, rng=None, tol=1e-3) -> Atom:
        """argmin_{X in set} ⟨G, X⟩ = total·u uᵀ, u of the least eigenvalue of G's symmetric part.

        start: an Atom of an earlier call; tol: residual, relative to the eigenvalue's size. Of a large sparse
        G, or of an operator with ``shape`` and ``matvec``, only products are taken; an operator has to be
        symmetric.
        """
        if (known := by_products("spectraplex", G)) is not None:
            return self._by_products(*known, start, rng, tol)
        S, e = scaled(_symmetric(self._finite("G", G)))
        if len(S) > DIRECT:  # of S, dsymv reads one triangle
            half = LinearOperator(S.shape, lambda v: dsymv(1.0, S.T, v), dtype=S.dtype)
            with suppress(ArithmeticError):
                return self._by_products(half, e, start, rng, tol)
        values, U, _, _, failed = dsyevr(S, range="I", il=1, iu=1)
        if failed:  # representations of eigenvalues that are nearly one may not be found
            values, U = np.linalg.eigh(S)
        value, u = float(values[0]), np.ascontiguousarray(U[:, 0])
        residual = float(np.linalg.norm(S @ u - value * u)) / (abs(value) or 1.0)
        return Atom(u, u, self.total, times_power(abs(value), e), residual)

    def _by_products(self, G, e, start, rng, tol):
        first = None
        if isinstance(start, Atom):  # with a random part, so that it may be left
            rng = rng or np.random.default_rng(0)
            first = start.u + 1e-2 / math.sqrt(start.u.size) * rng.standard_normal(start.u.size)
        values, U = least("spectraplex", G, 1, start=first, tol=tol, rng=rng)
        value, u = float(values[0]), np.ascontiguousarray(U[:, 0])
        residual = float(np.linalg.norm(G.matvec(u) - value * u)) / (abs(value) or 1.0)
        return Atom(u, u, self.total, times_power(abs(value), e), residual)

    def _gauge(self, X):
        """‖X‖_*, of the symmetric part."""
        return np.abs(np.linalg.eigvalsh(_symmetric(X))).sum()

    def _project(self, X):
        values, U = np.linalg.eigh(_symmetric(X))
        return (U * project_simplex(values, self.total)) @ U.T


def _symmetric(X):
    S = X + X.T
    S *= 0.5
    return S
