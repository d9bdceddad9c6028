"""Ratings in blocks of whole rows, and what a sweep does with one of them.

A task takes a block, rows of the left factors that are those of the block, and whole right factors. It
returns its rows of a left product, or None, and a tuple of what is added up over the blocks, or None. Factors
come in single precision, vectors in double.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ..linalg import completion_kernels as kernels
from ..linalg import row_kernels
from ..linalg.compiled import njit
from ..solvers.inner import conic_search
from . import lanes

ROWS = 256  # whose scores of all columns are computed at a time


@dataclass
class Held:
    """Errors (n,) that were computed last, and for which factors: they are asked for many times."""

    errors: np.ndarray | None = None
    token: str | None = None


@dataclass(frozen=True)
class Division:
    """Which ratings: those of a fold, or all but those; the folds are drawn block by block."""

    seed: int
    folds: int
    fold: int
    held_out: bool

    def chosen(self, number: int, count: int) -> np.ndarray:
        """Which of the `count` ratings of this block, (count,) bool."""
        drawn = np.random.default_rng([self.seed, number]).permutation(count) % self.folds
        return (drawn == self.fold) == self.held_out


@dataclass
class Block:
    """Some rows: indptr (rows + 1,) int64 from 0, cols (n,) int32, values (n,) float32."""

    indptr: np.ndarray
    cols: np.ndarray
    values: np.ndarray
    held: Held = field(default_factory=Held)

    def part(self, number: int, division: Division | None, held: Held | None = None) -> Block:
        """The ratings of this block, the `number`-th, that the division chooses."""
        held = held or Held()
        if division is None:
            return Block(self.indptr, self.cols, self.values, held)
        chosen = division.chosen(number, self.cols.size)
        before = np.concatenate([[0], np.cumsum(chosen)])
        return Block(before[self.indptr], self.cols[chosen], self.values[chosen], held)

    @property
    def csr(self):
        """Positions as the kernels take them."""
        return self.indptr, self.cols

    @cached_property
    def ones(self):
        """Values of the pattern."""
        return np.ones(self.cols.size, np.float32)

    def image(self, L, R, out=None):
        """L Rᵀ on Ω, (n,)."""
        out = np.empty(self.cols.size, np.float32) if out is None else out[: self.cols.size]
        kernels.image((0, len(L)), *self.csr, *_padded(L, R), out)
        return out

    def errors(self, token, L, R):
        """L Rᵀ − X on Ω, computed once for a token."""
        if self.held.token != token:
            self.held.errors, self.held.token = self.image(L, R, self.held.errors), token
            kernels.subtract(self.held.errors, self.values)
        return self.held.errors[: self.cols.size]


def counts(block, lefts, rights, columns):
    """Ratings of each row; of each column, and sums of all: (count, total, least, greatest)."""
    values = block.values.astype(np.float64)
    by_column = np.bincount(block.cols, minlength=columns)
    return np.diff(block.indptr), (by_column, values.size, values.sum())


def sums(block, lefts, rights, columns):
    """Ratings less the offsets: their sums by row; and by column."""
    (row,), (column,) = lefts, rights
    index = np.repeat(np.arange(len(row)), np.diff(block.indptr))
    left = block.values - row[index] - column[block.cols]
    by_row = np.bincount(index, left, len(row))
    return by_row, (np.bincount(block.cols, left, columns),)


def gradients(block, lefts, rights):
    """E R; ½‖E‖² and Eᵀ L, for E = L Rᵀ − X."""
    (L,), (R,) = lefts, rights
    loss, left, right = lanes.gradients(*block.csr, block.values, *_padded(L, R))
    return left[:, : L.shape[1]], (loss, right[:, : R.shape[1]])


def pattern_products(block, lefts, rights):
    """P R; Pᵀ L, for the pattern P."""
    (L,), (R,) = lefts, rights
    left = np.empty(L.shape, np.float32)
    _, right = kernels.products((0, len(L)), *block.csr, block.ones, *_padded(L, R), left)
    return left, (right[:, : R.shape[1]],)


def errors_times(block, lefts, rights, token):
    """E B."""
    (L,), (R, B) = lefts, rights
    return _times(block, block.errors(token, L, R), B), None


def errors_transposed(block, lefts, rights, token):
    """Eᵀ A."""
    (L, A), (R,) = lefts, rights
    return None, (_transposed(block, block.errors(token, L, R), A, len(R)),)


def pattern_times(block, lefts, rights):
    """P B."""
    return _times(block, block.ones, *rights), None


def pattern_transposed(block, lefts, rights, columns):
    """Pᵀ A."""
    return None, (_transposed(block, block.ones, *lefts, columns),)


def line_products(block, lefts, rights):
    """W·W, W·P, P·P, W·Y, P·Y over Ω for two products of factors, Y the ratings less a third."""
    w, p, offsets = (block.image(L, R) for L, R in zip(lefts, rights, strict=True))
    return None, conic_search.products(w, p, block.values - offsets)


def error_sums(block, lefts, rights, token):
    """Sums of E by row; ⟨E, X⟩, ‖E‖², and sums by column."""
    (L,), (R,) = lefts, rights
    E, ones = block.errors(token, L, R), np.ones(max(len(L), len(R)))
    by_column = row_kernels.rmatvec(*block.csr, E, ones[: len(L)], len(R))
    along, square = kernels.inner(E, block.values), kernels.inner(E, E)
    return row_kernels.matvec(*block.csr, E, ones[: len(R)]), (along, square, by_column)


def weighted_square(block, lefts, rights, token):
    """‖diag(a) E diag(c)‖²."""
    (L, a), (R, c) = lefts, rights
    E = block.errors(token, L, R).astype(float) * np.repeat(a, np.diff(block.indptr)) * c[block.cols]
    return None, (E @ E,)


def best(block, lefts, rights, n):
    """For each chosen row with entries the n columns without one where A Bᵀ is greatest; else −1."""
    (chosen, A), (B,) = lefts, rights
    top = np.full((len(A), n), -1, np.int32)
    rows, width = np.flatnonzero(chosen & (np.diff(block.indptr) > 0)), min(n, len(B))
    for part in np.split(rows, range(ROWS, rows.size, ROWS)):
        scores = A[part] @ B.T
        for values, row in zip(scores, part, strict=True):
            values[block.cols[block.indptr[row] : block.indptr[row + 1]]] = -np.inf
        columns = np.argpartition(-scores, width - 1, axis=1)[:, :width]
        values = np.take_along_axis(scores, columns, axis=1)
        order = np.argsort(-values, axis=1)
        columns[values == -np.inf] = -1
        top[part, :width] = np.take_along_axis(columns, order, axis=1)
    return top, None


def gains(block, lefts, rights, least):
    """Sums of NDCG and recall of what `best` found, and the number of its rows with entries ≥ least."""
    (top,) = lefts
    rows = np.repeat(np.arange(len(top)), np.diff(block.indptr))
    relevant = (block.values >= least) & (top[rows, 0] >= 0)
    rows, hit = rows[relevant], top[rows[relevant]] == block.cols[relevant, None]
    discount = 1 / np.log2(np.arange(2, top.shape[1] + 2))
    count, gain, hits = (np.bincount(rows, w, len(top)) for w in (None, hit @ discount, hit.sum(axis=1)))
    judged = count > 0
    most = np.cumsum(discount)[np.minimum(count[judged], top.shape[1]) - 1]
    sums = np.sum(gain[judged] / most), np.sum(hits[judged] / count[judged])
    return None, (*sums, np.count_nonzero(judged))


def offset_sweep(block, lefts, rights, ridge):
    """The best b beside c, where the errors sum up to r without both: b; and Pᵀb."""
    (r,), (c,) = lefts, rights
    b, by_column = np.empty_like(r), np.zeros_like(c)
    _sweep(*block.csr, r, c, ridge, b, by_column)
    return b, (by_column,)


def squares(block, lefts, rights, least, greatest):
    """Sum and number of the squared errors of predictions that are cut to a scale."""
    predicted = np.clip(block.image(*lefts, *rights), least, greatest)
    return None, (2 * kernels.half_square(predicted, block.values), predicted.size)


def _times(block, values, B):
    if B.ndim == 1:
        return row_kernels.matvec(*block.csr, values, B)
    wide = kernels.padded(B, np.float32)
    left = np.zeros((block.indptr.size - 1, wide.shape[1]), np.float32)
    row_kernels.add_matmat(*block.csr, values, wide, left)
    return left[:, : B.shape[1]]


def _transposed(block, values, A, columns):
    if A.ndim == 1:
        return row_kernels.rmatvec(*block.csr, values, A, columns)
    wide = kernels.padded(A, np.float32)
    right = np.zeros((columns, wide.shape[1]), np.float32)
    row_kernels.add_rmatmat(*block.csr, values, wide, right)
    return right[:, : A.shape[1]]


def _padded(L, R):
    return kernels.padded(L, np.float32), kernels.padded(R, np.float32)


@njit(nogil=True)
def _sweep(indptr, cols, r, c, ridge, b, by_column):
    for i in range(b.size):
        total = r[i]
        for k in range(indptr[i], indptr[i + 1]):
            total -= c[cols[k]]
        b[i] = total / (indptr[i + 1] - indptr[i] + ridge)
        for k in range(indptr[i], indptr[i + 1]):
            by_column[cols[k]] += b[i]
