"""Several leading singular triplets at once: a block Krylov space (Musco and Musco 2015)."""

from __future__ import annotations

import numpy as np

from projfree.linalg.low_rank import orthonormal


def leading_triplets(operator, count: int, *, rng, passes: int = 3):
    """U (m, j), s (j,), V (n, j) of the `count` leading triplets that the space holds, j ≤ count.

    Ritz values: from below, and accurate where the spectrum falls; not certified.

    Parameters
    ----------
    operator : anything with ``shape``, ``matmat`` and ``rmatmat``
    passes : int
        Blocks of `count` + 4 columns in the space; each costs a product with the operator and one with its
        transpose.
    """
    width = min(count + 4, *operator.shape)
    block, basis, images = rng.standard_normal((operator.shape[1], width)), None, None
    for _ in range(passes):
        for _ in range(2 if basis is not None else 0):
            block -= basis @ (basis.T @ block)
        block = orthonormal(block)
        image = operator.matmat(block)
        basis = block if basis is None else np.hstack([basis, block])
        images = image if images is None else np.hstack([images, image])
        if basis.shape[1] + width > min(operator.shape):
            break
        block = operator.rmatmat(image)
    Q, R = np.linalg.qr(images)
    A, s, Bt = np.linalg.svd(R)
    return Q @ A[:, :count], s[:count], basis @ Bt[:count].T
