"""Low rank plus sparse: the matrices whose leading singular vectors a rank-constrained method needs."""

from __future__ import annotations

import numpy as np

from projfree.linalg.compiled import njit


class LowRankPlusSparse:
    """Y = U Vᵀ + S with thin factors U (m, k), V (n, k) and S a `SparseOnPattern`, never formed.

    Attributes
    ----------
    matvecs : int
        Products with a vector so far; a product with a block counts its columns.
    """

    def __init__(self, U, V, sparse):
        self.U, self.V, self.sparse = U, V, sparse
        self.matvecs = 0

    @property
    def shape(self) -> tuple[int, int]:
        return self.sparse.shape

    def matmat(self, B) -> np.ndarray:
        """Y B, (m, j), for B (n, j)."""
        B = np.ascontiguousarray(B, dtype=np.float64)
        self.matvecs += B.shape[1]
        result = self.U @ (self.V.T @ B)
        _add_product(*self.sparse.csr, B, result)
        return result

    def rmatmat(self, B) -> np.ndarray:
        """Yᵀ B, (n, j), for B (m, j)."""
        B = np.ascontiguousarray(B, dtype=np.float64)
        self.matvecs += B.shape[1]
        result = self.V @ (self.U.T @ B)
        _add_transposed_product(*self.sparse.csr, B, result)
        return result

    def matvec(self, v) -> np.ndarray:
        """Y v, (m,)."""
        self.matvecs += 1
        return self.U @ (self.V.T @ v) + self.sparse.matvec(v)

    def rmatvec(self, u) -> np.ndarray:
        """Yᵀ u, (n,)."""
        self.matvecs += 1
        return self.V @ (self.U.T @ u) + self.sparse.rmatvec(u)

    def inner(self, U, V) -> float:
        """⟨Y, U Vᵀ⟩."""
        return float(np.sum((self.U.T @ U) * (self.V.T @ V)) + np.sum(U * self._sparse_times(V)))

    def sq_norm(self, image) -> float:
        """‖Y‖_F², given the values of U Vᵀ at the positions of S."""
        low_rank = float(np.sum((self.U.T @ self.U) * (self.V.T @ self.V)))
        return low_rank + 2 * float(image @ self.sparse.values) + self.sparse.sq_norm

    def toarray(self) -> np.ndarray:
        return self.U @ self.V.T + self.sparse.toarray()

    def _sparse_times(self, V):
        result = np.zeros((self.shape[0], V.shape[1]))
        _add_product(*self.sparse.csr, np.ascontiguousarray(V), result)
        return result


@njit
def _add_product(indptr, cols, values, B, result):
    width = B.shape[1]
    for i in range(indptr.size - 1):
        row = result[i]
        for k in range(indptr[i], indptr[i + 1]):
            value, other = values[k], B[cols[k]]
            for j in range(width):
                row[j] += value * other[j]


@njit
def _add_transposed_product(indptr, cols, values, B, result):
    width = B.shape[1]
    for i in range(indptr.size - 1):
        row = B[i]
        for k in range(indptr[i], indptr[i + 1]):
            value, target = values[k], result[cols[k]]
            for j in range(width):
                target[j] += value * row[j]


def orthonormal(A) -> np.ndarray:
    """An orthonormal basis (m, k) of the columns of A (m, k): Cholesky twice, else Householder.

    Cholesky QR costs two passes over A instead of many; done twice it is orthonormal to rounding while A's
    condition stays below about 1e7 (Yamamoto et al. 2015).
    """
    first = _cholesky_basis(A, 1e-10)
    second = None if first is None else _cholesky_basis(first, 0.5)
    return np.linalg.qr(A)[0] if second is None else second


def _cholesky_basis(A, least):
    """A L⁻ᵀ with LLᵀ = AᵀA, or None where the smallest pivot is below `least` of the largest."""
    gram = A.T @ A
    try:
        L = np.linalg.cholesky(gram)
    except np.linalg.LinAlgError:
        return None
    pivots = np.diagonal(L) ** 2
    if not pivots.min() > least * pivots.max():
        return None
    return A @ np.linalg.inv(L).T
