"""The l∞ ball {x : |x_i| ≤ R}, of arrays of any shape."""

from dataclasses import dataclass

import numpy as np

from ..common.parameters import Count, NotNegative, checked
from ._base import Ball
from .box import corner


@checked
@dataclass(frozen=True)
class Set(Ball):
    """Arrays of entries at most `radius` in size.

    Attributes
    ----------
    radius : float, R
    size : int or None
        Number of entries, which only the diameter needs.
    """

    radius: NotNegative
    size: Count | None = None
    is_polytope = True
    looks = True

    @property
    def norm_bound(self) -> float:
        """Largest ‖x‖, R√size."""
        return self.radius * self._root_of_size()

    def _support(self, G):
        return self.radius * np.abs(G).sum()

    def _gauge(self, x):
        return np.abs(x).max()

    def _lmo(self, G):
        """−R sign(G), a vertex even if G has zeros."""
        return corner("linf_ball: G", G, -self.radius, self.radius)

    def _project(self, x):
        return np.clip(x, -self.radius, self.radius)
