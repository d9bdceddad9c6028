"""The l1 ball {x : ‖x‖₁ ≤ R}, of arrays of any shape."""

import math
from dataclasses import dataclass

import numpy as np

from ..common.parameters import NotNegative, checked
from ..linalg.compiled import njit
from ..linalg.projections import project_l1
from ..linalg.validation import INFINITY
from ._base import Ball


@checked
@dataclass(frozen=True)
class Set(Ball):
    """Arrays of l1 norm at most `radius`; its vertices are ±R e_i."""

    radius: NotNegative
    is_polytope = True
    sparse = True
    looks = True

    def _support(self, G):
        return self.radius * np.abs(G).max()

    def _gauge(self, x):
        return np.abs(x).sum()

    def _lmo(self, G):
        """−R sign(G_i) e_i, i the first largest ``|G_i|``."""
        x, flat = np.zeros(G.shape), np.ascontiguousarray(G).ravel()
        i, bits = _largest(flat)
        if bits >= INFINITY:
            self._finite("G", G)
        x.flat[i] = -math.copysign(self.radius, flat[i])
        return x

    def _project(self, x):
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
