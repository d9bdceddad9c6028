"""Euclidean projections of vectors: exact, in linear time, at all scales of floating point."""

import math
from numbers import Real

import numpy as np

from projfree.linalg.compiled import njit
from projfree.linalg.validation import array, positive, vector

BLOCK = 256  # entries between two looks at the threshold; sums by blocks also lose fewer digits
GROUP = 16  # entries that are not read again where their largest lies below the threshold
LARGE = 100_000  # entries from which on these largest ones are asked first for a bound
SHIFT = 600  # of exponents, where sums of numbers of the size of `total` leave the range of floats


def project_simplex(y, total=1.0) -> np.ndarray:
    """Projection of y (n,) onto {x ≥ 0, Σx = total} by a variant of Condat's method [Condat 2016].

    Raises
    ------
    ValueError
        Here and below: for a `y` that is empty, not finite or no vector, a `total` that is not finite or < 0.
    """
    return _on_simplex(vector("y", y), _size("total", total))


def simplex_threshold(y, total) -> float:
    """The τ with Σ max(y − τ, 0) = total, for a finite total > 0."""
    y, total = vector("y", y), positive("total", total)
    scale = _scale(total)
    top, tau = _threshold(y, _peaks(y), total * scale, scale)
    return float(top + tau / scale)


def project_spectrum(s, radius) -> np.ndarray:
    """Projection of s (n,) onto {x ≥ 0, Σx ≤ radius}: what a nuclear-norm ball does to singular values."""
    return _spectrum(vector("s", s), _size("radius", radius))


def project_l1(y, radius) -> np.ndarray:
    """Projection of y (n,) onto {Σ|x| ≤ radius} [Duchi et al. 2008]."""
    y = vector("y", y)
    return np.copysign(_spectrum(np.abs(y), _size("radius", radius)), y)


def project_l2(y, radius) -> np.ndarray:
    """Projection of y (any shape) onto {‖x‖ ≤ radius}; y itself when inside."""
    y = array("y", y)
    mantissa, exponent = _norm(y.ravel())
    inside = _ldexp(mantissa, exponent) <= _size("radius", radius)
    return y if inside else _of_length(y, radius, mantissa, exponent)


def norm_l2(y) -> float:
    """‖y‖ of a finite y (any shape), wherever it is a float; its square need not be."""
    return _ldexp(*_norm(y.ravel()))


def of_length(y, length) -> np.ndarray:
    """y·length/‖y‖ for a finite y (any shape); zero for zero."""
    return _of_length(y, length, *_norm(y.ravel()))


def _spectrum(s, radius):
    return np.maximum(s, 0.0) if _positive_sum(s) <= radius else _on_simplex(s, radius)


def _on_simplex(y, total):
    return _project(y, total, _scale(total)) if total > 0.0 else np.zeros(y.size)


def _scale(total):
    """The power of two by which `total` is brought back where its sums are safe; 1 nearly always."""
    return 2.0**-SHIFT if total > 1e280 else 2.0**SHIFT if total < 1e-280 else 1.0


def _size(name, size):
    if not (isinstance(size, Real) and 0.0 <= size < math.inf):
        raise ValueError(f"{name} must be a finite number ≥ 0, not {size}")
    return float(size)


def _ldexp(mantissa, exponent):
    try:
        return math.ldexp(mantissa, exponent)
    except OverflowError:
        return math.inf


def _of_length(y, length, mantissa, exponent):
    share, shift = math.frexp(length)
    shift -= exponent
    half, x = int(shift / 2), np.empty(y.shape)
    share *= 2.0 ** (shift - 2 * half) / (mantissa or 1.0)
    _rescale(y.ravel(), 2.0 ** max(half, 0), share, 2.0 ** min(half, 0), x.ravel())
    return x


