"""The ball of the k-support norm, the hull of {x : at most k non-zeros, ‖x‖ ≤ R}.

Argyriou, Foygel and Srebro, "Sparse prediction with the k-support norm" (2012): its dual norm is the
Euclidean norm of the k largest entries. No projection in closed form.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from projfree.ground.parameters import Count, NotNegative, checked
from projfree.linalg.projections import norm_l2, of_length
from projfree.linalg.validation import real

from ._ball import Ball, finite_array
from .hypersimplex import least


@checked
@dataclass(frozen=True)
class Set(Ball):
    """Arrays of k-support norm at most `radius`.

    Attributes
    ----------
    radius : float, R
    k : int
        Non-zeros of an extreme point at most: 1 gives the l1 ball, the number of entries the Euclidean ball.
    """

    radius: NotNegative
    k: Count = 1

    @property
    def norm_bound(self) -> float:
        """Largest ‖x‖, R."""
        return self.radius

    def support(self, G) -> float:
        """max_{x in set} ⟨G, x⟩ = R times the norm of the k largest ``|G_i|``."""
        size = np.abs(finite_array("k_support_ball", G)).ravel()
        return self.radius * norm_l2(size[self._largest(size)])

    def gauge(self, x) -> float:
        """The k-support norm by Proposition 2.1: k − r − 1 largest sizes by squares, the others by sum."""
        size = np.abs(real("k_support_ball: x", x)).ravel()
        top = float(size.max())
        if not 0.0 < top < np.inf:
            return top
        size = np.sort(size / top)[::-1]
        r = np.arange(min(self.k, size.size))
        first = r.size - r - 1  # entries that count by their squares
        sums = np.cumsum(size[::-1])[::-1][first]
        means, above, below = sums / (r + 1), np.r_[np.inf, size][first], size[first]
        # The one r with above > mean ≥ below; ties that rounding breaks are as good.
        best = np.argmin(np.maximum(means - above, below - means))
        head = size[: first[best]]
        return top * float(np.sqrt(head @ head + sums[best] * means[best]))

    def lmo(self, G, *, start=None, rng=None, tol=0.0) -> np.ndarray:
        """argmin_{x in set} ⟨G, x⟩ = −R G_k/‖G_k‖, G_k its k largest ``|G_i|``; zero for G = 0. Exact."""
        G = finite_array("k_support_ball", G)
        flat, x = G.ravel(), np.zeros(G.shape)
        places = self._largest(np.abs(flat))
        x.flat[places] = of_length(-flat[places], self.radius)
        return x

    def _largest(self, size):
        """Places of the k largest sizes; all of fewer entries."""
        return least(-size, min(self.k, size.size))
