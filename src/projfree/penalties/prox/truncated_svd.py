"""The prox of {rank ≤ r}: the r leading singular triplets, dense or by Lanczos bidiagonalisation, certified.

ipg cites Larsen's PROPACK as "exactly"; ARPACK and warm starts are the strong versions. A warm start is the
sum of the last r right (PROPACK: left) singular vectors with a Gaussian part of 1e-3: from a single old
vector the Krylov space collapses. Where it does, as it must for Y of a rank below r, PROPACK returns triplets
that are none, or misses some, without an error; so all that is returned has passed `sound`.
"""

import math

import numpy as np
from scipy.linalg import svd
from scipy.sparse.linalg import ArpackError, LinearOperator, svds

from projfree.linalg.partial import CHECK_STEPS, Deflated
from projfree.linalg.scaling import scaled
from projfree.linalg.singular import leading_pair
from projfree.linalg.spectral import unscaled

from . import Prox

RANDOM_PART = 1e-3
RESIDUAL = 1e-7  # relative to s₁: largest residual, or inner product of different vectors, that is sound
DENSE_ENTRIES = 4e7  # up to which a dense decomposition is the last resort

Triplets = tuple[np.ndarray, np.ndarray, np.ndarray]


def dense(Y, rank: int) -> Prox:
    """By a full decomposition of Y as an array."""
    U, s, Vt = _dense(Y, rank)
    return Prox((U * s, Vt.T.copy()), 0.0, matvecs=min(Y.shape))


def _dense(Y, rank):
    array, e = scaled(Y if isinstance(Y, np.ndarray) else Y.toarray())
    U, s, Vt = svd(array, full_matrices=False, lapack_driver="gesvd", check_finite=False)
    return U[:, :rank], np.ldexp(s[:rank], e), Vt[:rank]


def lanczos(Y, rank: int, *, solver="propack", accuracy=1e-10, warm=None, start="cold", rng=None) -> Prox:
    """The r leading triplets by `scipy.sparse.linalg.svds` to a relative accuracy, `sound` ones.

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
    left = solver == "propack" or Y.shape[0] < Y.shape[1]  # the side of a Krylov vector
    noise = (np.random.default_rng(0) if rng is None else rng).standard_normal(Y.shape[0 if left else 1])
    first = noise
    if start == "warm" and warm is not None:
        norm = np.linalg.norm(warm)
        first = (warm / norm if norm else 0.0) + RANDOM_PART * noise / np.linalg.norm(noise)
    U, s, Vt = leading(Y, rank, solver, accuracy, first, rng)
    following = (U if left else Vt.T).sum(axis=1)
    return Prox((U * s, Vt.T.copy()), 0.0, warm=following, matvecs=Y.matvecs - before)


def leading(Y, rank: int, solver="propack", tol=1e-10, first=None, rng=None):
    """(U, s, Vᵀ), s descending, that are `sound`.

    PROPACK runs again with twice the space, then ARPACK, then a dense decomposition.

    Raises
    ------
    ArithmeticError
        If nothing sound is found and Y is too large to be made dense.
    """
    X, e = Y.resized()
    attempts = [("propack", 60 * rank, first), ("propack", 120 * rank, first), ("arpack", None, None)]
    for name, maxiter, v0 in attempts if solver == "propack" else [("arpack", None, first)]:
        triplets = _lanczos_triplets(X, rank, name, tol, maxiter, v0, rng)
        good = triplets is not None and sound(X, *triplets)
        Y.matvecs, X.matvecs = Y.matvecs + X.matvecs, 0
        if triplets is not None and good:
            return unscaled(*triplets, e)
    if math.prod(Y.shape) > DENSE_ENTRIES:
        raise ArithmeticError(f"{solver} found no {rank} leading triplets of a {Y.shape} matrix")
    return _dense(Y, rank)


def _lanczos_triplets(Y, rank, solver, tol, maxiter, first, rng) -> Triplets | None:
    """(U, s, Vᵀ), s descending, as `svds` believes; None where it gives up."""
    products = {"matvec": lambda v: Y.matvec(v.ravel()), "rmatvec": lambda u: Y.rmatvec(u.ravel())}
    operator = LinearOperator(Y.shape, matmat=Y.matmat, rmatmat=Y.rmatmat, dtype=np.float64, **products)
    try:
        U, s, Vt = svds(operator, k=rank, solver=solver, tol=tol, maxiter=maxiter, v0=first, rng=rng)
    except (np.linalg.LinAlgError, ArpackError):
        return None
    order = np.argsort(-s, kind="stable")
    return U[:, order], s[order], Vt[order]


def sound(Y, U, s, Vt) -> bool:
    """Whether these are triplets of Y, orthonormal unless they are zero, and none larger seems missing.

    Residuals on both sides; then some steps of Lanczos on Y − U diag(s) Vᵀ, from a random start, and its σ₁
    would show a missing triplet (it bounds σ₁ from below: a Y without a gap passes).
    """
    if not (np.isfinite(s).all() and np.isfinite(U).all() and np.isfinite(Vt).all() and s[0] > 0.0):
        return False
    nonzero = s > RESIDUAL * s[0]
    vectors = U[:, nonzero], Vt[nonzero].T
    residuals = Y.matmat(Vt.T) - U * s, Y.rmatmat(U) - Vt.T * s
    if any(np.abs(Q.T @ Q - np.eye(Q.shape[1])).max() > RESIDUAL for Q in vectors):
        return False
    if any(not np.linalg.norm(R / s[0]) <= RESIDUAL for R in residuals):
        return False
    rest = leading_pair(Deflated(Y, U, s, Vt), tol=math.inf, least=CHECK_STEPS)
    return rest.sigma <= s[-1] + RESIDUAL * s[0]