@njit
def _project(y, total, scale):
    peaks, back = _peaks(y), 1.0 / scale
    top, tau = _threshold(y, peaks, total * scale, scale)
    x = np.empty(y.size)
    for group in range(peaks.size):
        first, end = group * GROUP, min((group + 1) * GROUP, y.size)
        if (peaks[group] - top) * scale > tau:
            for i in range(first, end):
                above = (y[i] - top) * scale - tau
                x[i] = above * back if above > 0.0 else 0.0
        else:
            for i in range(first, end):
                x[i] = 0.0
    return x


@njit(fastmath={"nnan", "nsz"})
def _peaks(y):
    """The largest entry of each group."""
    peaks = np.empty((y.size + GROUP - 1) // GROUP)
    whole = y.size // GROUP
    for group in range(whole):
        peak = y[group * GROUP]
        for i in range(1, GROUP):
            peak = max(peak, y[group * GROUP + i])
        peaks[group] = peak
    for i in range(whole * GROUP, y.size):
        peaks[whole] = y[i] if i == whole * GROUP else max(peaks[whole], y[i])
    return peaks


@njit
def _threshold(y, peaks, total, scale):
    """The largest entry, and τ for (y − top)·scale.

    Any of the entries give with their mean a bound τ ≥ (Σ − total)/count, and what lies below it is dropped,
    until nothing does. In a large y the peaks give the first bound.
    """
    top, tau = peaks[0], -total
    for peak in peaks:
        top = max(top, peak)
    candidates = np.empty(y.size)
    if y.size >= LARGE:
        tau = _settled(peaks, peaks[:0], top, tau, total, scale, candidates)
    return top, _settled(y, peaks, top, tau, total, scale, candidates)


@njit
def _settled(y, peaks, top, tau, total, scale, candidates):
    count, tau = _above(y, y.size, peaks, top, scale, tau, total, candidates)
    before = -1
    while count != before:
        before = count
        count, tau = _above(candidates, count, peaks[:0], 0.0, 1.0, tau, total, candidates)
    return tau


@njit
def _above(values, size, peaks, top, scale, tau, total, candidates):
    """Keep (values − top)·scale above the bound, that each block may raise: how many, and it.

    Groups whose peaks are known not to reach it are not read.
    """
    count, sum_ = 0, 0.0
    step = GROUP if peaks.size > 0 else BLOCK
    for block in range(0, size, BLOCK):
        part, end = 0.0, min(block + BLOCK, size)
        for group in range(block, end, step):
            if peaks.size > 0 and (peaks[group // GROUP] - top) * scale <= tau:
                continue
            for i in range(group, min(group + step, end)):
                value = (values[i] - top) * scale
                above = value > tau
                candidates[count] = value
                count += above
                part += value if above else 0.0
        sum_ += part
        if count > 0:
            tau = max(tau, (sum_ - total) / count)
    return count, (sum_ - total) / count


@njit(fastmath={"reassoc"})
def _positive_sum(y):
    total = 0.0
    for i in range(y.size):
        total += max(y[i], 0.0)
    return total


@njit
def _rescale(y, rise, share, fall, x):
    """x = y·rise²·share·fall², powers of two apart from the share: the ratio itself need not be a float."""
    for i in range(y.size):
        x[i] = y[i] * rise * rise * share * fall * fall


@njit(fastmath={"reassoc"})
def _norm(y):
    """(m, e) with ‖y‖ = m·2^e and m < √n, 1/2 ≤ m where e > −1000: squares of y·2^−e are safe."""
    bits, largest = y.view(np.int64), 0
    for i in range(bits.size):
        largest = max(largest, bits[i] & 0x7FFFFFFFFFFFFFFF)
    peak = np.array([largest]).view(np.float64)[0]
    _, exponent = math.frexp(peak)
    scale, total = math.ldexp(1.0, -max(exponent, -1000)), 0.0
    for i in range(y.size):
        total += (y[i] * scale) ** 2
    return math.sqrt(total), max(exponent, -1000)
