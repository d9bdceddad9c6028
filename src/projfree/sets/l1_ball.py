"""The l1 ball {x : ‖x‖₁ ≤ R}, of arrays of any shape."""

import math
from dataclasses import dataclass

import numpy as np

from projfree.common.parameters import NotNegative, checked
from projfree.linalg.compiled import njit
from projfree.linalg.projections import project_l1
from projfree.linalg.validation import INFINITY, array, entries

from ._ball import Ball, finite_array, only_full
from ._sparse import takes_sparse


@takes_sparse
@checked
@dataclass(frozen=True)
class Set(Ball):
    """Arrays of l1 norm at most `radius`; its vertices are ±R e_i."""

    radius: NotNegative
    is_polytope = True

    @property
    def norm_bound(self) -> float:
        """Largest ‖x‖, R."""
        return self.radius

    def support(self, G) -> float:
        """max_{x in set} ⟨G, x⟩ = R ‖G‖_∞."""
        return self.radius * float(np.abs(finite_array("l1_ball", G)).max())

    def gauge(self, x) -> float:
        """‖x‖₁."""
        return float(np.abs(entries("l1_ball: x", x)).sum())

    def lmo(self, G, *, start=None, rng=None, tol=0.0) -> np.ndarray:
        """argmin_{x in set} ⟨G, x⟩ = −R sign(G_i) e_i, i the first largest ``|G_i|``.

        Exact; sparse for a sparse G.
        """
        G = entries("l1_ball: G", G)
        x, flat = np.zeros(G.shape), np.ascontiguousarray(G).ravel()
        i, bits = _largest(flat)
        if bits >= INFINITY:
            array("l1_ball: G", G)  # says what is wrong with it
        x.flat[i] = -math.copysign(self.radius, flat[i])
        return x

    def project(self, x, method="full") -> np.ndarray:
        """Nearest point of the set to x; x itself when inside."""
        only_full("l1_ball", method)
        x = array("l1_ball: x", x)
        return x if self.gauge(x) <= self.radius else project_l1(x.ravel(), self.radius).reshape(x.shape)


@njit
def _largest(x):
    """The place of the first largest |x_i|, and its bits: block by block, as a maximum vectorises."""
    bits, best, place = x.view(np.int64), -1, 0
    for first in range(0, x.size, 1024):
        last, most = min(first + 1024, x.size), 0
        for i in range(first, last):
            most = max(most, bits[i] & 0x7FFFFFFFFFFFFFFF)
        if most > best:
            best, place = most, first
    while bits[place] & 0x7FFFFFFFFFFFFFFF != best:
        place += 1
    return place, best
