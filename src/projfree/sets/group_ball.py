"""The ball of the group lasso {x : Σ_g ‖x_g‖ ≤ R}, of groups without overlap."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..common.parameters import NotNegative, checked
from ..linalg.compiled import njit
from ..linalg.projections import project_spectrum
from ..linalg.scaling import resized
from ._base import Ball


@checked
@dataclass(frozen=True, eq=False)
class Set(Ball):
    """Arrays whose norms by group sum to at most `radius`.

    Attributes
    ----------
    radius : float, R
    groups : list or array of int, or None
        The group 0, 1, … of each entry of a vector; None takes the rows of a matrix.
    """

    radius: NotNegative
    groups: list | np.ndarray | None = None

    def __post_init__(self):
        if self.groups is not None and not (
            self.labels.ndim == 1 and self.labels.dtype.kind in "iu" and self.labels.size
        ):
            raise ValueError("group_ball: groups must be the whole numbers of a vector's entries")

    @cached_property
    def labels(self):
        """The groups as an array."""
        return np.asarray(self.groups)

    def _support(self, G):
        return self.radius * self.norms(G).max()

    def _gauge(self, x):
        return self.norms(x).sum()

    def _lmo(self, G):
        """−R G_g/‖G_g‖ on the group of the largest norm."""
        norms, x = self.norms(G), np.zeros(G.shape)
        best = int(np.argmax(norms))
        chosen = best if self.groups is None else self.labels == best
        if norms[best] > 0.0:
            x[chosen] = G[chosen] / norms[best] * -self.radius
        return x

    def _project(self, x):
        """The norms by group projected onto the simplex's hull."""
        norms = self.norms(x)
        if norms.sum() <= self.radius:
            return x
        share = project_spectrum(norms, self.radius) / np.where(norms > 0.0, norms, 1.0)
        return x * (share[:, None] if self.groups is None else share[self.labels])

    def norms(self, x) -> np.ndarray:
        """‖x_g‖ of each group."""
        if self.groups is None and x.ndim != 2:
            raise ValueError(f"group_ball: without groups a point is a matrix, not of shape {x.shape}")
        if self.groups is not None and x.shape != self.labels.shape:
            raise ValueError(f"group_ball: {self.labels.size} groups of entries, a point of shape {x.shape}")
        squares, safe = self._squares(x)
        if safe or not np.isfinite(x).all():
            return np.sqrt(squares)
        y, e = resized(x)
        return np.ldexp(np.sqrt(self._squares(y)[0]), e)

    def _squares(self, x):
        """‖x_g‖² of each group, and whether the ends of the floats took nothing from them."""
        if self.groups is None:
            return _row_squares(np.ascontiguousarray(x))
        with np.errstate(over="ignore"):
            squares = np.bincount(self.labels, x * x)
        return squares, bool(squares.min() > TINY and squares.max() < LARGE)


#: Squares between these have lost no digits to the ends of the floats.
TINY, LARGE = 1e-200, 1e200


@njit(fastmath={"reassoc", "contract"})
def _row_squares(X):
    """‖X_i‖² of each row, and whether all are safe: 0 because the row is, or between `TINY` and `LARGE`."""
    squares, safe, bits = np.zeros(X.shape[0]), True, X.view(np.int64)
    for i in range(X.shape[0]):
        total, seen = 0.0, 0
        for j in range(X.shape[1]):
            total += X[i, j] * X[i, j]
            seen |= bits[i, j] & 0x7FFFFFFFFFFFFFFF
        squares[i] = total
        safe = safe and (seen == 0 or TINY < total < LARGE)
    return squares, safe
