"""The unit hypersimplex {x : 0 ≤ x_i ≤ R, Σx ≤ k R}: each vertex has at most k entries R."""

from dataclasses import dataclass

import numpy as np

from ..common.parameters import checked
from . import hypersimplex


@checked
@dataclass(frozen=True)
class Set(hypersimplex.Set):
    """Arrays with entries between 0 and `radius` and sum at most k·radius.

    Attributes
    ----------
    radius : float, R
    k : int
        Largest number of non-zeros of a vertex; points must have at least as many entries.
    """

    def _support(self, G):
        return super()._support(np.maximum(G, 0.0))

    def _gauge(self, x):
        """R plus the largest of −x_i, x_i − R and Σx/k − R."""
        return self.radius + max(0.0, -x.min(), x.max() - self.radius, x.sum() / self.k - self.radius)

    def _lmo(self, G):
        return np.where(G < 0.0, super()._lmo(G), 0.0)

    def _project(self, x):
        """x clipped to [0, R], after a shift if the sum is too large."""
        cut = np.clip(x, 0.0, self.radius)
        return cut if cut.sum() <= self.k * self.radius else super()._project(x)
