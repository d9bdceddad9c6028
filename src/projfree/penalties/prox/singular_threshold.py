"""Singular value thresholding, argmin ½‖W − Y‖² + τ‖W‖_tr: by a full decomposition, or by the part above τ.

Both give factors (U, V) with ‖U_i‖² = ‖V_i‖² = σ_i − τ, columns in descending order, so that the trace norm
of the result is ‖U‖².
"""

from __future__ import annotations

import numpy as np

from ...linalg.spectral import economy_svd
from . import Prox
from .truncated_svd import leading


def full(Y, threshold: float, **_) -> Prox:
    """Of an array Y (m, n)."""
    return _shrunk(*economy_svd(Y), threshold, matvecs=0)


def partial(Y, threshold: float, *, guess: int = 5, accuracy=1e-8, rng=None) -> Prox:
    """Of an operator Y (`LowRankPlusSparse`) by Lanczos bidiagonalisation, with `guess` triplets first.

    Their number doubles until the least of them is ≤ τ: then no singular value above τ is missing.
    """
    rank, smaller, before = max(1, guess), min(Y.shape), Y.matvecs
    while 2 * rank < smaller:
        A, sigma, Bt = leading(Y, rank, tol=accuracy, rng=rng)
        if sigma[-1] <= threshold:
            return _shrunk(A, sigma, Bt, threshold, matvecs=Y.matvecs - before)
        rank *= 2
    found = full(Y.toarray(), threshold)
    found.matvecs = Y.matvecs - before
    return found


def _shrunk(A, sigma, Bt, threshold, matvecs):
    kept = int(np.count_nonzero(sigma > threshold))
    root = np.sqrt(sigma[:kept] - threshold)
    factors = np.ascontiguousarray(A[:, :kept] * root), np.ascontiguousarray(Bt[:kept].T * root)
    return Prox(factors, float(np.sum(root**2)), matvecs=matvecs)
