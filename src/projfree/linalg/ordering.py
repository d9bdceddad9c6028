"""The order of many non-negative numbers, at about the price of sorting them."""

from __future__ import annotations

import numpy as np

FEW = 4096  # up to here NumPy's indirect sort is as fast


def descending_order(a) -> np.ndarray:
    """Indices (n,) that sort non-negative finite numbers from large to small, ties by position.

    Bits of non-negative floats are ordered as the numbers are. So the position can stand in the lowest bits
    of the (inverted) number, one direct sort of integers gives the order, and what the overwritten bits
    would have decided is put right by a stable sort of a sequence that is all but sorted.
    """
    a = np.ascontiguousarray(a, dtype=np.float64)
    if a.size <= FEW:
        return np.argsort(-a, kind="stable")
    mask = np.uint64((1 << int(a.size - 1).bit_length()) - 1)
    keys = np.invert((a + 0.0).view(np.uint64))  # + 0.0: a negative zero has its highest bit set
    keys &= ~mask
    keys |= np.arange(a.size, dtype=np.uint64)
    keys.sort()
    order = (keys & mask).astype(np.int64)
    found = a[order]
    if (found[1:] > found[:-1]).any():
        order = order[np.argsort(-found, kind="stable")]
    return order
