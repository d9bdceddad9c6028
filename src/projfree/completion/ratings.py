"""Ratings as arrays, with the names of users and items."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..linalg.partition import row_ranges
from .blocks import Block, Division
from .sweeps import Sweeps

FINE = 1e-3  # most of the spread of ratings that single precision may lose
SIZES = 1e-15, 1e15  # of the largest rating, whose products with factors are within single precision


@dataclass(frozen=True)
class Ratings:
    """Ratings in row-major order, no pair twice.

    Attributes
    ----------
    rows, cols : int32 (n,), places in `users` and `items`, the ids as texts in the order of their first line.
    values : float32 (n,)
    """

    rows: np.ndarray
    cols: np.ndarray
    values: np.ndarray
    users: np.ndarray
    items: np.ndarray

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.users), len(self.items)

    @property
    def n(self) -> int:
        """Number of ratings."""
        return len(self.values)

    @cached_property
    def indptr(self) -> np.ndarray:
        """Where the ratings of each user begin, (users + 1,)."""
        return np.searchsorted(self.rows, np.arange(len(self.users) + 1)).astype(np.int64)

    @property
    def scale(self) -> tuple[float, float]:
        """Least and greatest rating."""
        return float(self.values.min()), float(self.values.max())

    def sweeps(self, division: Division | None = None, threads: int = 1) -> Sweeps:
        """Over all ratings, or those that a division chooses."""
        blocks = [block.part(k, division) for k, block in enumerate(self.blocks())]
        return Sweeps(self.shape, self.ranges, blocks.__getitem__, threads)

    @property
    def ranges(self) -> list[tuple[int, int]]:
        """(first, last) row of each block."""
        return row_ranges(self.indptr, len(self.items))

    def blocks(self):
        """All of them, as they are cut wherever they are kept."""
        for first, last in self.ranges:
            here = slice(self.indptr[first], self.indptr[last])
            yield Block(self.indptr[first : last + 1] - here.start, self.cols[here], self.values[here])


def lost_in_single(least: float, greatest: float) -> str | None:
    """Why ratings in this range cannot be fitted in single precision, and what to do; None where they can."""
    largest = max(-least, greatest)
    told = f"ratings from {least:.12g} to {greatest:.12g} cannot be fitted in single precision"
    if largest and not SIZES[0] <= largest <= SIZES[1]:
        return f"{told}; divide all by {largest:.0e}"
    step = float(np.spacing(np.float32(largest)))
    if least < greatest and step > FINE * (greatest - least):
        return f"{told}, which goes by {step:.2g} there; subtract {(least + greatest) / 2:.12g} from all"
    return None
