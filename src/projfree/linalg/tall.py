"""Tall dense matrices, taken in blocks of rows."""

from __future__ import annotations

import numpy as np

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
