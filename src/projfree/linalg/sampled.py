"""Matrices seen on a pattern of observed positions: sparse gradients, sampled products, sums of atoms."""

import numpy as np

from projfree.linalg import row_kernels
from projfree.linalg.compiled import njit
from projfree.linalg.pattern import Pattern
from projfree.linalg.validation import finite, matrix, real


class SparseOnPattern:
    """A sparse matrix on a pattern: values (n,) in the pattern's order, everything else zero.

    Values in float32 stay so (there may be 10^8 of them), all others become float64.
    """

    def __init__(self, pattern: Pattern, values):
        self.pattern = pattern
        single = getattr(values, "dtype", None) == np.float32
        self.values = np.ascontiguousarray(values if single else real("values", values))
        if self.values.shape != (pattern.n,):
            raise ValueError(f"{self.values.shape} values for a pattern of {pattern.n} positions")

    @property
    def shape(self) -> tuple[int, int]:
        return self.pattern.shape

    @property
    def csr(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(indptr, cols, values), the arrays that compiled kernels take."""
        return self.pattern.indptr, self.pattern.cols, self.values

    @property
    def sq_norm(self) -> float:
        return float(self.values @ self.values)

    def matvec(self, v) -> np.ndarray:
        """G v, (m,)."""
        return row_kernels.matvec(*self.csr, _vector(v, self.shape[1]))

    def rmatvec(self, u) -> np.ndarray:
        """Gᵀ u, (n_cols,)."""
        return row_kernels.rmatvec(*self.csr, _vector(u, self.shape[0]), self.shape[1])

    def matmat(self, B) -> np.ndarray:
        """G B, (m, k), in the precision of the values; each sum of a row too."""
        return self._block_product(row_kernels.add_matmat, B, self.shape[1], self.shape[0])

    def rmatmat(self, B) -> np.ndarray:
        """Gᵀ B, (n_cols, k), in the precision of the values."""
        return self._block_product(row_kernels.add_rmatmat, B, self.shape[0], self.shape[1])

    def _block_product(self, kernel, B, before, after):
        B = block(B, self.values.dtype)
        if B.ndim != 2 or B.shape[0] != before:
            raise ValueError(f"block of shape {B.shape} where ({before}, k) is needed")
        result = np.zeros((after, B.shape[1]), B.dtype)
        kernel(*self.csr, B, result)
        return result

    def toarray(self) -> np.ndarray:
        return self.add_to(np.zeros(self.shape))

    def add_to(self, X, weight=1.0) -> np.ndarray:
        """X += weight·G in place on a dense X."""
        _check_dense(X, self.shape)
        _scatter_add(*self.csr, X, float(weight))
        return X

    def scaled(self, weight) -> "SparseOnPattern":
        return SparseOnPattern(self.pattern, weight * self.values)

    def copy(self) -> "SparseOnPattern":
        return SparseOnPattern(self.pattern, self.values.copy())

    def add_entries(self, weights, indices) -> "SparseOnPattern":
        """Add weights (b,) at the positions of those numbers in place; repeated numbers add up."""
        _add_entries(self.values, weights, indices)
        return self

    def __iadd__(self, other) -> "SparseOnPattern":
        other.add_values(self.values)
        return self

    def add_values(self, total):
        """Add the values to an array (n,) in place."""
        total += self.values

    def __sub__(self, other) -> "SparseOnPattern":
        return SparseOnPattern(self.pattern, self.values - other.values)

    def any(self) -> bool:
        return bool(self.values.any())

    def to_arrays(self) -> dict[str, np.ndarray]:
        """The values; the pattern belongs to the problem."""
        return {"values": self.values.copy()}

    @classmethod
    def from_arrays(cls, pattern: Pattern, arrays) -> "SparseOnPattern":
        """What :meth:`to_arrays` wrote, on the same pattern."""
        return cls(pattern, arrays["values"])

    def inner(self, X) -> float:
        """⟨G, X⟩ for X an array, an Atom, a SparseOnPattern or ObservedAtoms."""
        if isinstance(X, np.ndarray):
            return float(self.values @ gather(self.pattern, X))
        if hasattr(X, "pattern"):
            if not self.pattern.same(X.pattern):
                raise ValueError(f"inner product on different patterns, {self.pattern} and {X.pattern}")
            return float(self.values @ X.values)
        return X.inner(self)


class QuotientOnPattern(SparseOnPattern):
    """Values numerators/divisor, formed where they are asked for: no memory beside that of the numerators."""

    def __init__(self, pattern: Pattern, numerators, divisor):
        self.pattern, self.numerators, self.divisor = pattern, numerators, float(divisor)

    @property
    def values(self) -> np.ndarray:
        """(n,), a new array each time."""
        return self.numerators / self.divisor

    def copy(self) -> SparseOnPattern:
        return SparseOnPattern(self.pattern, self.values)

    def add_values(self, total):
        _add_quotient(total, self.numerators, self.divisor)

    def to_arrays(self) -> dict[str, np.ndarray]:
        return {"numerators": self.numerators, "divisor": np.array(self.divisor)}

    @classmethod
    def from_arrays(cls, pattern: Pattern, arrays) -> SparseOnPattern:
        return cls(pattern, arrays["numerators"], arrays["divisor"])


def operator(name: str, G):
    """A matrix of at least one entry, or what has products with vectors; what is sparse stays so.

    Raises
    ------
    ValueError
        Of an array as `validation.matrix`; of a sparse one of SciPy also where an entry is not finite.
    """
    if hasattr(G, "matvec") and 0 not in G.shape:
        return G
    if hasattr(G, "tocoo") and G.ndim == 2 and 0 not in G.shape:
        stored = G.tocoo(copy=True)
        stored.sum_duplicates()
        pattern, values = Pattern(stored.row, stored.col, stored.shape), finite(name, real(name, stored.data))
        return SparseOnPattern(pattern, values[pattern.order])
    return matrix(name, G)


@njit
def _add_quotient(total, numerators, divisor):
    for k in range(total.size):
        total[k] += numerators[k] / divisor


@njit
def _add_entries(values, weights, indices):
    for k in range(indices.size):
        values[indices[k]] += weights[k]


def snapshot(x):
    """What is needed to evaluate components at x again: a copy of an array, else the observed entries."""
    return x.copy() if isinstance(x, np.ndarray) else SparseOnPattern(x.pattern, x.values.copy())


def difference(x, point):
    """x − point for an iterate and a snapshot, an array or the observed entries, in the snapshot's place."""
    if isinstance(x, np.ndarray):
        return np.subtract(x, point, out=point)
    np.subtract(x.values, point.values, out=point.values)
    return point


def sq_distance(x, atom) -> float:
    """‖atom − x‖² for an array, or over the observed entries, which are all that a sampled loss sees."""
    if isinstance(x, np.ndarray):
        return float(np.sum(((atom if isinstance(atom, np.ndarray) else atom.toarray()) - x) ** 2))
    return float(np.sum((sample_outer(x.pattern, atom.u, atom.v, atom.scale) - x.values) ** 2))


def gather(pattern: Pattern, X) -> np.ndarray:
    """Values (n,) of a dense X at the pattern's positions."""
    _check_dense(X, pattern.shape)
    return _gather(pattern.indptr, pattern.cols, X)


@njit
def _gather(indptr, cols, X):
    result = np.empty(cols.size)
    for i in range(indptr.size - 1):
        for k in range(indptr[i], indptr[i + 1]):
            result[k] = X[i, cols[k]]
    return result


@njit
def _scatter_add(indptr, cols, values, X, weight):
    for i in range(indptr.size - 1):
        for k in range(indptr[i], indptr[i + 1]):
            X[i, cols[k]] += weight * values[k]


def _vector(x, length):
    """x as the compiled kernels take it; they do not look whether it is long enough."""
    x = real("a vector", x)
    if x.shape != (length,):
        raise ValueError(f"vector of shape {x.shape} where ({length},) is needed")
    return x


def block(B, dtype) -> np.ndarray:
    """Columns as the compiled kernels take them, in the precision of the products."""
    if np.iscomplexobj(B):
        raise ValueError("a block of columns must be real numbers, not complex")
    return np.ascontiguousarray(B, dtype=dtype)


def _check_dense(X, shape):
    if X.shape != shape:
        raise ValueError(f"matrix of shape {X.shape} on a pattern of shape {shape}")


def sampled_product(pattern: Pattern, U, V) -> np.ndarray:
    """(U Vᵀ) at the pattern's positions, (n,), for U (m, k) and V (n, k), without forming U Vᵀ."""
    U, V = np.ascontiguousarray(real("U", U)), np.ascontiguousarray(real("V", V))
    if U.shape[0] != pattern.shape[0] or V.shape[0] != pattern.shape[1] or U.shape[1:] != V.shape[1:]:
        raise ValueError(f"factors {U.shape} and {V.shape} for {pattern}")
    return _sampled_product(pattern.indptr, pattern.cols, U, V)


@njit(fastmath={"reassoc", "contract"})  # the sum over the factors in any order, several at a time
def _sampled_product(indptr, cols, U, V):
    result, width = np.empty(cols.size), np.uint64(U.shape[1])
    for i in range(np.uint64(indptr.size - 1)):
        for k in range(np.uint64(indptr[i]), np.uint64(indptr[i + 1])):
            total, j = 0.0, np.uint64(cols[k])
            for r in range(width):
                total += U[i, r] * V[j, r]
            result[k] = total
    return result


def sample_outer(pattern: Pattern, u, v, scale=1.0) -> np.ndarray:
    """(scale·u vᵀ) at the pattern's positions, (n,)."""
    u, v = _vector(u, pattern.shape[0]), _vector(v, pattern.shape[1])
    return _sample_outer(pattern.indptr, pattern.cols, u, v, float(scale))


@njit
def _sample_outer(indptr, cols, u, v, scale):
    result = np.empty(cols.size)
    for i in range(u.size):
        weight = scale * u[i]
        for k in range(indptr[i], indptr[i + 1]):
            result[k] = weight * v[cols[k]]
    return result
