"""Iterates whose values on a pattern are kept up to date: an array, or a weighted sum of atoms."""

import numpy as np

from projfree.linalg.atoms import move
from projfree.linalg.compiled import njit
from projfree.linalg.pattern import Pattern

RENORMALISE = 1e-100  # below it the common factor goes into the weights, long before it underflows


class ObservedArray:
    """A dense X (m, n), with its values on a pattern beside it. Starts at zero."""

    def __init__(self, pattern: Pattern, array=None):
        self.pattern = pattern
        self.array = np.zeros(pattern.shape) if array is None else array
        self.values = self.array[pattern.rows, pattern.cols]

    @property
    def shape(self) -> tuple[int, int]:
        return self.pattern.shape

    def toward(self, atom, gamma: float) -> "ObservedArray":
        """X ← (1 − gamma) X + gamma·atom in place."""
        if atom.shape != self.shape:
            raise ValueError(f"atom of shape {atom.shape} for an iterate of shape {self.shape}")
        keep, scale = 1.0 - gamma, gamma * atom.scale
        move(self.array, keep, scale, atom.u, atom.v)
        _move(self.pattern.indptr, self.pattern.cols, self.values, atom.u, atom.v, keep, scale)
        return self

    def toarray(self) -> np.ndarray:
        """X itself, not a copy."""
        return self.array

    def matvec(self, v) -> np.ndarray:
        """X v, (m,)."""
        return self.array @ v

    def rmatvec(self, u) -> np.ndarray:
        """Xᵀ u, (n,)."""
        return self.array.T @ u

    def inner(self, G) -> float:
        """⟨G, X⟩ for G an array, a SparseOnPattern or an Atom."""
        return float(np.vdot(G, self.array)) if isinstance(G, np.ndarray) else G.inner(self)

    def nuclear_norm(self) -> float:
        """‖X‖_*."""
        return float(np.linalg.svd(self.array, compute_uv=False).sum())

    def copy(self) -> "ObservedArray":
        return ObservedArray(self.pattern, self.array.copy())

    def to_arrays(self) -> dict[str, np.ndarray]:
        """The whole state as plain arrays; :meth:`from_arrays` continues it bit by bit."""
        return {"array": self.array.copy(), "values": self.values.copy()}

    @classmethod
    def from_arrays(cls, pattern: Pattern, arrays) -> "ObservedArray":
        """The iterate that :meth:`to_arrays` wrote, on the same pattern."""
        x = cls(pattern, np.array(arrays["array"], dtype=np.float64))
        x.values = np.array(arrays["values"], dtype=np.float64)
        return x


class ObservedAtoms:
    """X = common · Σ weights_k u_k v_kᵀ, with its values (n,) on a pattern kept up to date.

    ``toward(atom, gamma)`` costs O(n + rows + cols), as all old weights shrink by one number. Starts at zero.
    """

    def __init__(self, pattern: Pattern):
        self.pattern = pattern
        self.values = np.zeros(pattern.n)
        self._reset()

    def _reset(self):
        self._count, self._common = 0, 1.0
        self._u, self._v = np.empty((8, self.shape[0])), np.empty((8, self.shape[1]))
        self._weights = np.empty(8)

    @property
    def shape(self) -> tuple[int, int]:
        return self.pattern.shape

    def toward(self, atom, gamma: float) -> "ObservedAtoms":
        """X ← (1 − gamma) X + gamma·atom in place, 0 ≤ gamma ≤ 1; gamma = 1 leaves the one atom."""
        if not 0.0 <= gamma <= 1.0:
            raise ValueError(f"step {gamma} is outside [0, 1]")
        if atom.shape != self.shape:
            raise ValueError(f"atom of shape {atom.shape} for an iterate of shape {self.shape}")
        if gamma == 0.0:
            return self
        keep, scale = 1.0 - gamma, gamma * atom.scale
        _move(self.pattern.indptr, self.pattern.cols, self.values, atom.u, atom.v, keep, scale)
        if keep == 0.0:
            self._reset()
        self._common *= keep if keep else 1.0
        if self._common < RENORMALISE:
            self._weights[: self._count] *= self._common
            self._common = 1.0
        k = self._count
        if k == self._weights.size:
            grown = (np.empty((max(8, 2 * k), *x.shape[1:])) for x in (self._u, self._v, self._weights))
            for name, x in zip(("_u", "_v", "_weights"), grown, strict=True):
                x[:k] = getattr(self, name)
                setattr(self, name, x)
        self._u[k], self._v[k], self._weights[k] = atom.u, atom.v, scale / self._common
        self._count += 1
        return self

    def factors(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """U (m, k), w (k,), V (n, k) with X = U diag(w) Vᵀ."""
        k = self._count
        return self._u[:k].T, self._common * self._weights[:k], self._v[:k].T

    def matvec(self, v) -> np.ndarray:
        """X v, (m,)."""
        U, w, V = self.factors()
        return U @ (w * (V.T @ v))

    def rmatvec(self, u) -> np.ndarray:
        """Xᵀ u, (n,)."""
        U, w, V = self.factors()
        return V @ (w * (U.T @ u))

    def toarray(self) -> np.ndarray:
        U, w, V = self.factors()
        return (U * w) @ V.T

    def inner(self, G) -> float:
        """⟨G, X⟩ for G an array, a SparseOnPattern, an Atom or another ObservedAtoms."""
        if not isinstance(G, np.ndarray | ObservedAtoms):
            return G.inner(self)
        U, w, V = self.factors()
        if isinstance(G, ObservedAtoms):
            P, z, Q = G.factors()
            return float(w @ ((U.T @ P) * (V.T @ Q)) @ z)
        return float(np.einsum("ik,ik,k->", U, G @ V, w))

    def nuclear_norm(self) -> float:
        """‖X‖_*, from the factors while they are thin."""
        U, w, V = self.factors()
        if w.size >= min(self.shape):
            return float(np.linalg.svd(self.toarray(), compute_uv=False).sum())
        left, right = np.linalg.qr(U, mode="r"), np.linalg.qr(V, mode="r")
        return float(np.linalg.svd((left * w) @ right.T, compute_uv=False).sum())

    def copy(self) -> "ObservedAtoms":
        return ObservedAtoms.from_arrays(self.pattern, self.to_arrays())

    def to_arrays(self) -> dict[str, np.ndarray]:
        """The whole state as plain arrays; :meth:`from_arrays` continues it bit by bit."""
        k = self._count
        parts = {"u": self._u[:k], "v": self._v[:k], "weights": self._weights[:k], "common": self._common}
        return {name: np.array(part) for name, part in {"values": self.values, **parts}.items()}

    @classmethod
    def from_arrays(cls, pattern: Pattern, arrays) -> "ObservedAtoms":
        """The iterate that :meth:`to_arrays` wrote, on the same pattern."""
        x = cls(pattern)
        x.values = np.array(arrays["values"], dtype=np.float64)
        if x.values.shape != (pattern.n,):
            raise ValueError(f"{x.values.size} stored values for {pattern}")
        x._u, x._v, x._weights = (np.array(arrays[key], dtype=np.float64) for key in ("u", "v", "weights"))
        x._count, x._common = x._weights.size, float(arrays["common"])
        return x


@njit
def _move(indptr, cols, values, u, v, keep, scale):
    """values ← keep·values + (scale·u vᵀ) on the pattern, in place."""
    for i in range(u.size):
        weight = scale * u[i]
        for k in range(indptr[i], indptr[i + 1]):
            values[k] = keep * values[k] + weight * v[cols[k]]
