"""Ratings as arrays, with the names of users and items."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..linalg.partition import row_ranges
from .blocks import Block, Division
from .sweeps import Sweeps

FINE = 1e-3  # most of the spread of ratings that single precision may lose
FREQUENT, SPREAD = 50, 32  # of whole numbers from which on they may be counts: greatest, and by the median
#: What tables write for "not rated", where it lies apart from ratings: below all of 0 and more, or far out.
CODES = -9999.0, -999.0, -99.0, -9.0, -1.0, 99.0, 255.0, 999.0, 9999.0
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
    """What speaks against values being ratings; `add` takes them some at a time.

    All but `n` and `zeros` are of values that are none of `CODES`; `below` counts those below 0.
    """

    n: int = 0
    zeros: int = 0
    below: int = 0
    least: float = np.inf
    least_above: float = np.inf
    greatest: float = -np.inf
    whole: bool = True

    def __post_init__(self):
        self.octaves = np.zeros(1100, np.int64)  # how many values ≥ 1 lie in [2^k, 2^(k+1))
        self.coded = dict.fromkeys(CODES, 0)

    def add(self, values):
        """More of them, float64 (n,), finite."""
        self.n, self.zeros = self.n + values.size, self.zeros + int(np.count_nonzero(values == 0))
        if (coded := np.isin(values, CODES)).any():
            for code, count in zip(*np.unique(values[coded], return_counts=True), strict=True):
                self.coded[float(code)] += int(count)
            values = values[~coded]
        above = values[values > 0]
        self.below += int(np.count_nonzero(values < 0))
        self.least = min(self.least, values.min(initial=np.inf))
        self.greatest = max(self.greatest, values.max(initial=-np.inf))
        self.least_above = min(self.least_above, above.min(initial=np.inf))
        self.whole = self.whole and not (values % 1).any()
        self.octaves += np.bincount(np.frexp(above[above >= 1])[1] - 1, minlength=self.octaves.size)
        return self

    @property
    def range(self) -> tuple[float, float]:
        """Least and greatest of all values."""
        held = [code for code, count in self.coded.items() if count]
        return min([self.least, *held]), max([self.greatest, *held])

    def unrated(self, codes=True, zeros=True) -> list[float]:
        """Values that may mean not rated: `CODES` apart from the others, and 0.

        Ratings must go above 1; of 0 fewer must be below it, whose scale goes through it.
        """
        far = 2 * max(-self.least, self.greatest)
        result = [c for c in CODES if self.coded[c] and (abs(c) > far or (c < 0 <= self.least))] * codes
        result += [0.0] * (zeros and self.zeros > self.below)
        return result if self.greatest > 1 else []

    def shares(self, values) -> str:
        """How many of the ratings have `values` of `unrated`, and the range of the others."""
        counts = {code: self.coded.get(code, self.zeros) for code in values}
        message = " and ".join(
            f"{count:,} of {self.n:,} ratings are {code:g}" for code, count in counts.items()
        )
        least = self.least if self.least < 0 else self.least_above
        return f"{message}, the others go from {least:g} to {self.greatest:g}"

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
    message = f"ratings from {least:.12g} to {greatest:.12g} cannot be fitted in single precision"
    if largest and not SIZES[0] <= largest <= SIZES[1]:
        return f"{message}; divide all by {largest:.0e}"
    step = float(np.spacing(np.float32(largest)))
    if least < greatest and step > FINE * (greatest - least):
        return f"{message}, which goes by {step:.2g} there; subtract {(least + greatest) / 2:.12g} from all"
    return None
