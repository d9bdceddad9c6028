"""Certificates of the family `regularised`: the conditions of optimality, a duality gap."""

import numpy as np


def seems_optimal(oracles, x, slopes, level: float, tol: float) -> bool:
    """Whether level ≤ λ(1 + tol) and |⟨∇ℓ, W⟩ + λρ| ≤ tol·F at W = x, for a κ°(−∇ℓ) that may be too small."""
    weight = oracles.constraint.weight
    if not level <= weight * (1 + tol):
        return False
    value, inner = oracles.value(x.image) + weight * x.rho, getattr(oracles.problem, "inner", np.vdot)
    return abs(float(inner(slopes, x.image)) + weight * x.rho) <= tol * abs(value)


def optimal_level(oracles, x, slopes, level: float, tol: float) -> float | None:
    """An upper bound of κ°(−∇ℓ) if W = x is optimal to `tol`, else None.

    Such a polar is computed again from a random start, since a warm one may sit on a lesser pair.
    """
    if not seems_optimal(oracles, x, slopes, level, tol):
        return None
    level = oracles.polar(slopes, tol=tol / 10).bound
    return level if level <= oracles.constraint.weight * (1 + tol) else None


def relative_gap(oracles, x) -> float:
    """(F − D)/|F| at W = x with the dual bound D of the loss at −∇ℓ(W)."""
    slopes = oracles.slopes(x.image)
    bound = oracles.polar(slopes, tol=1e-5).bound
    weight = oracles.constraint.weight
    F = oracles.value(x.image) + weight * oracles.constraint.value(x.U, x.V)
    return (F - oracles.problem.dual_bound(slopes, x.image, bound, weight)) / (abs(F) or 1.0)
