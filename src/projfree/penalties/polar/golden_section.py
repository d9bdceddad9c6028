"""The dual (59) of the polar of gcg: golden section on log μ."""

from __future__ import annotations

import math

from scipy.linalg import eigvalsh

RATIO = (math.sqrt(5.0) - 1.0) / 2.0


def minimise(K1, K2, *, reach: float = 18.0, steps: int = 60) -> tuple[float, float]:
    """(μ, λ_max((1 + μ)K₁ + (1 + 1/μ)K₂)) at the least value found on log μ ∈ [−reach, reach].

    The value is convex in μ, hence unimodal in log μ, and every value is an upper bound of κ°(G)².
    """

    def squared(log_mu):
        mu = math.exp(log_mu)
        shifted = (1.0 + mu) * K1 + (1.0 + 1.0 / mu) * K2
        return float(eigvalsh(shifted, subset_by_index=[len(K1) - 1] * 2, check_finite=False)[0])

    log_mu, value = search(squared, -reach, reach, steps)
    return math.exp(log_mu), value


def search(function, low: float, high: float, steps: int) -> tuple[float, float]:
    """(x, function(x)) at the least value found of a unimodal function; a step shrinks the interval by 0.618.

    60 steps leave 3e-13 of it.
    """
    left, right = high - RATIO * (high - low), low + RATIO * (high - low)
    at_left, at_right = function(left), function(right)
    for _ in range(steps):
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - RATIO * (high - low)
            at_left = function(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + RATIO * (high - low)
            at_right = function(right)
    return (left, at_left) if at_left <= at_right else (right, at_right)
