"""The observed positions of a matrix."""

from functools import cached_property

import numpy as np

BLOCK = 1 << 20


class Pattern:
    """Observed positions of an m×n matrix, sorted row by row, without duplicates.

    Attributes: rows, cols (n,) int32; indptr (m+1,) of the rows; shape; n, the number of positions; order
    (n,), the permutation that sorted them (all of a slice where they came sorted):
    ``given_values[pattern.order]`` are values in the pattern's order.

    Raises
    ------
    ValueError
        For positions out of range (naming the first), duplicates (naming the first), or unequal lengths.
    """

    def __init__(self, rows, cols, shape):
        rows, cols = np.asarray(rows), np.asarray(cols)
        self.shape = (int(shape[0]), int(shape[1]))
        if rows.ndim != 1 or rows.shape != cols.shape:
            raise ValueError(f"rows {rows.shape} and cols {cols.shape} must be vectors of one length")
        if rows.size and not (rows.dtype.kind in "iu" and cols.dtype.kind in "iu"):
            raise ValueError(f"positions must be integers, not {rows.dtype} and {cols.dtype}")
        outside = (rows < 0) | (rows >= self.shape[0]) | (cols < 0) | (cols >= self.shape[1])
        if outside.any():
            k, (m, n) = int(np.argmax(outside)), self.shape
            raise ValueError(f"position {k}, ({rows[k]}, {cols[k]}), is outside the {m}×{n} matrix")
        self.order = slice(None) if _is_sorted(rows, cols) else np.lexsort((cols, rows))
        rows = rows[self.order]
        self.cols = cols[self.order].astype(np.int32, copy=False)
        again = rows[1:] == rows[:-1]
        again &= self.cols[1:] == self.cols[:-1]
        if again.any():
            k = int(np.argmax(again))
            raise ValueError(f"position ({rows[k]}, {self.cols[k]}) is given more than once")
        self.indptr = np.searchsorted(rows, np.arange(self.shape[0] + 1)).astype(np.int64)

    @property
    def n(self) -> int:
        return self.cols.size

    @cached_property
    def rows(self) -> np.ndarray:
        """Row of each position (n,) int32; made when asked for, as the kernels do with `indptr`."""
        return np.repeat(np.arange(self.shape[0], dtype=np.int32), np.diff(self.indptr))

    def same(self, other) -> bool:
        """Whether another pattern has the same positions."""
        return self is other or (
            self.shape == other.shape
            and np.array_equal(self.indptr, other.indptr)
            and np.array_equal(self.cols, other.cols)
        )

    def __repr__(self):
        return f"Pattern({self.n} positions of {self.shape[0]}×{self.shape[1]})"


def _is_sorted(rows, cols):
    """Whether the positions come row by row; block by block, as there may be 10^8."""
    for first in range(0, rows.size - 1, BLOCK):
        part = slice(first, first + BLOCK + 1)
        down, right = np.diff(rows[part].astype(np.int64)), np.diff(cols[part].astype(np.int64))
        if ((down < 0) | ((down == 0) & (right < 0))).any():
            return False
    return True
