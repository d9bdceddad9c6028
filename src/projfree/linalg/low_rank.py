"""Low rank plus sparse: the matrices whose leading singular vectors a rank-constrained method needs."""

import numpy as np

from projfree.linalg.compiled import njit
from projfree.linalg.pattern import Pattern
from projfree.linalg.sampled import SparseOnPattern, block
from projfree.linalg.scaling import SAFE, exponent, resized


class LowRankPlusSparse:
    """Y = U Vᵀ + S with thin factors U (m, k), V (n, k) and S a `SparseOnPattern`, never formed.

    Attributes
    ----------
    dtype : float64, or float32 in which products with blocks are then done
    matvecs : int
        Products with a vector so far; a product with a block counts its columns.
    """

    def __init__(self, U, V, sparse, dtype=np.float64):
        if np.iscomplexobj(U) or np.iscomplexobj(V):
            raise ValueError("factors must be real numbers, not complex")
        self.U, self.V, self.sparse = U.astype(dtype, copy=False), V.astype(dtype, copy=False), sparse
        self.dtype = dtype
        self.matvecs = 0

    @property
    def shape(self) -> tuple[int, int]:
        return self.sparse.shape

    def matmat(self, B) -> np.ndarray:
        """Y B, (m, j), for B (n, j)."""
        B = block(B, self.dtype)
        self.matvecs += B.shape[1]
        return self._add(_add_product, B, self.U @ (self.V.T @ B))

    def rmatmat(self, B) -> np.ndarray:
        """Yᵀ B, (n, j), for B (m, j)."""
        B = block(B, self.dtype)
        self.matvecs += B.shape[1]
        return self._add(_add_transposed_product, B, self.V @ (self.U.T @ B))

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
        image = self._add(_add_product, np.ascontiguousarray(V), np.zeros((self.shape[0], V.shape[1])))
        return float(np.sum((self.U.T @ U) * (self.V.T @ V)) + np.sum(U * image))

    def sq_norm(self, image) -> float:
        """‖Y‖_F², given the values of U Vᵀ at the positions of S."""
        low_rank = float(np.sum((self.U.T @ self.U) * (self.V.T @ self.V)))
        return low_rank + 2 * float(image @ self.sparse.values) + self.sparse.sq_norm

    def toarray(self) -> np.ndarray:
        return self.U @ self.V.T + self.sparse.toarray()

    def in_single(self) -> "LowRankPlusSparse":
        """The same matrix with its products in single precision, at half the memory traffic.

        One that single precision could not hold is multiplied by a power of two.
        """
        return self.resized(np.float32)[0]

    def resized(self, dtype=np.float64) -> "tuple[LowRankPlusSparse, int]":
        """(2^−e Y, e) with products in that precision and their own count; e = 0 where that can square Y."""
        left, right, rest = (exponent(part, self.shape) for part in (self.U, self.V, self.sparse.values))
        if max(abs(left), abs(right), abs(rest)) <= SAFE[np.dtype(dtype)]:
            return LowRankPlusSparse(self.U, self.V, self.sparse, dtype), 0
        low_rank = left + right if self.U.any() and self.V.any() else rest
        e = max(low_rank, rest) if self.sparse.any() else low_rank
        sparse = type(self.sparse)(self.sparse.pattern, np.ldexp(self.sparse.values, -e))
        return LowRankPlusSparse(np.ldexp(self.U, -left), np.ldexp(self.V, left - e), sparse, dtype), e

    def _add(self, product, B, result):
        indptr, cols, values = self.sparse.csr
        product(indptr, cols, values.astype(self.dtype, copy=False), B, result)
        return result


def by_products(Y) -> LowRankPlusSparse:
    """A matrix with the products that iterations ask for: an array, or a sparse one, has no factors.

    Raises
    ------
    ValueError
        For what is neither, nor a `LowRankPlusSparse`.
    """
    if isinstance(Y, LowRankPlusSparse):
        return Y
    if isinstance(Y, np.ndarray):
        rows, cols = np.indices(Y.shape, dtype=np.int32).reshape(2, -1)
        Y = SparseOnPattern(Pattern(rows, cols, Y.shape), Y.ravel())
    if not isinstance(Y, SparseOnPattern):
        raise ValueError(f"a matrix, dense or sparse, is needed, not a {type(Y).__name__}")
    return LowRankPlusSparse(np.zeros((Y.shape[0], 0)), np.zeros((Y.shape[1], 0)), Y)


