"""Singular value decompositions: economy, by the Gram matrix of the small side, and partial, certified."""

from __future__ import annotations

import math

import numpy as np
import scipy.linalg

from projfree.linalg.scaling import scaled, times_power

BLOCK = 16  # fewest directions that a round of the partial decomposition adds
# Columns of XV whose sizes differ more are made orthonormal by QR: the Gram matrix leaves them so to
# eps·σ₁/σ_k only.
ORTHOGONAL_FLOOR = 1e-2
GRAM_FLOOR = 1e-8  # √eps: below it, relative to σ₁, a Gram matrix cannot tell a singular value from zero


def economy_svd(X):
    """U (m, k), s (k,), Vt (k, n) with k = min(m, n), by LAPACK gesdd. ValueError if X is not finite."""
    X, e = scaled(X)
    return _unscaled(*scipy.linalg.svd(X, full_matrices=False, check_finite=False, lapack_driver="gesdd"), e)


def gram_svd(X):
    """U (m, k), s (k,), Vt (k, n) from the eigenproblem of the small side.

    k counts the singular values above 1e-8 σ₁; smaller ones drown in the squared condition number.
    """
    X, e = scaled(X)
    if X.shape[0] < X.shape[1]:
        U, s, Vt = _tall_gram_svd(X.T)
        return _unscaled(Vt.T, s, U.T, e)
    return _unscaled(*_tall_gram_svd(X), e)


def _tall_gram_svd(X):
    values, vectors = scipy.linalg.eigh(X.T @ X, check_finite=False, overwrite_a=True, driver="evd")
    keep = values[::-1] > GRAM_FLOOR**2 * max(values[-1], 0.0)
    V = vectors[:, ::-1][:, keep]
    images = X @ V
    s = np.sqrt(np.einsum("ij,ij->j", images, images))
    if s.size and s.min() > ORTHOGONAL_FLOOR * s.max():
        return images / s, s, V.T
    U, s, V = _ritz_triplets(images, V)
    seen = s > GRAM_FLOOR * s[:1]  # rounding can lift an eigenvalue that should be zero above the floor
    return U[:, seen], s[seen], V.T[seen]


def _unscaled(U, s, Vt, e):
    """The triplets of 2^e X from those of X."""
    return U, np.ldexp(s, e) if e else s, Vt


def nuclear_norm(X) -> float:
    """Sum of the singular values of a dense X."""
    X, e = scaled(X)
    return times_power(float(scipy.linalg.svd(X, compute_uv=False, check_finite=False).sum()), e)


def partial_svd(X, threshold, *, rng=None, tol=1e-10, max_rank=None):
    """Leading singular triplets, as many as lie above a threshold that depends on them; certified.

    The basis grows by blocks of residuals (a block Krylov space) until the triplets above the threshold have
    residuals R = XᵀU − VS with ‖R‖_F ≤ tol·s₁, and the next singular value, its residual added, lies below.
    They are exact triplets of X − URᵀ then, so a projection made of them is within tol·s₁ of that of X.

    Parameters
    ----------
    X : ndarray (m, n)
    threshold : callable
        Descending Ritz values (k,) -> value below which triplets are not wanted, or None: not known yet.
    rng : numpy Generator, optional
        Source of the first block; a fixed one by default.
    max_rank : int, optional
        Largest basis; by default min(m, n)//5, beyond which gram_svd is faster.

    Returns
    -------
    U (m, k), s (k,), Vt (k, n), or None where max_rank does not suffice: a full one is cheaper then.
    """
    X, e = scaled(X)
    limit = min(X.shape) // 5 if max_rank is None else max_rank
    rng = np.random.default_rng(0) if rng is None else rng
    new = rng.standard_normal((X.shape[1], BLOCK))
    V, images = np.empty((X.shape[1], 0)), np.empty((X.shape[0], 0))
    while V.shape[1] + new.shape[1] <= limit:
        # Householder QR of all, not of the new block: orthonormal even where the new directions are spent.
        fresh = np.linalg.qr(np.hstack([V, new]))[0][:, V.shape[1] :]
        U, s, V = _ritz_triplets(np.hstack([images, X @ fresh]), np.hstack([V, fresh]))
        images, level = U * s, threshold(np.ldexp(s, e))
        level = None if level is None else times_power(level, -e)
        wanted = s.size if level is None else int(np.count_nonzero(s > level))
        width = max(BLOCK, wanted + 4 if level is not None else s.size // 2)
        block = slice(0, min(s.size, wanted + width))
        residuals = X.T @ U[:, block] - V[:, block] * s[block]
        sizes = np.linalg.norm(residuals, axis=0)
        converged = np.linalg.norm(sizes[:wanted]) <= tol * s[0]
        new = residuals[:, sizes > 0.1 * tol * s[0] / math.sqrt(s.size)][:, :width]
        spent = new.shape[1] == 0  # a matrix of low rank: the basis holds all of it
        if spent or (converged and wanted < s.size and s[wanted] + sizes[wanted] <= level):
            return _unscaled(U[:, :wanted], s[:wanted], V[:, :wanted].T, e)
    return None


def _ritz_triplets(images, basis):
    """Triplets of X on the span of an orthonormal basis with X·basis = images."""
    Q, R = np.linalg.qr(images)
    A, s, Bt = np.linalg.svd(R, full_matrices=False)
    return Q @ A, s, basis @ Bt.T
