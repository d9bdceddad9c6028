"""Lanczos on GᵀG for the leading singular pair, compiled whole for dense and sampled matrices.

Golub–Kahan bidiagonalisation and Lanczos on GᵀG span the same Krylov space; this form keeps one basis, needs
one pass over G a step, and yields u = Gv/σ without further products. Reference: Golub and Van Loan, Matrix
Computations, sections 10.3–10.4.
"""

import math

import numpy as np

from projfree.linalg.compiled import njit, overload, types
from projfree.linalg.lanczos_bound import NEGLIGIBLE, holds
from projfree.linalg.row_kernels import add_row, row_dot

# Entries taken per block of rows: both products then find the block in cache, and each its own vector.
BLOCK_ENTRIES = 48_000
BLOCK_ROWS = 16  # of the basis
SMALL, LARGE = 1e-120, 1e120  # between them squares of ‖Gv‖² are numbers, and so are what is small beside it


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
        rows, part = operator[first : first + block], p[first : first + block]
        np.dot(rows, v, part)
        w += np.dot(rows.T, part)


gram_product.py_func = _dense_gram_product  # type: ignore[attr-defined] # `prompt` has arrays only


def _sampled_gram_product(operator, v, p, w):
    indptr, cols, values = operator
    w[:] = 0.0
    first, m = 0, indptr.size - 1
    while first < m:
        last = first + 1
        while last < m and indptr[last] - indptr[first] < BLOCK_ENTRIES:
            last += 1
        for i in range(first, last):
            p[i] = row_dot(cols, values, indptr[i], indptr[i + 1], v)
        for i in range(first, last):
            add_row(cols, values, indptr[i], indptr[i + 1], p[i], w)
        first = last


@njit
def _top_of_tridiagonal(a, b, k, least, upper, pivots, s):
    """Largest eigenvalue of the leading k×k part of tridiag(b, a, b), its unit eigenvector in s[:k].

    Newton on the characteristic polynomial from an upper bound is monotone, for all roots are real, but slow
    above a cluster: each step is followed by one of bisection towards `least`, a lower bound.
    """
    value, step = upper, _newton_step(a, b, k, upper, pivots)
    while step > 1e-15 * value and least < value:
        lower = value - step
        middle = 0.5 * (least + lower)
        step = _newton_step(a, b, k, middle, pivots)
        if step > 0.0:
            value = middle
            continue
        least = middle
        step = _newton_step(a, b, k, lower, pivots)
        if step > 0.0:
            value = lower
    _inverse_iteration(a, b, k, value, pivots, s)
    return value


@njit
def _newton_step(a, b, k, t, pivots):
    """What Newton takes from t for a root of det(t − T); −1 where a pivot is not positive: t is too small."""
    pivots[0], slope = t - a[0], 1.0
    if pivots[0] <= 0.0:
        return -1.0
    total = slope / pivots[0]
    for i in range(1, k):
        ratio = b[i - 1] / pivots[i - 1]
        pivots[i] = t - a[i] - b[i - 1] * ratio
        if pivots[i] <= 0.0:
            return -1.0
        slope = 1.0 + ratio * ratio * slope
        total += slope / pivots[i]
    return 1.0 / total


@njit
def _inverse_iteration(a, b, k, value, pivots, s):
    """Two steps of it, with the positive definite factors of value·I − T; fills s[:k] with a unit vector."""
    shift = value * (1.0 + 1e-14)
    pivots[0] = shift - a[0]
    for i in range(1, k):
        pivots[i] = shift - a[i] - b[i - 1] * b[i - 1] / pivots[i - 1]
        if pivots[i] <= 0.0:
            pivots[i] = NEGLIGIBLE * value
    for i in range(k):  # a slice that is assigned to would take a second more to compile
        s[i] = 1.0
    for _ in range(2):
        for i in range(1, k):
            s[i] += s[i - 1] * b[i - 1] / pivots[i - 1]
        s[k - 1] /= pivots[k - 1]
        for i in range(k - 2, -1, -1):
            s[i] = (s[i] + b[i] * s[i + 1]) / pivots[i]
        norm = math.sqrt(np.dot(s[:k], s[:k]))
        for i in range(k):
            s[i] /= norm


@njit
def _upper_bound(theta, b, a):
    """Largest eigenvalue of [[theta, b], [b, a]]: bounds that of a tridiagonal matrix grown by one row."""
    return 0.5 * (theta + a) + math.hypot(0.5 * (theta - a), b)


@njit
def _orthogonalise(basis, k, w):
    """w ← (I − QQᵀ) w with Q the first k rows of the basis, again while much cancels; returns the norm left.

    Rows are taken by blocks that stay in cache for both products.
    """
    size = math.sqrt(np.dot(w, w))
    for _ in range(3):
        before = size
        for first in range(0, k, BLOCK_ROWS):
            block = basis[first : min(first + BLOCK_ROWS, k)]
            w -= np.dot(block.T, np.dot(block, w))
        size = math.sqrt(np.dot(w, w))
        if size > 0.5 * before:
            break
    return size


@njit
def lanczos(operator, start, tol, least, certify, basis, images, a, b):
    """One cycle from the unit vector `start`.

    Parameters
    ----------
    operator : as for :func:`gram_product`
    tol : float
        Relative residual to stop at.
    least : int
        Fewest steps before a residual is believed.
    certify : (float, float, float)
        (gap, growth, ‖G‖_F²): stop only where `lanczos_bound.holds` for θ(1 + gap)² too; an infinite gap asks
        for nothing.
    basis (K, n), images (K, m), a (K,), b (K,) : work space
        In the end a and b hold the diagonal and the subdiagonal of the tridiagonal matrix.

    Returns
    -------
    steps, u (m,), sigma, v (n,), residual
        with G v = sigma u and residual = ‖Gᵀu − sigma v‖ / sigma. Steps is -1 where G is not usable:
        entries not finite, or squares that over- or underflow.
    """
    cap, n = basis.shape
    gap, growth, sq_norm = certify
    pivots, s, w = np.zeros(cap), np.zeros(cap), np.empty(n)
    for i in range(n):
        basis[0, i] = start[i]
    theta, residual, k = 0.0, np.inf, 0
    while True:
        gram_product(operator, basis[k], images[k], w)
        a[k] = np.dot(images[k], images[k])
        w -= a[k] * basis[k]
        if k:
            w -= b[k - 1] * basis[k - 1]
        k += 1
        b[k - 1] = _orthogonalise(basis, k, w)
        if not (SMALL < a[0] < LARGE) or not np.isfinite(b[k - 1]):
            return -1, images[0], 0.0, basis[0], np.inf
        upper = a[0] if k == 1 else _upper_bound(theta, b[k - 2], a[k - 1])
        theta = _top_of_tridiagonal(a, b, k, max(theta, a[k - 1]), upper, pivots, s)
        residual = b[k - 1] * abs(s[k - 1]) / theta
        if k == cap or b[k - 1] <= NEGLIGIBLE * theta:
            break
        believed = residual <= tol and k >= least
        if believed and holds(theta * (1.0 + gap) ** 2, theta, a, b, k, growth, sq_norm):
            break
        for i in range(n):
            basis[k, i] = w[i] / b[k - 1]
    v = np.dot(basis[:k].T, s[:k])
    u = np.dot(images[:k].T, s[:k])
    norm = math.sqrt(np.dot(v, v))
    sigma = math.sqrt(np.dot(u, u)) / norm
    return k, u / (sigma * norm), sigma, v / norm, residual
