"""Ratings as arrays, with the names of users and items."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..linalg.partition import row_ranges
from .blocks import Block, Division
from .sweeps import Sweeps

FINE = 1e-3  # most of the spread of ratings that single precision may lose
FREQUENT, SPREAD = 50, 32  # of whole numbers from which on they may be counts: greatest, and by the median
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

    @classmethod
    def of(cls, rows, cols, values, users, items):
        """Those of entries (n,) in any order; ValueError if a pair occurs twice or float32 is too coarse."""
        if reason := lost_in_single(values.min(), values.max()):
            raise ValueError(reason)
        order = row_major(rows, cols, users, items)
        places = rows[order].astype(np.int32), cols[order].astype(np.int32)
        return cls(*places, values[order].astype(np.float32), users, items)

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.users), len(self.items)

    @property
    def n(self) -> int:
        """Number of ratings."""
        return len(self.values)

    @cached_property
    def indptr(self) -> np.ndarray:
        """The first rating of each user, (users + 1,)."""
        return np.searchsorted(self.rows, np.arange(len(self.users) + 1)).astype(np.int64)

    def row(self, number: int) -> tuple[np.ndarray, np.ndarray]:
        """Places of the items that a user rated (k,), and his ratings (k,)."""
        here = slice(self.indptr[number], self.indptr[number + 1])
        return self.cols[here], self.values[here]

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


def row_major(rows, cols, users, items):
    """The permutation that sorts entries in row-major order; ValueError if an entry occurs twice."""
    order = np.lexsort((cols, rows))
    again = (np.diff(rows[order]) == 0) & (np.diff(cols[order]) == 0)
    if again.any():
        at = order[np.argmax(again)]
        user, item = users[rows[at]], items[cols[at]]
        raise ValueError(f"a pair of user and item has several ratings: {user}, {item}")
    return order


@dataclass
class Meaning:
    """What speaks against values being ratings; `add` takes them some at a time."""

    n: int = 0
    zeros: int = 0
    least: float = np.inf
    least_above: float = np.inf
    greatest: float = -np.inf
    whole: bool = True

    def __post_init__(self):
        self.octaves = np.zeros(1100, np.int64)  # how many values ≥ 1 lie in [2^k, 2^(k+1))

    def add(self, values):
        """More of them, float64 (n,), finite."""
        if not values.size:
            return self
        above = values[values > 0]
        self.n, self.zeros = self.n + values.size, self.zeros + int(np.count_nonzero(values == 0))
        self.least, self.greatest = min(self.least, values.min()), max(self.greatest, values.max())
        self.least_above = min(self.least_above, above.min(initial=np.inf))
        self.whole = self.whole and not (values % 1).any()
        self.octaves += np.bincount(np.frexp(above[above >= 1])[1] - 1, minlength=self.octaves.size)
        return self

    def zero(self) -> str | None:
        """The warning if 0 may mean that nothing was rated: other ratings are above 1, and none below 0."""
        if not self.zeros or self.least < 0 or self.greatest <= 1:
            return None
        others = f"the others go from {self.least_above:g} to {self.greatest:g}"
        return f"{self.zeros:,} of {self.n:,} ratings are 0, {others}"

    def counts(self) -> str | None:
        """The warning if they may be counts: whole, the greatest far above the median."""
        if not self.whole or self.least < 0 or self.greatest < FREQUENT:
            return None
        below = np.cumsum(self.octaves)
        median = 2.0 ** int(np.searchsorted(below, below[-1] / 2))
        if self.greatest < SPREAD * median:
            return None
        return f"whole numbers up to {self.greatest:g}, half of them below {2 * median:g}, look like counts"


def lost_in_single(least: float, greatest: float) -> str | None:
    """Why ratings in this range cannot be fitted in single precision, and what to do; None if they can."""
    largest = max(-least, greatest)
    told = f"ratings from {least:.12g} to {greatest:.12g} cannot be fitted in single precision"
    if largest and not SIZES[0] <= largest <= SIZES[1]:
        return f"{told}; divide all by {largest:.0e}"
    step = float(np.spacing(np.float32(largest)))
    if least < greatest and step > FINE * (greatest - least):
        return f"{told}, which goes by {step:.2g} there; subtract {(least + greatest) / 2:.12g} from all"
    return None
