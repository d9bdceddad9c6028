"""Euclidean projections of vectors, by sorting: O(n log n) and exact."""

from __future__ import annotations

import math

import numpy as np


def project_simplex(y, total=1.0) -> np.ndarray:
    """Projection of y (n,) onto {x ≥ 0, Σx = total} [Held, Wolfe, Crowder 1974]."""
    y = _checked(y, total, "total")
    if total == 0.0:
        return np.zeros_like(y)
    y = y - y.max()  # moves nothing, and keeps the digits that the threshold needs
    return np.maximum(y - simplex_threshold(y, total), 0.0)


def simplex_threshold(y, total) -> float:
    """The τ with Σ max(y − τ, 0) = total, for total > 0."""
    descending = np.sort(y)[::-1]
    excess = np.cumsum(descending) - total
    counts = np.arange(1, y.size + 1)
    last = np.flatnonzero(descending * counts > excess)[-1]
    return float(excess[last] / counts[last])


def project_spectrum(s, radius) -> np.ndarray:
    """Projection of s (n,) onto {x ≥ 0, Σx ≤ radius}: what a nuclear-norm ball does to singular values."""
    s = _checked(s, radius, "radius")
    positive = np.maximum(s, 0.0)
    return positive if positive.sum() <= radius else project_simplex(s, radius)


def project_l1(y, radius) -> np.ndarray:
    """Projection of y (n,) onto {Σ|x| ≤ radius} [Duchi et al. 2008]."""
    y = _checked(y, radius, "radius")
    return np.copysign(project_spectrum(np.abs(y), radius), y)


def project_l2(y, radius) -> np.ndarray:
    """Projection of y (any shape) onto {‖x‖ ≤ radius}; y itself when inside."""
    y = _checked(y, radius, "radius")
    norm = math.sqrt(float(np.vdot(y, y)))
    return y if norm <= radius else y * (radius / norm)


def _checked(y, size, name):
    y = np.asarray(y, dtype=np.float64)
    if not 0.0 <= size < math.inf:
        raise ValueError(f"{name} must be a finite number ≥ 0, not {size}")
    if y.size == 0 or not np.isfinite(y).all():
        raise ValueError("cannot project: the vector is empty or has entries that are not finite")
    return y
