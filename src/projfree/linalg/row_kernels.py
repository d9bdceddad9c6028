"""Products of one row of a sparse matrix, what all sweeps over observed entries do, and of all rows.

With thin dense matrices four entries of the row are taken at a time: their columns differ, and the other row
is then read once for the four. All arrays have one precision then, and the loops vectorise where the width is
a multiple of eight.
"""

import numpy as np

from projfree.linalg.compiled import njit

SUMS = {"reassoc", "contract"}  # what vectorised sums need


@njit(fastmath=SUMS)
def row_dot(cols, values, first, last, v):
    """Σ_p values_p v_{cols_p} over p = first … last − 1, in double precision."""
    total = 0.0
    for p in range(np.uint64(first), np.uint64(last)):  # unsigned: no look for negative indices
        total += values[p] * v[np.uint64(cols[p])]
    return total


@njit(fastmath=SUMS)
def add_row(cols, values, first, last, weight, w):
    """w_{cols_p} += weight · values_p over p = first … last − 1."""
    for p in range(np.uint64(first), np.uint64(last)):
        w[np.uint64(cols[p])] += weight * values[p]


@njit(fastmath=SUMS)
def row_products(row, V, cols, zero, out):
    """out_p ← row · V_{cols_p}."""
    p, width = 0, row.size
    while p + 4 <= cols.size:
        a, b = V[np.uint64(cols[p])], V[np.uint64(cols[p + 1])]
        c, d = V[np.uint64(cols[p + 2])], V[np.uint64(cols[p + 3])]
        sa, sb, sc, sd = zero, zero, zero, zero
        for r in range(width):
            x = row[r]
            sa += x * a[r]
            sb += x * b[r]
            sc += x * c[r]
            sd += x * d[r]
        out[p], out[p + 1], out[p + 2], out[p + 3] = sa, sb, sc, sd
        p += 4
    while p < cols.size:
        a, sa = V[np.uint64(cols[p])], zero
        for r in range(width):
            sa += row[r] * a[r]
        out[p] = sa
        p += 1


@njit(fastmath=SUMS)
def add_combination(weights, V, cols, total):
    """total += Σ weights_p V_{cols_p}."""
    p, width = 0, total.size
    while p + 4 <= cols.size:
        a, b = V[np.uint64(cols[p])], V[np.uint64(cols[p + 1])]
        c, d = V[np.uint64(cols[p + 2])], V[np.uint64(cols[p + 3])]
        wa, wb, wc, wd = weights[p], weights[p + 1], weights[p + 2], weights[p + 3]
        for r in range(width):
            total[r] += wa * a[r] + wb * b[r] + wc * c[r] + wd * d[r]
        p += 4
    while p < cols.size:
        a, wa = V[np.uint64(cols[p])], weights[p]
        for r in range(width):
            total[r] += wa * a[r]
        p += 1


@njit(fastmath=SUMS)
def add_outer(weights, row, cols, totals):
    """totals_{cols_p} += weights_p · row."""
    p, width = 0, row.size
    while p + 4 <= cols.size:
        a, b = totals[np.uint64(cols[p])], totals[np.uint64(cols[p + 1])]
        c, d = totals[np.uint64(cols[p + 2])], totals[np.uint64(cols[p + 3])]
        wa, wb, wc, wd = weights[p], weights[p + 1], weights[p + 2], weights[p + 3]
        for r in range(width):
            x = row[r]
            a[r] += wa * x
            b[r] += wb * x
            c[r] += wc * x
            d[r] += wd * x
        p += 4
    while p < cols.size:
        a, wa = totals[np.uint64(cols[p])], weights[p]
        for r in range(width):
            a[r] += wa * row[r]
        p += 1


@njit(nogil=True)
def matvec(indptr, cols, values, v):
    """G v (m,), in double precision, of the sparse matrix G (m, n) with these entries."""
    out = np.empty(indptr.size - 1)
    for i in range(out.size):
        out[i] = row_dot(cols, values, indptr[i], indptr[i + 1], v)
    return out


@njit(nogil=True)
def rmatvec(indptr, cols, values, u, n):
    """Gᵀ u (n,), in double precision."""
    out = np.zeros(n)
    for i in range(u.size):
        add_row(cols, values, indptr[i], indptr[i + 1], u[i], out)
    return out


@njit(nogil=True)
def add_matmat(indptr, cols, values, V, total):
    """total (m, k) += G V."""
    for i in range(indptr.size - 1):
        here = slice(indptr[i], indptr[i + 1])
        add_combination(values[here], V, cols[here], total[i])


@njit(nogil=True)
def add_rmatmat(indptr, cols, values, U, total):
    """total (n, k) += Gᵀ U."""
    for i in range(indptr.size - 1):
        here = slice(indptr[i], indptr[i + 1])
        add_outer(values[here], U[i], cols[here], total)
