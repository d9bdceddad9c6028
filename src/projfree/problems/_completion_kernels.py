"""One sweep over the observed entries for each quantity of a completion problem; nothing of size |Ω|·k."""

import numpy as np

from ..linalg.compiled import njit

SUMS = {"reassoc", "contract"}  # what vectorised sums need


@njit(fastmath=SUMS)
def image(indptr, cols, U, V, out):
    """out ← (U Vᵀ) at the observed entries, in the precision of `out`."""
    width = U.shape[1]
    for i in range(indptr.size - 1):
        for p in range(indptr[i], indptr[i + 1]):
            j, total = cols[p], 0.0
            for r in range(width):
                total += U[i, r] * V[j, r]
            out[p] = total


@njit(fastmath=SUMS)
def value_and_gradients(indptr, cols, target, U, V, left, right):
    """½Σ e² with e = U_i·V_j − target; left += E V and right += Eᵀ U."""
    width, total = U.shape[1], 0.0
    for i in range(indptr.size - 1):
        for p in range(indptr[i], indptr[i + 1]):
            j, e = cols[p], -np.float64(target[p])
            for r in range(width):
                e += U[i, r] * V[j, r]
            total += e * e
            for r in range(width):
                left[i, r] += e * V[j, r]
                right[j, r] += e * U[i, r]
    return total / 2


@njit(fastmath=SUMS)
def products(indptr, cols, values, U, V, left, right):
    """left += G V and right += Gᵀ U for G with these values at the observed entries."""
    width = U.shape[1]
    for i in range(indptr.size - 1):
        for p in range(indptr[i], indptr[i + 1]):
            j, g = cols[p], values[p]
            for r in range(width):
                left[i, r] += g * V[j, r]
                right[j, r] += g * U[i, r]


@njit(fastmath=SUMS)
def atom_products(indptr, cols, values, U, V, out):
    """out_s += U_sᵀ G V_s for G with these values at the observed entries."""
    width = U.shape[1]
    row = np.empty(width)
    for i in range(indptr.size - 1):
        row[:] = 0.0
        for p in range(indptr[i], indptr[i + 1]):
            j, g = cols[p], values[p]
            for r in range(width):
                row[r] += g * V[j, r]
        for r in range(width):
            out[r] += U[i, r] * row[r]


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