# Ten columns at a time stay in registers, as their sums do: the usual rank takes each entry once. Unsigned
# indices spare a look for negative ones.
TEN = np.uint64(10)


@njit(fastmath={"contract"})
def _add_product(indptr, cols, values, B, result):
    """result += S B."""
    width = np.uint64(B.shape[1])
    tens = width - width % TEN
    for i in range(np.uint64(indptr.size - 1)):
        first, last = np.uint64(indptr[i]), np.uint64(indptr[i + 1])
        if first == last:
            continue
        for j in range(np.uint64(0), tens, TEN):
            s0 = s1 = s2 = s3 = s4 = s5 = s6 = s7 = s8 = s9 = B.dtype.type(0)
            for k in range(first, last):
                value, row = values[k], B[np.uint64(cols[k]), j:]
                s0, s1, s2 = s0 + value * row[0], s1 + value * row[1], s2 + value * row[2]
                s3, s4, s5 = s3 + value * row[3], s4 + value * row[4], s5 + value * row[5]
                s6, s7, s8 = s6 + value * row[6], s7 + value * row[7], s8 + value * row[8]
                s9 += value * row[9]
            out = result[i, j:]
            out[0], out[1], out[2], out[3] = out[0] + s0, out[1] + s1, out[2] + s2, out[3] + s3
            out[4], out[5], out[6], out[7] = out[4] + s4, out[5] + s5, out[6] + s6, out[7] + s7
            out[8], out[9] = out[8] + s8, out[9] + s9
        for j in range(tens, width):
            total = B.dtype.type(0)
            for k in range(first, last):
                total += values[k] * B[np.uint64(cols[k]), j]
            result[i, j] += total


@njit(fastmath={"contract"})
def _add_transposed_product(indptr, cols, values, B, result):
    """result += Sᵀ B."""
    width = np.uint64(B.shape[1])
    tens = width - width % TEN
    for i in range(np.uint64(indptr.size - 1)):
        first, last = np.uint64(indptr[i]), np.uint64(indptr[i + 1])
        if first == last:
            continue
        for j in range(np.uint64(0), tens, TEN):
            row = B[i, j:]
            b0, b1, b2, b3, b4 = row[0], row[1], row[2], row[3], row[4]
            b5, b6, b7, b8, b9 = row[5], row[6], row[7], row[8], row[9]
            for k in range(first, last):
                value, out = values[k], result[np.uint64(cols[k]), j:]
                # all sums before the first is stored: the compiler cannot know that out and row differ
                s0, s1, s2 = out[0] + value * b0, out[1] + value * b1, out[2] + value * b2
                s3, s4, s5 = out[3] + value * b3, out[4] + value * b4, out[5] + value * b5
                s6, s7, s8 = out[6] + value * b6, out[7] + value * b7, out[8] + value * b8
                s9 = out[9] + value * b9
                out[0], out[1], out[2], out[3], out[4] = s0, s1, s2, s3, s4
                out[5], out[6], out[7], out[8], out[9] = s5, s6, s7, s8, s9
        for j in range(tens, width):
            for k in range(first, last):
                result[np.uint64(cols[k]), j] += values[k] * B[i, j]


def orthonormal(A) -> np.ndarray:
    """An orthonormal basis (m, k) of the columns of A (m, k): by Cholesky, else by Householder.

    Cholesky QR costs two passes over A instead of many, and loses the square of A's condition: it is enough
    once below a condition of about 10, twice below 1e5 (Yamamoto et al. 2015). Columns are brought to one
    length, which keeps it low.
    """
    A, _ = resized(A)
    lengths = np.linalg.norm(A, axis=0)
    first, condition = _cholesky_basis(A / np.where(lengths > 0, lengths, 1.0))
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
