"""The inexact prox of {rank ≤ r} by block power iteration with a warm start.

A sweep is Q = qr(Y V), B = YᵀQ, V = qr(B), where only the span matters before the last; the point is Q Bᵀ,
the projection of Y onto the range of Q. Since ‖Y − QQᵀY‖² = ‖Y‖² − ‖B‖², its error in closed form is
(Σ_{i≤r} σ_i(Y)² − ‖B‖²)/(2γ); the singular values are not known to the method, so the driver measures the
error, with the clock stopped (metric ``prox_error``). Sweeps, warm start and oversampling are not stated
(deviation U10). All sweeps but the last, which only find the V to start from, are in single precision: the
formula holds for any Q, and rounding moves the range of Q by far less than a sweep does.
"""

import numpy as np

from projfree.linalg.low_rank import orthonormal
from projfree.linalg.scaling import resized

from . import Prox


def prox(
    Y, rank: int, *, warm=None, rng=None, sweeps: int = 2, first: int = 4, oversample: int = 0, start="warm"
) -> Prox:
    """A point of rank ≤ r near Y.

    Parameters
    ----------
    Y : LowRankPlusSparse
    warm : ndarray (n, r), optional
        V of an earlier call.
    sweeps, first : int
        Sweeps of a call with a warm start, and without.
    oversample : int
        Columns carried in addition to the r that are kept.
    start : {"warm", "cold"}
    """
    if sweeps < 1 or first < 1 or oversample < 0:
        given = f"sweeps {sweeps}, first {first}, oversample {oversample}"
        raise ValueError(f"block_power: {given} are too small")
    width = min(rank + oversample, *Y.shape)
    cold = warm is None or start == "cold"
    if not np.isfinite(Y.sparse.values).all():
        raise ValueError("prox: the matrix has entries that are not finite")
    rng = np.random.default_rng(0) if rng is None else rng
    V = rng.standard_normal((Y.shape[1], width)) if cold else warm
    before, passes, rough = Y.matvecs, first if cold else sweeps, Y.in_single()
    for _ in range(passes - 1):
        V = _scaled_basis(rough.rmatmat(_scaled_basis(rough.matmat(V))))
    Q = orthonormal(Y.matmat(V))
    B = Y.rmatmat(Q)
    V = _scaled_basis(B)
    if width > rank:
        basis, triangle = np.linalg.qr(B)  # the best rank-r part of Q Bᵀ
        A, s, Ct = np.linalg.svd(triangle.T)
        Q, B = Q @ A[:, :rank], basis @ (Ct[:rank].T * s[:rank])
    return Prox((Q, B), 0.0, gap=np.nan, passes=passes, warm=V, matvecs=rough.matvecs + Y.matvecs - before)


def _scaled_basis(B):
    """The columns of B turned and scaled to be nearly orthonormal; only their span matters."""
    B, _ = resized(B)
    sizes, turn = np.linalg.eigh((B.T @ B).astype(np.float64))
    if sizes[-1] <= 0.0:
        return np.eye(*B.shape, dtype=B.dtype)  # of a zero matrix any basis will do
    keep = np.maximum(sizes, np.finfo(B.dtype).eps * sizes[-1]) ** -0.5
    return B @ (turn * keep).astype(B.dtype)
