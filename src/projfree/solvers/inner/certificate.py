"""When a method of the family `regularised` may stop: the two conditions of optimality (SPEC-gcg B1.3)."""

import numpy as np


def optimal_level(oracles, x, slopes, level: float, tol: float) -> float | None:
    """κ°(−∇ℓ) if κ°(−∇ℓ) ≤ λ(1 + tol) and |⟨∇ℓ, W⟩ + λρ| ≤ tol·F at W = x, else None.

    A polar that says so is asked again from a random start, since a warm one may sit on a lesser pair.
    """
    weight = oracles.penalty.weight
    if not level <= weight * (1 + tol):
        return None
    value = oracles.value(x.image) + weight * x.rho
    if abs(float(np.vdot(slopes, x.image)) + weight * x.rho) > tol * abs(value):
        return None
    level = oracles.polar(slopes, tol=tol / 10).value
    return level if level <= weight * (1 + tol) else None
