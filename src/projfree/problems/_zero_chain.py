"""The chain function H_T of Carmon et al. (2017), eq. 15 of nfwu: y_i moves only after y_{i−1} has.

H_T(y) = −Ψ(1)Φ(y_1) + Σ_{i=2}^T [Ψ(−y_{i−1})Φ(−y_i) − Ψ(y_{i−1})Φ(y_i)]. All functions take whole arrays; the
coordinates of y are its last axis.
"""

import numpy as np
from scipy.special import ndtr

#: 2y − 1 below which Ψ(y) is zero in double precision: exp(1 − 1/0.03²) = 0.
FLAT = 0.03


def psi(y):
    """Ψ(y) = exp(1 − 1/(2y − 1)²) for y > 1/2, else 0."""
    return np.exp(1.0 - np.maximum(2.0 * y - 1.0, FLAT) ** -2.0)


def psi_slope(y):
    """Ψ'(y) = 4 Ψ(y)/(2y − 1)³; at most √(54/e)."""
    return psi(y) * 4.0 * np.maximum(2.0 * y - 1.0, FLAT) ** -3.0


def phi(y):
    """Φ(y) = √e ∫_{−∞}^y exp(−t²/2) dt, between 0 and √(2πe)."""
    return np.sqrt(2.0 * np.pi * np.e) * ndtr(y)


def phi_slope(y):
    """Φ'(y) = exp(1/2 − y²/2)."""
    return np.exp(0.5 - 0.5 * np.clip(y, -40.0, 40.0) ** 2)  # zero from 39 on


def chain_value(y):
    """H_T(y), (…) of y (…, T)."""
    before, after = y[..., :-1], y[..., 1:]
    links = psi(-before) * phi(-after) - psi(before) * phi(after)
    return links.sum(axis=-1) - phi(y[..., 0])


def chain_gradient(y):
    """∇H_T(y), (…, T) of y (…, T)."""
    before, after = y[..., :-1], y[..., 1:]
    slopes = np.empty_like(y)
    slopes[..., 0] = -phi_slope(y[..., 0])
    slopes[..., 1:] = -(psi(-before) + psi(before)) * phi_slope(after)
    slopes[..., :-1] -= psi_slope(-before) * phi(-after) + psi_slope(before) * phi(after)
    return slopes
