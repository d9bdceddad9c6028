"""Projection onto the nuclear-norm ball by the Gram matrix of the small side."""

import math

import numpy as np
from scipy.linalg import eigh, lapack

from projfree.linalg.projections import project_simplex, simplex_threshold
from projfree.linalg.spectral import GRAM_FLOOR

EXACT = 1e-3  # a threshold above this share of σ₁ moves by rounding alone, 1e-13 σ₁ or less
FEW = 6  # vectors that are less than a sixth of all are found faster one by one than all together


def project_by_gram(X, radius, exact=False):
    """X·V f Vᵀ with XᵀX = V s² Vᵀ and f = (s − θ)₊/s (for a wide X, of Xᵀ); X itself if it lies inside.

    It takes two products with X, of 2·max(m, n)·min(m, n)² flops each; U s Vᵀ takes four. The result is None
    if squares lose too much: if entries are not finite, too small or too large, or θ is below the resolution
    of a Gram matrix. With `exact`, it is also None if θ is below `EXACT` or X may lie outside by rounding,
    and no more eigenvectors are computed than are kept; without, all are, as in published runs to the bit.
    """
    wide = X.shape[0] < X.shape[1]
    with np.errstate(over="ignore", invalid="ignore"):
        gram = X @ X.T if wide else X.T @ X
        trace = float(np.trace(gram))
    if not 1e-200 < trace < 1e200:
        return None
    if exact and len(gram) > 1:
        values, vectors = _by_rank(gram, radius)
    else:
        values, V = eigh(gram, check_finite=False, overwrite_a=True, driver="evd")
        vectors = lambda mask: V[:, mask]  # noqa: E731
    s = np.sqrt(np.maximum(values, 0.0))
    s[s <= GRAM_FLOOR * s[-1]] = 0.0
    unseen = GRAM_FLOOR * s[-1] * s.size if exact else 0.0
    if s.sum() + unseen <= radius:
        return X
    if s.sum() <= radius:
        return None
    theta = simplex_threshold(s[::-1], radius)
    if theta <= (EXACT if exact else 10 * GRAM_FLOOR) * s[-1]:
        return None
    left = project_simplex(s, radius)  # not s − θ, which loses the digits of a small radius
    mask = left > 0.0
    return _filtered(X, vectors(mask), left[mask] / s[mask], wide)


def _by_rank(gram, radius):
    """Ascending eigenvalues, and a function that finds the vectors of the largest, those that are kept.

    Both come from one tridiagonal form: all values alone cost little, and they tell how many vectors to find,
    by relatively robust representations [Dhillon & Parlett 2004] if these are few.
    """
    n, lwork = len(gram), int(lapack.dsytrd_lwork(len(gram), lower=1)[0])
    Q, diagonal, beside, tau, _ = lapack.dsytrd(gram.T, lower=1, lwork=lwork, overwrite_a=1)
    row_sums = diagonal + np.abs(np.append(beside, 0.0)) + np.abs(np.append(0.0, beside))
    V = None
    if FEW * radius > n * math.sqrt(row_sums.max()):  # rank ≥ radius/σ₁: many will be kept
        values, V, failed = lapack.dstevd(diagonal, beside)
    else:
        values, failed = lapack.dsterf(diagonal, beside)
    _succeeded(failed)

    def vectors(mask):
        k = np.count_nonzero(mask)
        eigenvectors = V if V is not None else _of_tridiagonal(diagonal, beside, k)
        return _reflected(Q, tau, eigenvectors[:, eigenvectors.shape[1] - k :])

    return values, vectors


def _of_tridiagonal(diagonal, beside, k):
    """Vectors (n, k) of the k largest eigenvalues, or of all."""
    n = diagonal.size
    if FEW * k >= n:
        _, V, failed = lapack.dstevd(diagonal, beside)
    else:
        beside, last = np.append(beside, 0.0), (2, 0.0, 0.0, n - k + 1, n)
        lwork, liwork, _ = lapack.dstemr_lwork(diagonal, beside, *last)
        *_, V, failed = lapack.dstemr(diagonal, beside, *last, lwork=int(lwork), liwork=int(liwork))
        V = V[:, :k]
    _succeeded(failed)
    return V


def _reflected(Q, tau, V):
    """Q V by the reflectors below the diagonal of Q, which leave the first row."""
    call = ("L", "N", Q[1:, :-1], tau, V[1:])
    lwork = int(lapack.dormqr(*call, -1)[1][0])
    return np.vstack([V[:1], lapack.dormqr(*call, lwork)[0]])


def _succeeded(failed):
    if failed:
        raise ArithmeticError(f"the eigenproblem of a Gram matrix was not solved (LAPACK says {failed})")


def _filtered(X, V, f, wide):
    """X·V f Vᵀ, or V f Vᵀ·X, in the order of the fewer flops."""
    if 2 * f.size < V.shape[0]:
        return (V * f) @ (V.T @ X) if wide else (X @ (V * f)) @ V.T
    shrink = (V * f) @ V.T
    return shrink @ X if wide else X @ shrink
