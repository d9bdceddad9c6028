"""The leading part of a singular value decomposition, certified: as much as lies above a threshold."""

import math

import numpy as np

from projfree.linalg.scaling import scaled, times_power
from projfree.linalg.singular import leading_pair, matvec, rmatvec
from projfree.linalg.spectral import ritz_triplets, unscaled

BLOCK = 16  # fewest directions that a round adds
CHECK_STEPS = 10  # of Lanczos on what the triplets leave


def partial_svd(X, threshold, *, rng=None, tol=1e-10, max_rank=None):
    """Leading singular triplets, as many as lie above a threshold that depends on them; certified.

    The basis grows by blocks of residuals (a block Krylov space) until the triplets above the threshold have
    residuals R = XᵀU − VS with ‖R‖_F ≤ tol·s₁, and the next singular value, its residual added, lies below.
    They are exact triplets of X − URᵀ then, so a projection made of them is within tol·s₁ of that of X. As no
    block shows more copies of a singular value than it has columns, some steps of Lanczos from a random start
    then look for what is missing.

    Parameters
    ----------
    X : ndarray (m, n)
    threshold : callable
        Descending Ritz values (k,) -> value below which triplets are not wanted, or None: not known yet.
    rng : numpy Generator, optional
        Source of the first block; a fixed one by default.
    max_rank : int, optional
        Largest basis; by default a twentieth of the smaller side, beyond which gram_svd is faster, or 32
        where that is more, but never above a fifth.

    Returns
    -------
    U (m, k), s (k,), Vt (k, n), or None where max_rank does not suffice: a full one is cheaper then.
    """
    X, e = scaled(X)
    side = min(X.shape)
    limit = min(side // 5, max(32, side // 20)) if max_rank is None else max_rank
    rng = np.random.default_rng(0) if rng is None else rng
    new = rng.standard_normal((X.shape[1], BLOCK))
    V, images = np.empty((X.shape[1], 0)), np.empty((X.shape[0], 0))
    while V.shape[1] + new.shape[1] <= limit:
        # Householder QR of all, not of the new block: orthonormal even where the new directions are spent.
        fresh = np.linalg.qr(np.hstack([V, new]))[0][:, V.shape[1] :]
        U, s, V = ritz_triplets(np.hstack([images, X @ fresh]), np.hstack([V, fresh]))
        images, level = U * s, threshold(np.ldexp(s, e))
        level = None if level is None else times_power(level, -e)
        count = s.size if level is None else int(np.count_nonzero(s > level))
        width = max(BLOCK, count + 4 if level is not None else s.size // 2)
        block = slice(0, min(s.size, count + width))
        residuals = X.T @ U[:, block] - V[:, block] * s[block]
        sizes = np.linalg.norm(residuals, axis=0)
        converged = np.linalg.norm(sizes[:count]) <= tol * s[0]
        new = residuals[:, sizes > 0.1 * tol * s[0] / math.sqrt(s.size)][:, :width]
        spent = new.shape[1] == 0  # the basis holds all that it can: it cannot grow by residuals
        if spent or (converged and count < s.size and s[count] + sizes[count] <= level):
            triplets = U[:, :count], s[:count], V[:, :count].T
            missing = leading_pair(Deflated(X, *triplets), rng=rng, tol=math.inf, least=CHECK_STEPS)
            if missing.sigma <= max(level or 0.0, tol * s[0]):
                return unscaled(*triplets, e)
            new = np.column_stack([missing.v, rng.standard_normal((X.shape[1], BLOCK - 1))])
    return None


class Deflated:
    """Y − U diag(s) Vᵀ, known by its products, for an array or anything with ``matvec`` and ``rmatvec``."""

    def __init__(self, Y, U, s, Vt):
        self.Y, self.left, self.Vt, self.shape = Y, U * s, Vt, Y.shape

    def matvec(self, v):
        return matvec(self.Y, v) - self.left @ (self.Vt @ v)

    def rmatvec(self, u):
        return rmatvec(self.Y, u) - self.Vt.T @ (self.left.T @ u)
