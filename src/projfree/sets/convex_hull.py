"""The convex hull of given points."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import coo_array, csr_array, issparse, sparray, spmatrix

from projfree.common.parameters import checked
from projfree.linalg.projections import norm_l2
from projfree.linalg.scaling import times_power
from projfree.linalg.validation import finite, matrix, numbers, real, vector

from ._ball import only_full
from ._nearest import nearest
from ._sparse import stored
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

    def violation(self, x) -> float:
        """The distance of x from the hull."""
        x = numbers("convex_hull: x", x, self.rows.shape[1])
        if not np.isfinite(x).all():
            return float(np.abs(x).max())
        return norm_l2(x - nearest(self.lmo, x))

    def lmo(self, G, *, start=None, rng=None, tol=0.0) -> np.ndarray:
        """argmin_{x in set} ⟨G, x⟩, the first best point; sparse and of G's shape for a sparse G. Exact."""
        row = self.rows[[int(np.argmin(self._products(G)[0]))]]
        if issparse(G):
            return coo_array(row).reshape(G.shape)
        return (row.toarray() if issparse(row) else row)[0]

    def project(self, x, method="full") -> np.ndarray:
        """Nearest point of the set to x, by Wolfe's algorithm."""
        only_full("convex_hull", method)
        return nearest(self.lmo, vector("convex_hull: x", x, self.rows.shape[1]))

    def _products(self, G):
        """⟨G, x⟩·2^−e of all points x, and e."""
        n = self.rows.shape[1]
        if issparse(G):
            if math.prod(G.shape) != n:
                raise ValueError(f"convex_hull: G must have {n} entries, not {math.prod(G.shape)}")
            values, places = stored(G)
            values = finite("convex_hull: G", real("convex_hull: G", values))
        else:
            values, places = vector("convex_hull: G", G, n), None
        e = math.frexp(np.abs(values).max(initial=0.0))[1]
        values = np.ldexp(values, -e)
        return self.rows @ values if places is None else self._of_places(values, places), e

    def _of_places(self, values, places):
        """Products of the rows with what has only these entries, whatever the number of columns."""
        if not issparse(self.rows):
            return self.rows[:, places] @ values
        found = np.searchsorted(places, self.rows.indices)
        met = np.append(places, -1)[found] == self.rows.indices
        numbers = np.repeat(np.arange(self.rows.shape[0]), np.diff(self.rows.indptr))
        terms = self.rows.data[met] * values[found[met]]
        return np.bincount(numbers[met], terms, minlength=self.rows.shape[0])
