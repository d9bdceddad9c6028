"""A block of ratings as bytes: differences of ids in few, values in one if that is exact."""

from __future__ import annotations

import numpy as np

from ..linalg.compiled import njit
from .blocks import Block

LEVELS = 256  # different values up to which each is one byte
#: Of steps between ids that are one byte what is above 255 is written apart; where it is more than this share
#: of them they are two bytes, as a branch that nobody foresees costs more than a byte.
SHARE = 1 / 32


def encoded(block: Block) -> tuple[bytes, int]:
    """The bytes, and which form the values have: the number of levels, or minus the bytes of each.

    How many bytes each length of a row has, each step and each large step; how many of these; the lengths,
    the large steps less the most that a step can be, all steps, from the row's start on; the values.
    """
    counts, starts = np.diff(block.indptr), block.indptr[:-1]
    steps, starts = np.diff(block.cols, prepend=np.int32(0)), starts[counts > 0]
    steps[starts] = block.cols[starts]
    step = np.uint8 if np.count_nonzero(steps >= 255) <= SHARE * steps.size else np.uint16
    most = np.iinfo(step).max
    counts, large = _fewest(counts), _fewest(steps[steps >= most] - most)
    header = np.array([counts.itemsize, np.dtype(step).itemsize, large.itemsize, large.size])
    parts = header, counts, large, np.minimum(steps, most).astype(step)
    form, values = _encoded_values(block.values)
    return b"".join(part.tobytes() for part in (*parts, *values)), form


def _fewest(numbers):
    """The same in as few bytes each as the largest needs."""
    return numbers.astype(np.min_scalar_type(numbers.max(initial=0)))


def _encoded_values(values):
    levels, codes = np.unique(values, return_inverse=True)
    half = values.astype(np.float16)
    if levels.size <= LEVELS:
        return levels.size, (levels, codes.astype(np.uint8))
    return (-2, (half,)) if np.array_equal(half, values) else (-4, (values,))


def decoded(data: np.ndarray, rows: int, entries: int, form: int) -> tuple:
    """(indptr, cols, values) of a block from its bytes (uint8 array)."""
    at = 0

    def taken(count, kind):
        nonlocal at
        part = np.frombuffer(data, kind, count, at)
        at += part.nbytes
        return part

    a_row, a_step, a_large, large = taken(4, np.int64).tolist()
    indptr, cols = np.zeros(rows + 1, np.int64), np.empty(entries, np.int32)
    np.cumsum(taken(rows, f"u{a_row}"), out=indptr[1:])
    large = taken(large, f"u{a_large}").astype(np.int32)
    steps = np.require(taken(entries, f"u{a_step}"), requirements="AW")  # whatever place they begin at
    _added_up(indptr, steps, large, np.iinfo(steps.dtype).max, cols)
    if form < 0:
        return indptr, cols, taken(entries, f"f{-form}").astype(np.float32)
    return indptr, cols, _looked_up(taken(form, np.float32).copy(), taken(entries, np.uint8))


@njit(nogil=True)
def _added_up(indptr, steps, large, most, cols):
    at = 0
    for i in range(indptr.size - 1):
        before = np.int32(0)
        for k in range(indptr[i], indptr[i + 1]):
            before += np.int32(steps[k])
            if steps[k] == most:
                before += large[at]
                at += 1
            cols[k] = before


@njit(nogil=True)
def _looked_up(levels, codes):
    values = np.empty(codes.size, levels.dtype)
    for k in range(codes.size):
        values[k] = levels[codes[k]]
    return values
