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


# Unsigned indices spare the compiled loops a look for negative ones.
@njit
def _add_product(indptr, cols, values, B, result):
    width = np.uint64(B.shape[1])
    for i in range(np.uint64(indptr.size - 1)):
        for k in range(np.uint64(indptr[i]), np.uint64(indptr[i + 1])):
            value, col = values[k], np.uint64(cols[k])
            for j in range(width):
                result[i, j] += value * B[col, j]


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
    """An orthonormal basis (m, k) of the columns of A (m, k): by Cholesky, else by Householder.

    Cholesky QR costs two passes over A instead of many, and loses the square of A's condition: it is enough
    once below a condition of about 10, twice below 1e5 (Yamamoto et al. 2015).
    """
    first, condition = _cholesky_basis(A)
    if condition > 10:
        first, condition = _cholesky_basis(first) if condition < 1e5 else (None, np.inf)
    return np.linalg.qr(A)[0] if first is None else first


def _cholesky_basis(A):
    """(A L⁻ᵀ with LLᵀ = AᵀA, an estimate of A's condition), or (None, ∞)."""
    try:
        L = np.linalg.cholesky(A.T @ A)
    except np.linalg.LinAlgError:
        return None, np.inf
    inverse = np.linalg.inv(L)
    return A @ inverse.T, float(np.linalg.norm(L, 2) * np.linalg.norm(inverse, 2))
