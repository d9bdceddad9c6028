"""A block of ratings as bytes: differences of ids in few, values in one where that is exact."""

from __future__ import annotations

import numpy as np

from ..linalg.compiled import njit
from .blocks import Block

LEVELS = 256  # different values up to which each is one byte


def encoded(block: Block) -> tuple[bytes, int]:
    """The bytes, and which form the values have: the number of levels, or minus the bytes of each."""
    room = np.empty(5 * (block.cols.size + block.indptr.size), np.uint8)
    size = _encode(*block.csr, room)
    levels, codes = np.unique(block.values, return_inverse=True)
    half = block.values.astype(np.float16)
    if levels.size <= LEVELS:
        form, values = levels.size, levels.tobytes() + codes.astype(np.uint8).tobytes()
    elif np.array_equal(half, block.values):
        form, values = -2, half.tobytes()
    else:
        form, values = -4, block.values.tobytes()
    return room[:size].tobytes() + values, form


def decoded(data: np.ndarray, rows: int, entries: int, form: int) -> tuple:
    """(indptr, cols, values) of a block from its bytes (uint8 array)."""
    indptr, cols = np.empty(rows + 1, np.int64), np.empty(entries, np.int32)
    rest = data[_decode(data, indptr, cols) :]
    if form < 0:
        return indptr, cols, rest.view(f"f{-form}").astype(np.float32)
    return indptr, cols, _looked_up(rest[: 4 * form].view(np.float32).copy(), rest[4 * form :])


@njit
def _encode(indptr, cols, out):
    """For each row its length, and its columns each as the difference to the one before: 7 bits a byte."""
    at = 0
    for i in range(indptr.size - 1):
        at = _put(out, at, indptr[i + 1] - indptr[i])
        before = 0
        for k in range(indptr[i], indptr[i + 1]):
            at = _put(out, at, cols[k] - before)
            before = cols[k]
    return at


@njit
def _put(out, at, number):
    while number >= 128:
        out[at] = number % 128 + 128
        number //= 128
        at += 1
    out[at] = number
    return at + 1


@njit(nogil=True)
def _decode(data, indptr, cols):
    at, indptr[0] = 0, 0
    for i in range(indptr.size - 1):
        at, count = _take(data, at)
        indptr[i + 1] = indptr[i] + count
        before = 0
        for k in range(indptr[i], indptr[i + 1]):
            at, step = _take(data, at)
            before += step
            cols[k] = before
    return at


@njit(nogil=True)
def _looked_up(levels, codes):
    values = np.empty(codes.size, levels.dtype)
    for k in range(codes.size):
        values[k] = levels[codes[k]]
    return values


@njit
def _take(data, at):
    number, shift = np.int64(data[at]), 7
    if number < 128:
        return at + 1, number
    number -= 128
    while True:
        at += 1
        byte = np.int64(data[at])
        number += (byte & 127) << shift
        if byte < 128:
            return at + 1, number
        shift += 7
