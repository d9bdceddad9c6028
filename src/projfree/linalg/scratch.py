"""Long vectors: room in files without a name, whose pages can leave the memory, and work by pieces."""

import math
import os
import tempfile
from contextlib import contextmanager
from contextvars import ContextVar

import numpy as np

PIECE = 1 << 14  # entries done at a time, so that temporaries stay in cache
LEAST = 1 << 20  # bytes from which on an array is worth a file
_folder = ContextVar("folder", default=None)


def pieces(count: int, size: int = PIECE):
    """Slices that cover so many entries one after another."""
    return (slice(first, first + size) for first in range(0, count, size))


@contextmanager
def rooms_in(folder):
    """While this lasts, `room` is in files in this folder, which should be on a disk."""
    before = _folder.set(folder)
    try:
        yield
    finally:
        _folder.reset(before)


def room(shape, dtype=np.float64) -> np.ndarray:
    """An array to be filled: in a file where it is long and `rooms_in` lasts, else in memory."""
    folder, size = _folder.get(), math.prod(shape) * np.dtype(dtype).itemsize
    return np.empty(shape, dtype) if folder is None or size < LEAST else mapped(folder, shape, dtype)


def mapped(folder, shape, dtype) -> np.ndarray:
    """Zeros in a file in this folder, which goes with the array; OSError where the disk is full."""
    with tempfile.TemporaryFile(dir=folder) as file:
        os.posix_fallocate(file.fileno(), 0, max(1, math.prod(shape) * np.dtype(dtype).itemsize))
        return np.memmap(file, dtype, "r+", shape=shape).view(np.ndarray)
