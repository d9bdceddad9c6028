"""Singular value decompositions of dense arrays: economy, and by the Gram matrix of the small side."""

import numpy as np
import scipy.linalg

from projfree.linalg.scaling import scaled, times_power

# Columns of XV whose sizes differ more are made orthonormal by QR: the Gram matrix leaves them so to
# eps·σ₁/σ_k only.
ORTHOGONAL_FLOOR = 1e-2
SKETCH = 12  # columns of the first sketch for a norm; the next has the square
LEFT = 1e-12  # relative size of what a sketch may leave
GRAM_FLOOR = 1e-8  # √eps: below it, relative to σ₁, a Gram matrix cannot tell a singular value from zero


def economy_svd(X) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """U (m, k), s (k,), Vt (k, n) with k = min(m, n), by LAPACK gesdd. ValueError if X is not finite."""
    X, e = scaled(X)
    return unscaled(*scipy.linalg.svd(X, full_matrices=False, check_finite=False, lapack_driver="gesdd"), e)


def gram_svd(X, orthonormal=True):
    """U (m, k), s (k,), Vt (k, n) from the eigenproblem of the small side.

    k counts the singular values above 1e-8 σ₁; smaller ones drown in the squared condition number. The longer
    side's vectors are orthonormal to eps·σ₁/σ_k, or if asked to rounding.
    """
    X, e = scaled(X)
    if X.shape[0] < X.shape[1]:
        U, s, Vt = _tall_gram_svd(X.T, orthonormal)
        return unscaled(Vt.T, s, U.T, e)
    return unscaled(*_tall_gram_svd(X, orthonormal), e)


def _tall_gram_svd(X, orthonormal):
    values, vectors = scipy.linalg.eigh(X.T @ X, check_finite=False, overwrite_a=True, driver="evd")
    keep = values[::-1] > GRAM_FLOOR**2 * max(values[-1], 0.0)
    V = vectors[:, ::-1][:, keep]
    U = X @ V
    s = np.sqrt(np.einsum("ij,ij->j", U, U))
    if orthonormal and s.size and s.min() <= ORTHOGONAL_FLOOR * s.max():
        U, s, V = ritz_triplets(U, V)
    else:
        U /= np.where(s > 0.0, s, 1.0)
    visible = s > GRAM_FLOOR * s[:1]  # rounding can lift an eigenvalue that should be zero above the floor
    return (U, s, V.T) if visible.all() else (U[:, visible], s[visible], V.T[visible])


def unscaled(U, s, Vt, e):
    """The triplets of 2^e X from those of X."""
    return U, np.ldexp(s, e) if e else s, Vt


def nuclear_norm(X) -> float:
    """Sum of the singular values of a dense X."""
    X, e = scaled(X)
    return times_power(float(scipy.linalg.svd(X, compute_uv=False, check_finite=False).sum()), e)


def low_rank_norm(X) -> float | None:
    """‖X‖_* of a dense X of low rank, never too small: ‖QᵀX‖_* + √k‖X − QQᵀX‖_F, k the smaller side.

    Q is a basis of random combinations of the columns (Halko, Martinsson and Tropp 2011). None if what it
    leaves is more than rounding, or if X is too small to save work.
    """
    (X, e), width = scaled(X), SKETCH
    while 4 * width <= min(X.shape):
        Q = np.linalg.qr(X @ np.random.default_rng(0).standard_normal((X.shape[1], width)))[0]
        part = Q.T @ X
        left = np.sqrt(min(X.shape)) * np.linalg.norm(X - Q @ part)
        if not left > LEFT * np.linalg.norm(part):
            return times_power(float(scipy.linalg.svdvals(part, check_finite=False).sum() + left), e)
        width *= SKETCH
    return None


def ritz_triplets(images, basis):
    """U, s, V, triplets of X on the span of an orthonormal basis with X·basis = images."""
    Q, R = np.linalg.qr(images)
    A, s, Bt = np.linalg.svd(R, full_matrices=False)
    return Q @ A, s, basis @ Bt.T
