"""The dual (59) of the polar of gcg: golden section on log μ."""

import math

from scipy.linalg import eigvalsh

from projfree.linalg.golden_section import search


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
