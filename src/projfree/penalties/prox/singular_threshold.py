"""Singular value thresholding, argmin ½‖W − Y‖² + τ‖W‖_tr: by a full decomposition, or by the part above τ.

All give factors (U, V) with ‖U_i‖² = ‖V_i‖² = σ_i − τ, columns in descending order, so that the trace norm
of the result is ‖U‖².
"""

from dataclasses import replace

import numpy as np

from ...linalg.low_rank import orthonormal
from ...linalg.spectral import economy_svd
from . import Prox
from .truncated_svd import leading


def full(Y, threshold: float, **_) -> Prox:
    """Of Y (m, n), an array or array-like."""
    return _shrunk(*economy_svd(Y if isinstance(Y, np.ndarray) else Y.toarray()), threshold, matvecs=0)


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
    return replace(full(Y.toarray(), threshold), matvecs=Y.matvecs - before)


def block(Y, threshold: float, *, warm, guess: int = 5, accuracy=1e-4, most: int = 8, rng=None) -> Prox:
    """Of an operator Y by block power sweeps from `warm` (n, ·), columns that nearly span the result.

    Sweeps end when the trace norm of the result moves by its share `accuracy`, or after `most`; values near
    τ may come and go. While all are above τ, columns are added; then an eighth more are swept than are above.
    Not certified: the error is what a sweep would still change, and what is not in the span yet.
    """
    rng, before, smaller = np.random.default_rng(0) if rng is None else rng, Y.matvecs, min(Y.shape)
    V, last = _with_random(warm, max(guess - warm.shape[1], 2), rng), np.inf
    for _ in range(most):
        if 3 * V.shape[1] >= smaller:
            return replace(full(Y.toarray(), threshold), matvecs=Y.matvecs - before)
        Q = orthonormal(Y.matmat(V))
        right, sigma, At = economy_svd(Y.rmatmat(Q))
        width, norm = np.count_nonzero(sigma > threshold), np.maximum(sigma - threshold, 0.0).sum()
        if width == sigma.size:
            V = _with_random(right, width, rng)
        elif abs(norm - last) <= accuracy * norm:
            break
        else:
            V = right[:, : width + width // 8 + 5]
        last = norm
    return _shrunk(Q @ At.T, sigma, right.T, threshold, matvecs=Y.matvecs - before)


def _with_random(V, count, rng):
    """V and as many random columns, orthonormal."""
    return np.linalg.qr(np.hstack([V, rng.standard_normal((V.shape[0], count))]))[0]


def _shrunk(A, sigma, Bt, threshold, matvecs):
    width = int(np.count_nonzero(sigma > threshold))
    root = np.sqrt(sigma[:width] - threshold)
    factors = np.ascontiguousarray(A[:, :width] * root), np.ascontiguousarray(Bt[:width].T * root)
    return Prox(factors, float(np.sum(root**2)), matvecs=matvecs)
