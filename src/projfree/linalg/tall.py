"""Tall dense matrices, taken in blocks of rows."""

import numpy as np

from projfree.linalg.scaling import scaled

ROWS = 16_384


def triangular_factor(X) -> np.ndarray:
    """R (min(m, n), n) of X = QR for X (m, n), from QR factorisations of blocks of rows: no copy of X.

    Columns may be dependent; R then is of lower rank as X is. Signs are such that the diagonal is not
    negative.
    """
    n = X.shape[1]
    R = np.empty((0, n))
    rows = max(ROWS, 2 * n)
    for first in range(0, X.shape[0], rows):
        R = np.linalg.qr(np.concatenate([R, X[first : first + rows]]), mode="r")
    signs = np.where(np.diagonal(R) < 0, -1.0, 1.0)
    R[: signs.size] *= signs[:, None]
    return R


def row_space(X):
    """X (m, n), m < n, in an orthonormal basis Q (n, r) of its rows' span: (X Q, Y ↦ Y Q), r the rank.

    From the triangular factor of Xᵀ and its SVD: with Xᵀ = Q₀R and R = E S Fᵀ, Q = Q₀E = Xᵀ F S⁻¹, so that
    X Q = F S and no n × m basis is formed.
    """
    X, e = scaled(X)
    _, s, Ft = np.linalg.svd(triangular_factor(X.T))
    r = int(np.sum(s > 1e-12 * s[0]))
    F, s = Ft[:r].T, s[:r]
    return np.ldexp(F * s, e), lambda Y: (Y @ X.T) @ (F / s)
