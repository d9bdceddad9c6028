"""The polar κ°(G) = max_{‖a‖=‖b‖=1} ‖G₁ᵀa + G₂ᵀb‖ of the two-view norm (gcg Prop. 21, §4.4.2, B.4).

All of it in the m dimensions of the columns: with K_i = G_iᵀG_i,

    κ°(G) = max_{‖v‖=1} ‖G₁v‖ + ‖G₂v‖ = max √(vᵀK₁v) + √(vᵀK₂v),

since for fixed v the best blocks are a = G₁v/‖G₁v‖, b = G₂v/‖G₂v‖; and the dual (59) in squared form is

    κ°(G)² = min_{μ≥0} λ_max((1 + μ)K₁ + (1 + 1/μ)K₂).

`climb` goes up the first, `excess` proves a point of it optimal; if that fails, `dual` solves the second and
`maximiser` finds the point that belongs to its solution.
"""

import math
from typing import NamedTuple

import numpy as np
from scipy.linalg import eigh, eigvalsh

from ...common.names import unknown
from ...linalg import golden_section

#: λ_max of (61) up to which a point counts as optimal.
CERTIFIED = 1e-6
WIDEST = 0.1  # of the tolerance of "eigenvalue 1": beyond, they are other eigenspaces


class TwoViewPolar(NamedTuple):
    """A point of the polar with its accuracy, of views scaled to unit balls.

    value = ‖G₁v‖ + ‖G₂v‖ ≤ κ°(G) ≤ bound, so it is accurate to the factor value/bound (the α of gcg (30)) and
    to the amount bound − value (its ε).
    """

    v: np.ndarray
    value: float
    bound: float
    certified: bool  # the first point of the power iteration met (61)
    iterations: int
    dual: bool  # the convex dual was solved


def polar(
    K1, K2, start, tol: float = 1e-6, max_iterations: int = 500, certify: float = CERTIFIED, method="power"
) -> TwoViewPolar:
    """Maximise √(vᵀK₁v) + √(vᵀK₂v) over unit v.

    An empty view leaves the largest eigenvector of the other (μ runs to 0 or ∞), two leave any v.

    Parameters
    ----------
    K1, K2 : ndarray (m, m), G₁ᵀG₁ and G₂ᵀG₂
    start : ndarray (m,), where the power iteration begins
    tol, max_iterations : when the power iteration stops (deviation U16)
    certify : largest excess over 1 in (61) that is accepted; beyond it the dual is solved
    method : {"power", "dual"}
        ``dual`` goes to the golden section at once.
    """
    if not (np.isfinite(K1).all() and np.isfinite(K2).all()):
        raise ValueError("polar of the multi-view norm: the gradient has entries that are not finite")
    if method not in ("power", "dual"):
        raise ValueError(unknown("polar", method, ["power", "dual"], "multi_view"))
    if not (K1.any() or K2.any()):
        return TwoViewPolar(start, 0.0, 0.0, True, 0, False)
    if not (K1.any() and K2.any()):
        values, vectors = eigh(K1 + K2, subset_by_index=[len(K1) - 1] * 2, check_finite=False)
        value = math.sqrt(float(values[0]))
        return TwoViewPolar(vectors[:, 0], value, value, True, 1, False)
    v, iterations, over = start, 0, math.inf
    if method == "power":
        v, iterations = climb(K1, K2, start, tol=tol, max_iterations=max_iterations)
        over = excess(K1, K2, v)
    value = sum(norms(K1, K2, v))
    if over <= 1.0 + certify:
        return TwoViewPolar(v, value, value * math.sqrt(over), True, iterations, False)
    mu, squared = dual(K1, K2)
    other, more = climb(K1, K2, maximiser(K1, K2, mu, squared), tol=tol, max_iterations=max_iterations)
    better = sum(norms(K1, K2, other))
    if better >= value:
        v, value = other, better
    bound = max(min(math.sqrt(squared), value * math.sqrt(excess(K1, K2, v))), value)
    return TwoViewPolar(v, value, bound, False, iterations + more, True)


