"""An upper bound of the largest eigenvalue of A = GᵀG from one Lanczos cycle: almost sure, or by the trace.

k steps from a unit vector q leave T = tridiag(b, a, b) and the polynomial p(t) = det(t − T)/(b₁⋯b_k), for
which p(A) q is the next unit vector of the basis. With x₁ the leading eigenvector |p(λ₁)|·|⟨q, x₁⟩| ≤ 1
therefore; and p increases beyond the largest eigenvalue θ of T. So λ₁ ≤ t as soon as p(t) ≥ 1/|⟨q, x₁⟩|: only
a start that is nearly blind to x₁ can deceive, and of a random one it is known how rarely it is (Hochstenbach
2013, Probabilistic upper bounds for the matrix two-norm; after k steps the bound is no worse than that of
Kuczyński and Woźniakowski 1992). This holds for all k at once: the cycle may be stopped by what it shows.

Beside it stands one without chance: what the basis leaves of A has at most the trace ‖G‖_F² − tr T.
"""

import math

import numpy as np

from projfree.linalg.compiled import njit

FAILURE = 1e-9  # probability that a bound is too small, over the random start
NEGLIGIBLE = 1e-14  # relative to θ: what rounding makes of a zero
ROUNDING = 1e-12  # relative to the bound: the cycle is that of a matrix that differs from A by rounding


def wanted_growth(share: float, norm: float) -> float:
    """log 1/d for the d ≥ 0 with P(|⟨q, x⟩| < d) ≤ FAILURE, whatever the unit vector x is.

    q = (s + share·g)/norm with g standard normal, s independent of g, `norm` the length as drawn: the density
    of ⟨s + share·g, x⟩ is at most 1/(share·√(2π)) wherever ⟨s, x⟩ lies.
    """
    return math.log(norm / share) - math.log(FAILURE) - 0.5 * math.log(math.pi / 2)


@njit
def holds(t, theta, a, b, k, growth, sq_norm):
    """Whether t ≥ λ₁ for sure, or unless the start is blinder than e^−growth."""
    if not t < np.inf:
        return True
    rest = sq_norm - np.sum(a[:k]) + NEGLIGIBLE * k * sq_norm
    if rest < t and (t - theta) * (t - rest) >= b[k - 1] ** 2:
        return True
    total, pivot = 0.0, 1.0
    for i in range(k):
        pivot = t - a[i] - (b[i - 1] * b[i - 1] / pivot if i else 0.0)
        if pivot <= 0.0:
            return False
        total += math.log(pivot / max(b[i], NEGLIGIBLE * theta))
    return total >= growth


@njit
def upper_bound(theta, a, b, k, growth, sq_norm):
    """The least t = θ(1 + x) that holds, to 1 % of x and 1e-16; inf where none does."""
    high = 1e-16
    while not holds(theta * (1.0 + high), theta, a, b, k, growth, sq_norm):
        high *= 16.0
    low = high / 16.0
    while 1.01 * low < high < np.inf:
        middle = math.sqrt(low) * math.sqrt(high)
        if holds(theta * (1.0 + middle), theta, a, b, k, growth, sq_norm):
            high = middle
        else:
            low = middle
    return theta * (1.0 + high) * (1.0 + ROUNDING)
