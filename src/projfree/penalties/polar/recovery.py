"""From optimal multipliers of the polar to its maximiser: (76)–(78) of gcg B.4, in m dimensions."""

import math

import numpy as np
from scipy.linalg import eigh

WIDEST = 0.1  # of the tolerance of "eigenvalue 1": beyond, they are other eigenspaces


def maximiser(K1, K2, mu: float, squared: float, *, tol: float = 1e-7):
    """A unit v of the top eigenspace that gives both blocks the same norm.

    By (75) μ₁ = κ²/(1 + μ), μ₂ = μκ²/(1 + μ). The null space of M = μ₁I₁ + μ₂I₂ − GGᵀ (76) is the image
    under z ↦ c(z) = (G₁z/μ₁; G₂z/μ₂) of the eigenspace {z : (K₁/μ₁ + K₂/μ₂)z = z}, and the right vector of
    c(z) is Gᵀc(z) = z itself. In an orthonormal basis of that image let ΠΣΠᵀ = Q₁ᵀQ₁ − Q₂ᵀQ₂ (77); a v with
    vᵀΣv = 0, ‖v‖² = 2 (78) mixes a direction with s₊ ≥ 0 and one with s₋ ≤ 0.

    Parameters
    ----------
    mu, squared : float
        The dual solution and its value κ².
    tol : float
        How far below the top an eigenvalue still counts as equal to it; widened tenfold until s₊ ≥ 0 ≥ s₋.
    """
    mu1, mu2 = squared / (1.0 + mu), mu * squared / (1.0 + mu)
    values, vectors = eigh(K1 / mu1 + K2 / mu2, check_finite=False)
    while True:
        V = vectors[:, values >= values[-1] - tol]
        imbalance, directions = _imbalance(V, K1 / mu1**2, K2 / mu2**2)
        low, high = imbalance[0], imbalance[-1]
        if (low <= tol and high >= -tol) or tol >= WIDEST:
            break
        tol *= 10.0
    z = _balanced(directions, low, high)
    return z / math.sqrt(z @ z)


def _imbalance(V, B1, B2):
    """Σ ascending, and the vectors z = V S^{−½}Π whose images c(z) are orthonormal; S = Vᵀ(B₁ + B₂)V."""
    first, second = V.T @ B1 @ V, V.T @ B2 @ V
    values, turn = eigh(first - second, first + second, check_finite=False)
    return values, V @ turn


def _balanced(directions, low: float, high: float):
    """√(−s₋/(s₊ − s₋))·(direction of s₊) + √(s₊/(s₊ − s₋))·(direction of s₋)."""
    spread = high - low
    if not spread > 0.0:
        return directions[:, -1]
    share = min(max(-low / spread, 0.0), 1.0)
    return np.sqrt(share) * directions[:, -1] + np.sqrt(1.0 - share) * directions[:, 0]
