"""Rank-one atoms and the two operations that every projection-free method does with them."""

import math
from dataclasses import dataclass, replace

import numpy as np

from projfree.linalg.compiled import njit
from projfree.linalg.dense import blend
from projfree.linalg.singular import matvec


@dataclass(frozen=True)
class Atom:
    """scale · u vᵀ with unit u (m,) and v (n,); sigma, residual and matvecs say how the oracle found it."""

    u: np.ndarray
    v: np.ndarray
    scale: float
    sigma: float = math.nan
    residual: float = math.nan
    matvecs: int = 0

    @property
    def shape(self) -> tuple[int, int]:
        return self.u.size, self.v.size

    @property
    def sq_norm(self) -> float:
        """‖scale·u vᵀ‖_F² = scale²."""
        return self.scale**2

    def nuclear_norm(self) -> float:
        """‖scale·u vᵀ‖_* = |scale|."""
        return abs(self.scale)

    def add_to(self, X, weight=1.0) -> np.ndarray:
        """X += weight·scale·u vᵀ in place on a C-contiguous float64 X (m, n)."""
        self._check_shape(X)
        move(X, 1.0, weight * self.scale, self.u, self.v)
        return X

    def inner(self, G) -> float:
        """⟨G, scale·u vᵀ⟩ for G an array, an Atom, or anything with ``matvec``."""
        if isinstance(G, Atom):
            return float(self.scale * G.scale * (self.u @ G.u) * (self.v @ G.v))
        return float(self.scale * (self.u @ matvec(G, self.v)))

    def _check_shape(self, X):
        if X.shape != self.shape:
            raise ValueError(f"atom of shape {self.shape} for a matrix of shape {X.shape}")

    def times(self, factor) -> "Atom":
        """A multiple of it."""
        return replace(self, scale=factor * self.scale)

    def toarray(self) -> np.ndarray:
        return np.outer(self.scale * self.u, self.v)


def toward(x, v, gamma):
    """x ← (1 − gamma) x + gamma v in place, and return x.

    x an array with v an Atom (one compiled pass) or an array; x observed with v an Atom.
    """
    if not isinstance(x, np.ndarray):
        return x.toward(v, gamma)
    if isinstance(v, Atom):
        v._check_shape(x)
        move(x, 1.0 - gamma, gamma * v.scale, v.u, v.v)
        return x
    x[...] = blend(x, v, gamma)
    return x


def as_array(v) -> np.ndarray:
    """An array as it is; an atom, or anything else with ``toarray``, as an array."""
    return v if isinstance(v, np.ndarray) else v.toarray()


def inner(G, x) -> float:
    """Frobenius product of any two of array, SparseOnPattern, Atom, ObservedArray, ObservedAtoms."""
    if isinstance(G, np.ndarray):
        return float(np.vdot(G, x)) if isinstance(x, np.ndarray) else x.inner(G)
    return G.inner(x)


@njit
def move(X, keep, weight, u, v):
    """X ← keep·X + weight·u vᵀ in place, one pass."""
    for i in range(X.shape[0]):
        row = weight * u[i]
        for j in range(X.shape[1]):
            X[i, j] = keep * X[i, j] + row * v[j]
