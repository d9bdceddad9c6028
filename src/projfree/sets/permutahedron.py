"""The permutahedron of w, the hull of all permutations of a vector.

Lim and Wright, "Efficient Bregman projections onto the permutahedron and related polytopes" (2016).
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.optimize import isotonic_regression

from ..common.parameters import checked
from ..linalg.projections import norm_l2
from ..linalg.validation import vector
from ._base import FeasibleSet


@checked
@dataclass(frozen=True, eq=False)
class Set(FeasibleSet):
    """Vectors (n,) that `values` majorises.

    Attributes
    ----------
    values : (n,)
        w, in any order; n … 1 gives the permutahedron of ranks.
    """

    values: list | np.ndarray
    is_polytope = True
    n = property(lambda self: self.falling.size)

    @cached_property
    def falling(self):
        """The values from large to small."""
        return np.sort(vector("permutahedron: values", self.values))[::-1].copy()

    @property
    def bound(self) -> float:
        """The bound on the gauge, ‖w‖, or 1 if w is zero."""
        return self.norm_bound or 1.0

    @property
    def diameter(self) -> float:
        """Largest ‖x − y‖, between w and w reversed."""
        return norm_l2(self.falling - self.falling[::-1])

    @property
    def norm_bound(self) -> float:
        """Largest ‖x‖, ‖w‖."""
        return norm_l2(self.falling)

    def _support(self, G):
        """Both sorted (the rearrangement inequality)."""
        return np.sort(G)[::-1] @ self.falling

    def _gauge(self, x):
        """The bound plus the largest mean excess of j entries over j of w, or the deficit of all."""
        means = np.cumsum(np.sort(x)[::-1] - self.falling) / np.arange(1, x.size + 1)
        return self.bound + max(0.0, means.max(), -means[-1])

    def _lmo(self, G):
        """The values sorted against G, the largest at its least entry."""
        x = np.empty(G.size)
        x[np.argsort(G, kind="stable")] = self.falling
        return x

    def _project(self, x):
        """x minus a decreasing regression of its sorted entries less w.

        Entries further apart than any two of w are of different parts of the regression, however far: their
        distances are cut, so that digits of w are kept.
        """
        order, nearest = np.argsort(-x, kind="stable"), np.empty(x.size)
        w, half = self.falling, 0.5 * x[order]  # of the halves, differences are floats
        steps = 2.0 * np.minimum(half[:-1] - half[1:], 0.5 * w[0] - 0.5 * w[-1])
        y = np.append(0.0, -np.cumsum(steps))
        nearest[order] = np.clip(y - isotonic_regression(y - w, increasing=False).x, w[-1], w[0])
        return nearest