def norms(K1, K2, v) -> tuple[float, float]:
    """‖G₁v‖ and ‖G₂v‖."""
    return math.sqrt(max(float(v @ K1 @ v), 0.0)), math.sqrt(max(float(v @ K2 @ v), 0.0))


def climb(K1, K2, v, *, tol: float = 1e-6, max_iterations: int = 500):
    """From a unit v to a stationary one of ‖G₁v‖ + ‖G₂v‖; returns v and the number of iterations.

    The modified power iteration of §4.4.2, (s; t) = GGᵀ(a; b), a ← s/‖s‖, b ← t/‖t‖ with a = G₁v/‖G₁v‖,
    b = G₂v/‖G₂v‖, is v ← w/‖w‖, w = K₁v/‖G₁v‖ + K₂v/‖G₂v‖. It maximises a convex function's linearisation
    over the sphere, so the value never falls; it may end at a local maximum. It stops at ‖Δv‖ ≤ tol.
    """
    for iteration in range(1, max_iterations + 1):
        w = _half(K1, v) + _half(K2, v)
        norm = math.sqrt(w @ w)
        if norm == 0.0:
            return v, iteration
        w /= norm
        change = w - v
        v = w
        if change @ change <= tol * tol:
            break
    return v, iteration


def _half(K, v):
    """Kv/√(vᵀKv), the gradient of √(vᵀKv); 0 where that is 0 (one of its subgradients)."""
    image = K @ v
    squared = float(v @ image)
    return image / math.sqrt(squared) if squared > 0.0 else np.zeros_like(image)


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
    return max(1.0, _largest_eigenvalue(total))


def dual(K1, K2, *, reach: float = 18.0, steps: int = 60) -> tuple[float, float]:
    """(μ, λ_max((1 + μ)K₁ + (1 + 1/μ)K₂)), the least of a golden section on log μ ∈ [−reach, reach].

    The value is convex in μ, hence unimodal in log μ, and every value is an upper bound of κ°(G)².
    """

    def squared(log_mu):
        mu = math.exp(log_mu)
        return _largest_eigenvalue((1.0 + mu) * K1 + (1.0 + 1.0 / mu) * K2)

    log_mu, value = golden_section.search(squared, -reach, reach, steps)
    return math.exp(log_mu), value


def _largest_eigenvalue(K) -> float:
    return float(eigvalsh(K, subset_by_index=[len(K) - 1] * 2, check_finite=False)[0])


def maximiser(K1, K2, mu: float, squared: float, *, tol: float = 1e-7):
    """A unit v of the top eigenspace that gives both blocks the same norm, by (76)–(78) of B.4.

    By (75) μ₁ = κ²/(1 + μ), μ₂ = μκ²/(1 + μ). The null space of M = μ₁I₁ + μ₂I₂ − GGᵀ (76) is the image
    under z ↦ c(z) = (G₁z/μ₁; G₂z/μ₂) of the eigenspace {z : (K₁/μ₁ + K₂/μ₂)z = z}, and the right vector of
    c(z) is Gᵀc(z) = z itself. In an orthonormal basis of that image let ΠΣΠᵀ = Q₁ᵀQ₁ − Q₂ᵀQ₂ (77); a v with
    vᵀΣv = 0, ‖v‖² = 2 (78) mixes a direction with s₊ ≥ 0 and one with s₋ ≤ 0:
    √(−s₋/(s₊ − s₋))·(direction of s₊) + √(s₊/(s₊ − s₋))·(direction of s₋).

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
        # Σ ascending, and the vectors V S^{−½}Π whose images are orthonormal; S the sum of both
        first, second = V.T @ (K1 / mu1**2) @ V, V.T @ (K2 / mu2**2) @ V
        imbalance, turn = eigh(first - second, first + second, check_finite=False)
        low, high = imbalance[0], imbalance[-1]
        if (low <= tol and high >= -tol) or tol >= WIDEST:
            break
        tol *= 10.0
    directions = V @ turn
    z = directions[:, -1]
    if high > low:
        share = min(max(-low / (high - low), 0.0), 1.0)
        z = np.sqrt(share) * z + np.sqrt(1.0 - share) * directions[:, 0]
    return z / math.sqrt(z @ z)
