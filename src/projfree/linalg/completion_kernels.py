"""Sweeps over the observed entries of a completion problem, row by row; nothing of size |Ω|·k is made.

Factors come in the precision of the data, their width a multiple of eight, so that all loops vectorise. Sums
over the entries of a row and over those of a column within one part of the rows (`partition.row_ranges`) stay
in that precision; sums over more are taken in double.
"""

import numpy as np

from .compiled import njit
from .row_kernels import SUMS, add_combination, add_outer, row_products

LANES = 8  # of a vector register in single precision


def padded(side, dtype):
    """A factor in this precision with a width that is a multiple of `LANES`: itself if it is so."""
    extra = -side.shape[1] % LANES
    if not extra:
        return np.ascontiguousarray(side, dtype)
    wider = np.zeros((side.shape[0], side.shape[1] + extra), dtype)
    wider[:, : side.shape[1]] = side
    return wider


@njit(nogil=True)
def image(rows, indptr, cols, U, V, out):
    """out ← (U Vᵀ) at the observed entries of the rows [rows[0], rows[1])."""
    zero = np.zeros(1, U.dtype)[0]
    for i in range(rows[0], rows[1]):
        here = slice(indptr[i], indptr[i + 1])
        row_products(U[i], V, cols[here], zero, out[here])


@njit(nogil=True)
def value_and_gradients(rows, indptr, cols, target, U, V, left):
    """½Σ e² over these rows, e = U_i·V_j − target; left ← E V there; Eᵀ U, as wide as V."""
    zero, width = np.zeros(1, U.dtype)[0], left.shape[1]
    errors, total = np.empty(V.shape[0], U.dtype), 0.0
    sums, right = np.empty(U.shape[1], U.dtype), np.zeros(V.shape, V.dtype)
    for i in range(rows[0], rows[1]):
        here = slice(indptr[i], indptr[i + 1])
        e = errors[: indptr[i + 1] - indptr[i]]
        row_products(U[i], V, cols[here], zero, e)
        total += _subtracted(e, target[here])
        sums[:] = zero
        add_combination(e, V, cols[here], sums)
        for r in range(width):
            left[i, r] = sums[r]
        add_outer(e, U[i], cols[here], right)
    return total / 2, right


@njit(nogil=True)
def products(rows, indptr, cols, values, U, V, left):
    """Of G with these values at the observed entries: left ← G V at these rows; Gᵀ U, as wide as V."""
    zero, width = np.zeros(1, U.dtype)[0], left.shape[1]
    sums, right = np.empty(U.shape[1], U.dtype), np.zeros(V.shape, V.dtype)
    for i in range(rows[0], rows[1]):
        here = slice(indptr[i], indptr[i + 1])
        sums[:] = zero
        add_combination(values[here], V, cols[here], sums)
        for r in range(width):
            left[i, r] = sums[r]
        add_outer(values[here], U[i], cols[here], right)
    return 0.0, right


@njit(fastmath=SUMS)
def _subtracted(e, target):
    """e ← e − target; returns Σ e²."""
    total = 0.0
    for p in range(e.size):
        e[p] -= target[p]
        total += np.float64(e[p]) * e[p]
    return total


@njit
def atom_products(indptr, cols, values, U, V, out):
    """out_s += U_sᵀ G V_s for G with these values at the observed entries."""
    sums = np.empty(U.shape[1], U.dtype)
    for i in range(indptr.size - 1):
        here = slice(indptr[i], indptr[i + 1])
        sums[:] = 0
        add_combination(values[here], V, cols[here], sums)
        for s in range(out.size):
            out[s] += np.float64(U[i, s]) * sums[s]


@njit(fastmath=SUMS)
def half_square(image, target):
    """½Σ (image − target)², summed in double precision."""
    total = 0.0
    for p in range(image.size):
        e = np.float64(image[p]) - target[p]
        total += e * e
    return total / 2


@njit(fastmath=SUMS)
def inner(a, b):
    """Σ a b, summed in double precision."""
    total = 0.0
    for p in range(a.size):
        total += np.float64(a[p]) * b[p]
    return total


@njit(nogil=True)
def subtract(e, target):
    """e ← e − target, (n,)."""
    for p in range(e.size):
        e[p] -= target[p]
