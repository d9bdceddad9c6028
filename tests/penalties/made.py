"""Random instances of proximal points, with ties, zeros, equal weights and size 1 among them."""

import numpy as np

from projfree.penalties import oscar, trace_lasso


def vector(rng, size):
    """Numbers of several scales, some tied in absolute value, some zero."""
    p = rng.standard_normal(size) * 10.0 ** rng.integers(-2, 2)
    if rng.random() < 0.5:
        p = np.round(p, int(rng.integers(0, 2)))
    p[rng.random(size) < 0.15] = 0.0
    return p


def weights(rng, size):
    """Descending weights, now and then all equal, with zeros at the end, or of OSCAR."""
    kind = rng.integers(4)
    if kind == 0:
        return np.full(size, rng.random())
    if kind == 1:
        return rng.random() + rng.random() * np.arange(size - 1, -1, -1.0)
    w = np.sort(rng.random(size))[::-1].copy()
    if kind == 2:
        w[size // 2 :] = 0.0
    return w


def sorted_l1(rng, largest=12):
    """(penalty, p, γ)."""
    size = int(rng.integers(1, largest + 1))
    return oscar.Penalty(weights(rng, size)), vector(rng, size), float(10 ** rng.uniform(-2, 1))


def trace(rng, largest=6):
    """(penalty, p, γ)."""
    size = int(rng.integers(1, largest + 1))
    R = np.triu(rng.standard_normal((size, size)))
    return trace_lasso.Penalty(R, float(rng.random())), vector(rng, size), float(10 ** rng.uniform(-1, 1))


def phi(penalty, x, p, gamma):
    """The proximal objective."""
    return float(np.sum((x - p) ** 2)) / (2 * gamma) + penalty.value(x)
