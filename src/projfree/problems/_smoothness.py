"""Upper bounds of squared spectral norms, for smoothness constants and thus for step lengths."""

import math

import numpy as np

from ..linalg.scaling import SAFE, exponent, times_power
from ..linalg.singular import leading_pair

GRAM_SIDE = 1024  # up to this smaller side the Gram matrix is formed: some tenths of a second
TOL, GAP = 1e-6, 1e-6  # of Lanczos: relative residual, and excess of the bound
EPS, SMALLEST = float(np.finfo(float).eps), float(np.finfo(float).tiny)


def sq_norm_bound(X) -> float:
    """An upper bound of σ₁(X)² for X (m, n), dense or sparse, at most 1e-5 of it too large.

    Up to a smaller side of `GRAM_SIDE` by the eigenvalues of the Gram matrix, to which what rounding may have
    taken (Golub and Van Loan, sections 2.7 and 8.1) is added; beyond it the bound of `leading_pair`.

    Raises
    ------
    ValueError
        If σ₁² overflows, underflows though X is not zero, or if entries are not finite.
    """
    entries = X if isinstance(X, np.ndarray) else X.data
    if not entries.any():
        return 0.0
    e = max(exponent(entries, X.shape), -1000)  # 2^1074 would be none
    Y, e = (X, 0) if abs(e) <= SAFE[entries.dtype] else (X * 2.0**-e, e)
    result = times_power(_of_scaled(Y), 2 * e)
    if not SMALLEST <= result < math.inf:
        raise ValueError(f"σ₁² of the {X.shape[0]}×{X.shape[1]} features is {result}: they need scaling")
    return result


def norm_bound(X) -> float:
    """An upper bound of σ₁(X), as `sq_norm_bound`."""
    return math.sqrt(sq_norm_bound(X)) * (1 + EPS)


def _of_scaled(X) -> float:
    if min(X.shape) > GRAM_SIDE:
        pair = leading_pair(X if isinstance(X, np.ndarray) else _Sparse(X), tol=TOL, gap=GAP)
        return pair.bound**2 * (1 + 4 * EPS)
    smaller = X if X.shape[0] <= X.shape[1] else X.T
    gram = smaller @ smaller.T
    gram = gram if isinstance(gram, np.ndarray) else gram.toarray()
    return float(np.linalg.eigvalsh(gram)[-1]) + rounding(gram, sum(X.shape))


def rounding(gram, terms: int) -> float:
    """A bound on the rounding error of an eigenvalue of a Gram matrix of that many terms by `eigvalsh`."""
    return 4 * terms * EPS * float(np.trace(gram))


class _Sparse:
    """A SciPy sparse matrix for `leading_pair`."""

    def __init__(self, matrix):
        self.matrix, self.shape = matrix, matrix.shape

    def matvec(self, v):
        return self.matrix @ v

    def rmatvec(self, u):
        return self.matrix.T @ u
