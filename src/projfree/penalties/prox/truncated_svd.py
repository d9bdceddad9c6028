"""The prox of {rank ≤ r}: the r leading singular triplets, dense or by Lanczos bidiagonalisation.

ipg cites Larsen's PROPACK as "exactly"; ARPACK and warm starts are the strong versions. A warm start is the
sum of the last r right (PROPACK: left) singular vectors with a Gaussian part of 1e-3: from a single old
vector the Krylov space collapses, and PROPACK returns wrong triplets without an error.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import svd
from scipy.sparse.linalg import ArpackError, LinearOperator, svds

from . import Prox

RANDOM_PART = 1e-3


def dense(Y, rank: int) -> Prox:
    """By a full decomposition of Y as an array."""
    array = Y if isinstance(Y, np.ndarray) else Y.toarray()
    if not np.isfinite(array).all():
        raise ValueError("prox: the matrix has entries that are not finite")
    U, s, Vt = svd(array, full_matrices=False, lapack_driver="gesvd")
    k = min(rank, s.size)
    return Prox((U[:, :k] * s[:k], Vt[:k].T.copy()), 0.0, matvecs=min(array.shape))


def lanczos(Y, rank: int, *, solver="propack", accuracy=1e-10, warm=None, start="cold", rng=None) -> Prox:
    """The r leading triplets by `scipy.sparse.linalg.svds` to a relative accuracy.

    Parameters
    ----------
    solver : {"propack", "arpack"}
    start : {"cold", "warm"}
        Whether `warm`, the sum of an earlier call's singular vectors, is the first Krylov vector.
    """
    if rank >= min(Y.shape):
        return dense(Y, rank)
    if not np.isfinite(Y.sparse.values).all():
        raise ValueError("prox: the matrix has entries that are not finite")
    before = Y.matvecs
    U, s, Vt = leading(Y, rank, solver, accuracy, _first(Y, solver, warm, start, rng), rng)
    following = (
        U.sum(axis=1) if solver == "propack" else (U if U.shape[0] < Vt.shape[1] else Vt.T).sum(axis=1)
    )
    return Prox((U * s, Vt.T.copy()), 0.0, warm=following, matvecs=Y.matvecs - before)


def leading(Y, rank: int, solver="propack", tol=1e-10, first=None, rng=None):
    """(U, s, Vᵀ), s descending. Where PROPACK's space is too small it is doubled; then ARPACK is asked."""
    operator = LinearOperator(
        Y.shape,
        matvec=lambda v: Y.matvec(v.ravel()),
        rmatvec=lambda u: Y.rmatvec(u.ravel()),
        matmat=Y.matmat,
        rmatmat=Y.rmatmat,
        dtype=np.float64,
    )
    for maxiter in (60 * rank, 120 * rank) if solver == "propack" else (None,):
        try:
            U, s, Vt = svds(operator, k=rank, solver=solver, tol=tol, maxiter=maxiter, v0=first, rng=rng)
        except (np.linalg.LinAlgError, ArpackError):
            continue
        order = np.argsort(-s, kind="stable")
        return U[:, order], s[order], Vt[order]
    if solver == "arpack":
        raise ArithmeticError(f"ARPACK found no {rank} leading triplets of a {Y.shape} matrix")
    return leading(Y, rank, "arpack", tol, None, rng)


def _first(Y, solver, warm, start, rng):
    """The first Krylov vector: PROPACK wants length m, ARPACK min(m, n)."""
    size = Y.shape[0] if solver == "propack" else min(Y.shape)
    noise = np.random.default_rng(0) if rng is None else rng
    noise = noise.standard_normal(size)
    if start == "cold" or warm is None:
        return noise
    return warm / np.linalg.norm(warm) + RANDOM_PART * noise / np.linalg.norm(noise)
