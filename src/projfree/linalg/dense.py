"""Passes over dense arrays without temporaries, for matrices that memory bandwidth bounds."""

import numpy as np

from projfree.linalg.compiled import njit


def blend(x, v, share) -> np.ndarray:
    """(1 − share) x + share v, a new array; no entry leaves the interval between x's and v's by rounding."""
    out = np.empty(np.shape(x))
    _blend(x.ravel(), v.ravel(), share, out.ravel())
    return out


def sq_distance(x, v) -> float:
    """‖x − v‖² of two arrays of one shape."""
    return _sq_distance(x.ravel(), v.ravel())


@njit(fastmath={"contract"})
def _blend(x, v, share, out):
    """From the nearer end: half of v − x is less than it by more than its rounding."""
    if share > 0.5:
        x, v, share = v, x, 1.0 - share
    for i in range(x.size):
        out[i] = x[i] + share * (v[i] - x[i])


@njit(fastmath={"reassoc", "contract"})
def _sq_distance(x, v):
    total = 0.0
    for i in range(x.size):
        total += (x[i] - v[i]) ** 2
    return total
