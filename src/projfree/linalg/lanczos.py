"""Lanczos on GᵀG for the leading singular pair, compiled whole for dense and sampled matrices.

Golub–Kahan bidiagonalisation and Lanczos on GᵀG span the same Krylov space; this form keeps one basis, needs
one pass over G a step, and yields u = Gv/σ without further products. Reference: Golub and Van Loan, Matrix
Computations, sections 10.3–10.4.
"""

from __future__ import annotations

import math

import numpy as np

from projfree.linalg.compiled import njit, overload, types

# Entries of a dense matrix taken per block of rows: both products then find the block in cache.
BLOCK_ENTRIES = 48_000
NEGLIGIBLE = 1e-14


def gram_product(operator, v, p, w):
    """p ← G v and w ← Gᵀ p, for any object with ``matvec`` and ``rmatvec``; compiled below for arrays."""
    p[:] = operator.matvec(v)
    w[:] = operator.rmatvec(p)


@overload(gram_product)
def _choose_gram_product(operator, v, p, w):
    if isinstance(operator, types.Array):
        return _dense_gram_product
    if isinstance(operator, types.BaseTuple):
        return _sampled_gram_product
    return None


def _dense_gram_product(operator, v, p, w):
    m, n = operator.shape
    block = max(1, BLOCK_ENTRIES // n)
    if m <= 2 * block:
        np.dot(operator, v, p)
        np.dot(operator.T, p, w)
        return
    w[:] = 0.0
    for first in range(0, m, block):
        rows = operator[first : first + block]
        part = np.dot(rows, v)
        p[first : first + block] = part
        w += np.dot(rows.T, part)


def _sampled_gram_product(operator, v, p, w):
    indptr, cols, values = operator
    w[:] = 0.0
    for i in range(indptr.size - 1):
        even, odd = 0.0, 0.0
        first, last = indptr[i], indptr[i + 1]
        for k in range(first, last - 1, 2):
            even += values[k] * v[cols[k]]
            odd += values[k + 1] * v[cols[k + 1]]
        if (last - first) % 2:
            even += values[last - 1] * v[cols[last - 1]]
        total = even + odd
        p[i] = total
        for k in range(first, last):
            w[cols[k]] += values[k] * total


@njit
def _top_of_tridiagonal(a, b, k, upper, pivots, s):
    """Largest eigenvalue of the leading k×k part of tridiag(b, a, b), its unit eigenvector in s[:k].

    Newton on the characteristic polynomial from an upper bound: monotone, for all roots are real.
    """
    value = upper
    for _ in range(200):
        pivots[0], slope = value - a[0], 1.0
        total = slope / pivots[0]
        for i in range(1, k):
            ratio = b[i - 1] / pivots[i - 1]
            pivots[i] = value - a[i] - b[i - 1] * ratio
            slope = 1.0 + ratio * ratio * slope
            total += slope / pivots[i]
        lower = value - 1.0 / total
        if not (lower < value * (1.0 - 1e-15)) or pivots[k - 1] <= 0.0:
            break
        value = lower
    _inverse_iteration(a, b, k, value, pivots, s)
    return value


@njit
def _inverse_iteration(a, b, k, value, pivots, s):
    """Two steps of it, with the positive definite factors of value·I − T; fills s[:k] with a unit vector."""
    shift = value * (1.0 + 1e-14)
    pivots[0] = shift - a[0]
    for i in range(1, k):
        pivots[i] = shift - a[i] - b[i - 1] * b[i - 1] / pivots[i - 1]
        if pivots[i] <= 0.0:
            pivots[i] = NEGLIGIBLE * value
    s[:k] = 1.0
    for _ in range(2):
        for i in range(1, k):
            s[i] += s[i - 1] * b[i - 1] / pivots[i - 1]
        s[k - 1] /= pivots[k - 1]
        for i in range(k - 2, -1, -1):
            s[i] = (s[i] + b[i] * s[i + 1]) / pivots[i]
        s[:k] /= math.sqrt(np.dot(s[:k], s[:k]))


@njit
def _upper_bound(theta, b, a):
    """Largest eigenvalue of [[theta, b], [b, a]]: bounds that of a tridiagonal matrix grown by one row."""
    return 0.5 * (theta + a) + math.hypot(0.5 * (theta - a), b)


@njit
def _orthogonalise(basis, k, w):
    """w ← (I − QQᵀ) w twice with Q the first k rows of the basis; returns the norm left."""
    for _ in range(2):
        w -= np.dot(basis[:k].T, np.dot(basis[:k], w))
    return math.sqrt(np.dot(w, w))


@njit
def lanczos(operator, start, tol, least, basis, images):
    """One cycle from the unit vector `start`.

    Parameters: operator as for :func:`gram_product`; tol, the relative residual to stop at; least, the fewest
    steps before a residual is believed; basis (K, n) and images (K, m), work space.

    Returns
    -------
    steps, u (m,), sigma, v (n,), residual
        with G v = sigma u and residual = ‖Gᵀu − sigma v‖ / sigma. Steps is -1 where G is not usable:
        entries not finite, or squares that over- or underflow.
    """
    cap, n = basis.shape
    a, b, pivots, s = np.zeros(cap), np.zeros(cap), np.zeros(cap), np.zeros(cap)
    w = np.empty(n)
    basis[0] = start
    theta, residual, k = 0.0, np.inf, 0
    while True:
        gram_product(operator, basis[k], images[k], w)
        a[k] = np.dot(images[k], images[k])
        k += 1
        b[k - 1] = _orthogonalise(basis, k, w)
        if not (1e-280 < a[0] < 1e280) or not np.isfinite(b[k - 1]):
            return -1, images[0], 0.0, basis[0], np.inf
        upper = a[0] if k == 1 else _upper_bound(theta, b[k - 2], a[k - 1])
        theta = _top_of_tridiagonal(a, b, k, upper, pivots, s)
        residual = b[k - 1] * abs(s[k - 1]) / theta
        invariant = b[k - 1] <= NEGLIGIBLE * theta
        if k == cap or invariant or (residual <= tol and k >= least):
            break
        basis[k] = w / b[k - 1]
    v = np.dot(basis[:k].T, s[:k])
    u = np.dot(images[:k].T, s[:k])
    norm = math.sqrt(np.dot(v, v))
    sigma = math.sqrt(np.dot(u, u)) / norm
    return k, u / (sigma * norm), sigma, v / norm, residual
