"""The convex hull of given points."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import coo_array, csr_array, issparse, sparray, spmatrix

from ..common.parameters import checked
from ..linalg.projections import norm_l2
from ..linalg.scaling import times_power
from ..linalg.validation import finite, matrix, real, vector
from ._base import FeasibleSet, stored
from ._nearest import nearest


@checked
@dataclass(frozen=True, eq=False)
class Set(FeasibleSet):
    """Vectors (n,) that are weighted means of the points.

    Attributes
    ----------
    points : (number, n)
        One point a row: an array, or a sparse matrix of SciPy to save memory.
    """

    points: list | np.ndarray | sparray | spmatrix
    is_polytope = True
    n = property(lambda self: self.rows.shape[1])

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
        e = min(max(math.frexp(abs(self.rows).max())[1], -1000), 1000)  # squares of the others are safe
        rows = self.rows * 2.0**-e
        squares, mean = (rows * rows).sum(axis=1), rows.mean(axis=0)
        around = squares - 2 * (rows @ mean) + mean @ mean
        rounding = 16 * np.finfo(float).eps * squares.max()  # a bound has to hold far from zero, too
        return np.ldexp(np.sqrt(squares), e), np.ldexp(np.sqrt(np.maximum(around, 0.0) + rounding), e)

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
        products, e = self._products(G)
        return times_power(float(products.max()), e)

    def _gauge(self, x):
        """The bound plus the distance of x from the hull."""
        return self.bound + norm_l2(x - nearest(self.lmo, x))

    def lmo(self, G, *, start=None, rng=None, tol=0.0) -> np.ndarray:
        """argmin_{x in set} ⟨G, x⟩, the first best point; sparse and of G's shape for a sparse G. Exact."""
        row = self.rows[[int(np.argmin(self._products(G)[0]))]]
        if issparse(G):
            return coo_array(row).reshape(G.shape)
        return (row.toarray() if issparse(row) else row)[0]

    def _project(self, x):
        return nearest(self.lmo, x)

    def _products(self, G):
        """⟨G, x⟩·2^−e of all points x, and e."""
        if not issparse(G):
            G = vector("convex_hull: G", G, self.n)
            e = math.frexp(np.abs(G).max())[1]
            return self.rows @ np.ldexp(G, -e), e
        if math.prod(G.shape) != self.n:
            raise ValueError(f"convex_hull: G must have {self.n} entries, not {math.prod(G.shape)}")
        values, places = stored(G)
        values = finite("convex_hull: G", real("convex_hull: G", values))
        e = math.frexp(np.abs(values).max(initial=0.0))[1]
        values = np.ldexp(values, -e)
        if not issparse(self.rows):
            return self.rows[:, places] @ values, e
        column = np.searchsorted(places, self.rows.indices)  # no array is as long as a row
        met = np.append(places, -1)[column] == self.rows.indices
        row = np.repeat(np.arange(self.rows.shape[0]), np.diff(self.rows.indptr))
        terms = self.rows.data[met] * values[column[met]]
        return np.bincount(row[met], terms, minlength=self.rows.shape[0]), e
