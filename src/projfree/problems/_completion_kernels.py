"""Sweeps over the observed entries of a completion problem, row by row; nothing of size |Ω|·k is made.

Factors come in the precision of the data, their width a multiple of eight, so that all loops vectorise. Sums
over the entries of a row stay in that precision; sums over more are taken in double.
"""

import numpy as np

from ..linalg.compiled import njit
from ..linalg.row_kernels import SUMS, add_combination, add_outer, row_products

FLUSH = 1 << 18  # entries after which the partial sums of the columns are added to those in double precision


@njit(nogil=True)
def image(rows, indptr, cols, U, V, out):
    """out ← (U Vᵀ) at the observed entries of the rows [rows[0], rows[1])."""
    zero = np.zeros(1, U.dtype)[0]
    for i in range(rows[0], rows[1]):
        here = slice(indptr[i], indptr[i + 1])
        row_products(U[i], V, cols[here], zero, out[here])


@njit(nogil=True)
def value_and_gradients(rows, indptr, cols, target, U, V, left, right):
    """½Σ e² over these rows, e = U_i·V_j − target; left ← E V there, right += Eᵀ U."""
    zero, width = np.zeros(1, U.dtype)[0], left.shape[1]
    errors, total = np.empty(V.shape[0], U.dtype), 0.0
    sums, part, waiting = np.empty(U.shape[1], U.dtype), np.zeros(V.shape, V.dtype), 0
    for i in range(rows[0], rows[1]):
        here = slice(indptr[i], indptr[i + 1])
        e = errors[: indptr[i + 1] - indptr[i]]
        row_products(U[i], V, cols[here], zero, e)
        total += _subtracted(e, target[here])
        sums[:] = zero
        add_combination(e, V, cols[here], sums)
        left[i] = sums[:width]
        add_outer(e, U[i], cols[here], part)
        waiting = _flush(waiting + e.size, part, right)
    _flush(np.inf, part, right)
    return total / 2


@njit(nogil=True)
def products(rows, indptr, cols, values, U, V, left, right):
    """left ← G V at these rows, right += Gᵀ U, for G with these values at the observed entries."""
    zero, width = np.zeros(1, U.dtype)[0], left.shape[1]
    sums, part, waiting = np.empty(U.shape[1], U.dtype), np.zeros(V.shape, V.dtype), 0
    for i in range(rows[0], rows[1]):
        here = slice(indptr[i], indptr[i + 1])
        sums[:] = zero
        add_combination(values[here], V, cols[here], sums)
        left[i] = sums[:width]
        add_outer(values[here], U[i], cols[here], part)
        waiting = _flush(waiting + indptr[i + 1] - indptr[i], part, right)
    _flush(np.inf, part, right)


@njit(fastmath=SUMS)
def _subtracted(e, target):
    """e ← e − target; returns Σ e²."""
    total = 0.0
    for p in range(e.size):
        e[p] -= target[p]
        total += np.float64(e[p]) * e[p]
    return total


@njit
def _flush(waiting, part, right):
    """Once enough entries wait, right += part and part ← 0; returns how many then wait."""
    if waiting < max(FLUSH, 8 * part.shape[0]):
        return waiting
    for j in range(right.shape[0]):
        for r in range(right.shape[1]):
            right[j, r] += part[j, r]
            part[j, r] = 0
    return 0


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
