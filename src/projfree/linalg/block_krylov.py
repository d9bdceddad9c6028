"""Several leading singular triplets at once: a block Krylov space (Musco and Musco 2015)."""

from dataclasses import dataclass

import numpy as np

from projfree.linalg.low_rank import orthonormal
from projfree.linalg.scratch import room
from projfree.linalg.spectral import economy_svd
from projfree.linalg.tall import triangular_factor

# Blocks of 24 columns, six of them: at equal cost more accurate than wider blocks, and not slower a product.
WIDTH, PASSES = 24, 6
RANDOM_PART = 1e-2  # of the columns of a warm start


def deflated(operator, P, Q):
    """(I − PPᵀ) G (I − QQᵀ) for orthonormal P (m, r), Q (n, r): G outside of their spans.

    At a stationary point of ℓ(UVᵀ) + (λ/2)(‖U‖² + ‖V‖²) the gradient has the value λ on all columns of U, V;
    what is above λ elsewhere is hard to find among these r equal values, and stands alone without them.
    """
    if isinstance(operator, np.ndarray):
        return _without(Q, _without(P, operator).T).T
    return Deflated(operator, P, Q)


@dataclass(frozen=True)
class Deflated:
    """See `deflated`; never formed."""

    operator: object
    P: np.ndarray
    Q: np.ndarray

    @property
    def shape(self) -> tuple[int, int]:
        return self.operator.shape

    def matmat(self, B) -> np.ndarray:
        """Times B (n, k)."""
        return _without(self.P, self.operator.matmat(_without(self.Q, B)))

    def rmatmat(self, B) -> np.ndarray:
        """Transposed, times B (m, k)."""
        return _without(self.Q, self.operator.rmatmat(_without(self.P, B)))


def _without(P, B):
    return B - P @ (P.T @ B)


def leading_triplets(operator, count: int, *, rng, start=None, passes: int = PASSES):
    """U (m, j), s (j,), V (n, j) of the `count` leading triplets that the space holds, j ≤ count.

    Ritz values: from below, and accurate where the spectrum falls; not certified. The fourth answer is the
    number of products with a vector. Where a side is no wider than the space they are exact.

    Parameters
    ----------
    operator : anything with ``shape``, ``matmat`` and ``rmatmat``
    start : ndarray (n, ·), optional
        Right vectors of an earlier, similar operator, the leading ones first.
    passes : blocks of the space; about four times as many columns as triplets make these accurate.
    """
    if min(operator.shape) <= passes * WIDTH:
        m, n = operator.shape
        dense = operator.matmat(np.eye(n)) if n <= m else operator.rmatmat(np.eye(m)).T
        U, s, Vt = economy_svd(np.asarray(dense, dtype=np.float64))
        return U[:, :count], s[:count], Vt[:count].T, min(m, n)
    basis, images = (room((side, passes * WIDTH)) for side in operator.shape[::-1])
    block = rng.standard_normal((operator.shape[1], WIDTH)) / np.sqrt(operator.shape[1])
    if start is not None:  # random, beside the unit vectors of a start small
        first = start[:, :WIDTH]
        block[:, : first.shape[1]] *= RANDOM_PART
        block[:, : first.shape[1]] += first
    block, image = orthonormal(block), None
    for first in range(0, passes * WIDTH, WIDTH):
        if first:
            before, block = basis[:, :first], operator.rmatmat(image)
            block = orthonormal(_without(before, _without(before, block)))
        image, here = operator.matmat(block), slice(first, first + WIDTH)
        basis[:, here], images[:, here] = block, image
    _, s, Bt = np.linalg.svd(triangular_factor(images))  # images = U s Bt: no basis of them is needed
    s, combined = s[:count], Bt[:count].T
    U = images @ (combined / np.where(s > 0, s, 1.0))
    return U, s, basis @ combined, (2 * passes - 1) * WIDTH
