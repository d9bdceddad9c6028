"""The simplex {x ≥ 0, Σx = total} of vectors (n,)."""

import math
from dataclasses import dataclass

import numpy as np

from ..common.parameters import NotNegative, checked
from ..linalg.projections import project_simplex
from ..linalg.validation import finite, numbers
from ._base import OfTotal


@checked
@dataclass(frozen=True)
class Set(OfTotal):
    """Non-negative vectors of sum `total`."""

    total: NotNegative = 1.0
    is_polytope = True

    def contains(self, x, slack=1e-9) -> bool:
        """Whether x ≥ 0 and Σx = total, both to slack·total."""
        x, room = self._read("x", x), slack * self.total
        return bool(np.min(x) >= -room and abs(np.sum(x) - self.total) <= room)

    def lmo(self, G, *, start=None, rng=None, tol=0.0) -> np.ndarray:
        """argmin_{x in set} ⟨G, x⟩ = total·e_i for the first least entry i of G. Always exact."""
        G = numbers("simplex: G", G)
        place = G.argmin()
        if not math.isfinite(G[place]):  # NaN and −∞ come first; an entry of +∞ changes nothing
            finite("simplex: G", G)
        x = np.zeros(G.size)
        x[place] = self.total
        return x

    def _read(self, symbol, x):
        return numbers(f"simplex: {symbol}", x)

    def _support(self, G):
        return self.total * G.max()

    def _gauge(self, x):
        return np.abs(x).sum()

    def _project(self, x):
        """x itself if it lies inside up to rounding."""
        return x if self.contains(x, slack=0.0) else project_simplex(x, self.total)
