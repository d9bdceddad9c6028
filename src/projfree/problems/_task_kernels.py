"""Compiled passes over multi-task samples: each row is read once, used twice while in cache."""

import math

import numpy as np

from ..linalg.compiled import njit

SIG2, LOG = 0, 1

_kernel = njit(fastmath={"reassoc", "contract"}, boundscheck=False)


@njit
def slope(kind, t, y):
    """φ'(t) of SIG2 or LOG with p = P(y = 1) = 1/(1 + eᵗ), y in {0, 1}."""
    if t >= 0:
        e = math.exp(-t)
        p = e / (1.0 + e)
    else:
        p = 1.0 / (1.0 + math.exp(t))
    return 2.0 * (y - p) * p * (1.0 - p) if kind == SIG2 else y - p


@_kernel
def _dot(row, vector):
    total = 0.0
    for k in range(row.shape[0]):
        total += row[k] * vector[k]
    return total


@_kernel
def _add_row(target, weight, row):
    for k in range(row.shape[0]):
        target[k] += weight * row[k]


@_kernel
def margins(features, ptr, theta):
    """t_i = ⟨x_i, θ_τ(i)⟩; theta is (T, d), a row a task."""
    t = np.empty(features.shape[0])
    for task in range(ptr.shape[0] - 1):
        for i in range(ptr[task], ptr[task + 1]):
            t[i] = _dot(features[i], theta[task])
    return t


@_kernel
def products(features, vector):
    """X a for one vector a (d,)."""
    t = np.empty(features.shape[0])
    for i in range(features.shape[0]):
        t[i] = _dot(features[i], vector)
    return t


@_kernel
def full_gradient(kind, features, labels, ptr, theta, slopes):
    """Σ_i φ'_i x_i, a row a task; fills `slopes` where it has room for them."""
    gradient = np.zeros(theta.shape)
    keep = slopes.shape[0] == features.shape[0]
    for task in range(ptr.shape[0] - 1):
        for i in range(ptr[task], ptr[task + 1]):
            s = slope(kind, _dot(features[i], theta[task]), labels[i])
            if keep:
                slopes[i] = s
            _add_row(gradient[task], s, features[i])
    return gradient


@_kernel
def batch_slopes(kind, features, labels, ptr, theta, indices):
    """φ'_i for a sorted batch."""
    out = np.empty(indices.shape[0])
    task = 0
    for j in range(indices.shape[0]):
        i = indices[j]
        while ptr[task + 1] <= i:
            task += 1
        out[j] = slope(kind, _dot(features[i], theta[task]), labels[i])
    return out


@_kernel
def batch_combine(features, ptr, weights, indices):
    """Σ_j w_j x_{i_j}, a row a task, for a sorted batch; repeated indices add."""
    out = np.zeros((ptr.shape[0] - 1, features.shape[1]))
    task = 0
    for j in range(indices.shape[0]):
        i = indices[j]
        while ptr[task + 1] <= i:
            task += 1
        _add_row(out[task], weights[j], features[i])
    return out


@_kernel
def batch_difference(kind, features, labels, ptr, theta, anchor, indices):
    """Σ_j (φ'_i − anchor_i) x_i for a sorted batch, each row gathered once."""
    out = np.zeros(theta.shape)
    task = 0
    for j in range(indices.shape[0]):
        i = indices[j]
        while ptr[task + 1] <= i:
            task += 1
        s = slope(kind, _dot(features[i], theta[task]), labels[i])
        _add_row(out[task], s - anchor[i], features[i])
    return out
