"""Is a point of the polar optimal? The condition (61) of gcg, in m dimensions."""

import math

import numpy as np
from scipy.linalg import eigvalsh


def norms(K1, K2, v) -> tuple[float, float]:
    """‖G₁v‖ and ‖G₂v‖."""
    return math.sqrt(max(float(v @ K1 @ v), 0.0)), math.sqrt(max(float(v @ K2 @ v), 0.0))


def excess(K1, K2, v) -> float:
    """λ_max(K₁/μ₁ + K₂/μ₂) of the multipliers of a unit v, at least 1; v is optimal where it is 1.

    With κ = ‖G₁v‖ + ‖G₂v‖ the conditions μ₁a = G₁Gᵀ(a; b)_1 … (61) give μ_i = κ‖G_iv‖, and
    μ₁I₁ + μ₂I₂ ⪰ GGᵀ is Gᵀ(I₁/μ₁ + I₂/μ₂)G = K₁/μ₁ + K₂/μ₂ ⪯ I. As μ₁ + μ₂ = κ², and multiplying both by
    the result makes them feasible for (72), κ°(G) ≤ κ·√excess whatever v is. Infinite where a v has no part
    in a view that is not empty.
    """
    first, second = norms(K1, K2, v)
    value = first + second
    total = np.zeros_like(K1)
    for K, part in ((K1, first), (K2, second)):
        if part > 0.0:
            total += K / (value * part)
        elif K.any():
            return math.inf
    return max(1.0, float(eigvalsh(total, subset_by_index=[len(total) - 1] * 2, check_finite=False)[0]))
