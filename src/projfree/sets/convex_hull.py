"""The convex hull of given points."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array, issparse, sparray, spmatrix

from projfree.ground.parameters import checked
from projfree.linalg.validation import finite, matrix, numbers, vector

from ._ball import only_full
from ._nearest import nearest
from ._violation import ByViolation


@checked
@dataclass(frozen=True, eq=False)
class Set(ByViolation):
    """Vectors (n,) that are weighted means of the points.

    Attributes
    ----------
    points : (number, n)
        One point a row: an array, or a sparse matrix of SciPy to save memory.
    """

    points: list | np.ndarray | sparray | spmatrix
    is_polytope = True

    @cached_property
    def rows(self):
        """The points as an array or in rows of non-zeros."""
        if not issparse(self.points):
            return finite("convex_hull: points", matrix("convex_hull: points", self.points))
        rows = csr_array(self.points, dtype=float)
        finite("convex_hull: points", rows.data)
        if 0 in rows.shape:
            raise ValueError("convex_hull: points must have at least one entry")
        return rows

    @cached_property
    def sizes(self):
        """Norm of each point, and distance of each from their mean."""
        squares, mean = (self.rows * self.rows).sum(axis=1), self.rows.mean(axis=0)
        around = squares - 2 * (self.rows @ mean) + mean @ mean
        rounding = 16 * np.finfo(float).eps * squares.max()  # a bound has to hold far from zero, too
        return np.sqrt(squares), np.sqrt(np.maximum(around, 0.0) + rounding)

    @property
    def bound(self) -> float:
        """The bound on the gauge, the largest ‖x‖, or 1 if that is zero."""
        return self.norm_bound or 1.0

    @property
    def diameter(self) -> float:
        """A bound of ‖x − y‖: the sum of the two largest distances of points from their mean."""
        away = self.sizes[1]
        return float(np.partition(away, -2)[-2:].sum()) if away.size > 1 else 0.0

    @property
    def norm_bound(self) -> float:
        """Largest ‖x‖, attained at one of the points."""
        return float(self.sizes[0].max())

    def support(self, G) -> float:
        """max_{x in set} ⟨G, x⟩, attained at one of the points."""
        return float((self.rows @ self._direction(G)).max())

    def violation(self, x) -> float:
        """The distance of x from the hull."""
        x = numbers("convex_hull: x", x, self.rows.shape[1])
        if not np.isfinite(x).all():
            return float(np.abs(x).max())
        return float(np.linalg.norm(x - nearest(self.lmo, x)))

    def lmo(self, G, *, start=None, rng=None, tol=0.0) -> np.ndarray:
        """argmin_{x in set} ⟨G, x⟩, the first best point. Exact."""
        row = self.rows[[int(np.argmin(self.rows @ self._direction(G)))]]
        return (row.toarray() if issparse(row) else row)[0]

    def project(self, x, method="full") -> np.ndarray:
        """Nearest point of the set to x, by Wolfe's algorithm."""
        only_full("convex_hull", method)
        return nearest(self.lmo, vector("convex_hull: x", x, self.rows.shape[1]))

    def _direction(self, G):
        return vector("convex_hull: G", G, self.rows.shape[1])
