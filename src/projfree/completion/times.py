"""Ratings with times: what those of a user within a day, five minutes or a second have in common.

Before the matrix is fitted, offsets d of these stretches are, by ridge regression together with offsets of
users and items: argmin ½ Σ (μ + b_i + c_j + Σ_l d_l(i, t) − X_ij)² + (ρ/2)(‖b‖² + ‖c‖²) + (σ/2) Σ_l ‖d_l‖².
The matrix, and b and c anew, are fitted to what these leave. Each part of a cross-validation has offsets of
its own ratings.
"""

from dataclasses import dataclass, field

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import lsqr

from .blocks import Division
from .ratings import Ratings
from .sweeps import Sweeps

WIDTHS = 86_400, 300, 1  # seconds of a stretch
RIDGE, OWN = 20.0, 3.0  # σ of stretches, ρ of users and items


@dataclass(frozen=True)
class Stretches:
    """Offsets of the stretches of one width, of users that rated in them.

    Attributes
    ----------
    width : seconds
    starts : int64, sorted: numbers t // width of stretches
    keys : int64, sorted: user · len(starts) + place in `starts`
    offsets : float64, one a key
    """

    width: int
    starts: np.ndarray
    keys: np.ndarray
    offsets: np.ndarray

    def places(self, rows, times):
        """Places in `keys` (n,), −1 if the user rated nothing in the stretch."""
        start = _places(self.starts, times // self.width)
        return np.where((start >= 0) & (rows >= 0), _places(self.keys, rows * len(self.starts) + start), -1)

    def at(self, rows, times):
        """Offsets (n,), 0 if there is none."""
        return np.append(self.offsets, 0.0)[self.places(rows, times)]


def _places(known, numbers):
    at = np.minimum(np.searchsorted(known, numbers), len(known) - 1)
    return np.where(known[at] == numbers, at, -1)


def fitted(rows, cols, values, times, shape) -> list[Stretches]:
    """The offsets of stretches, of all widths."""
    rows, parts = rows.astype(np.int64), []
    for width in WIDTHS:
        starts = np.unique(times // width)
        keys = np.unique(rows * len(starts) + np.searchsorted(starts, times // width))
        parts.append(Stretches(width, starts, keys, np.zeros(len(keys))))
    codes = [rows, cols, *(part.places(rows, times) for part in parts)]
    sizes = [*shape, *(len(part.keys) for part in parts)]
    ridges = np.repeat([OWN, OWN] + [RIDGE] * len(parts), sizes)
    n = len(values)
    columns = np.stack(codes, axis=1) + np.concatenate([[0], np.cumsum(sizes)[:-1]])
    weights = 1 / np.sqrt(ridges)
    design = sparse.csr_array(
        (weights[columns.ravel()], columns.ravel(), np.arange(0, columns.size + 1, len(codes))),
        shape=(n, len(ridges)),
    )
    left = values - values.mean(dtype=float)
    result = weights * lsqr(design, left, damp=1.0, atol=1e-8, btol=1e-8)[0]
    ends = np.cumsum(sizes)[1:]
    return [
        Stretches(part.width, part.starts, part.keys, result[first:last])
        for part, first, last in zip(parts, ends[:-1], ends[1:], strict=True)
    ]


def offsets(parts, rows, times) -> np.ndarray:
    """Offsets (n,) of all widths together; −1 is a user without ratings."""
    return sum(part.at(np.asarray(rows, np.int64), times) for part in parts)


@dataclass(frozen=True)
class Timed(Ratings):
    """Ratings with times: `sweeps` are over what the stretches' offsets leave of them.

    Attributes
    ----------
    times : int64 (n,), seconds
    """

    times: np.ndarray
    known: dict = field(default_factory=dict, repr=False, compare=False)

    def stretches(self, division: Division | None = None) -> list[Stretches]:
        """The offsets, of all ratings or of those that the division leaves for fitting."""
        part = division and (division.seed, division.folds, division.fold)
        if part not in self.known:
            chosen = slice(None)
            if division is not None:
                counts = [block.cols.size for block in self.blocks()]
                parts = [division.chosen(k, count) for k, count in enumerate(counts)]
                chosen = np.concatenate(parts) != division.held_out
            columns = (column[chosen] for column in (self.rows, self.cols, self.values, self.times))
            self.known[part] = fitted(*columns, self.shape)
        return self.known[part]

    def sweeps(self, division: Division | None = None, threads: int = 1) -> Sweeps:
        """Over all ratings, or those that a division chooses, less the stretches' offsets."""
        left = self.values - offsets(self.stretches(division), self.rows, self.times)
        plain = Ratings(self.rows, self.cols, left.astype(np.float32), self.users, self.items)
        return plain.sweeps(division, threads)
