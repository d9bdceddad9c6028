"""The polar κ°(G) = max_{‖a‖=‖b‖=1} ‖G₁ᵀa + G₂ᵀb‖ of the two-view norm (gcg Prop. 21, §4.4.2, B.4).

All of it in the m dimensions of the columns: with K_i = G_iᵀG_i,

    κ°(G) = max_{‖v‖=1} ‖G₁v‖ + ‖G₂v‖ = max √(vᵀK₁v) + √(vᵀK₂v),

since for fixed v the best blocks are a = G₁v/‖G₁v‖, b = G₂v/‖G₂v‖; and the dual (59) in squared form is

    κ°(G)² = min_{μ≥0} λ_max((1 + μ)K₁ + (1 + 1/μ)K₂).

`power` climbs the first, `certificate` proves a point of it optimal; if that fails, `golden_section`
solves the second and `recovery` finds the maximiser that belongs to its solution.
"""

import math
from typing import NamedTuple

import numpy as np
from scipy.linalg import eigh

from projfree.common.names import unknown
from projfree.penalties.polar import certificate, golden_section, power, recovery

#: λ_max of (61) up to which a point counts as optimal.
CERTIFIED = 1e-6


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
    K1,
    K2,
    start,
    *,
    tol: float = 1e-6,
    max_iterations: int = 500,
    certify: float = CERTIFIED,
    method: str = "power",
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
    if not (K1.any() and K2.any()):
        return _one_view(K1 + K2, start)
    v, iterations, excess = start, 0, math.inf
    if method == "power":
        v, iterations = power.climb(K1, K2, start, tol=tol, max_iterations=max_iterations)
        excess = certificate.excess(K1, K2, v)
    value = sum(certificate.norms(K1, K2, v))
    if excess <= 1.0 + certify:
        return TwoViewPolar(v, value, value * math.sqrt(excess), True, iterations, False)
    mu, squared = golden_section.minimise(K1, K2)
    found = recovery.maximiser(K1, K2, mu, squared)
    found, more = power.climb(K1, K2, found, tol=tol, max_iterations=max_iterations)
    better = sum(certificate.norms(K1, K2, found))
    if better >= value:
        v, value = found, better
    bound = max(min(math.sqrt(squared), value * math.sqrt(certificate.excess(K1, K2, v))), value)
    return TwoViewPolar(v, value, bound, False, iterations + more, True)


def _one_view(K, start):
    if not K.any():
        return TwoViewPolar(start, 0.0, 0.0, True, 0, False)
    values, vectors = eigh(K, subset_by_index=[len(K) - 1] * 2, check_finite=False)
    value = math.sqrt(float(values[0]))
    return TwoViewPolar(vectors[:, 0], value, value, True, 1, False)
