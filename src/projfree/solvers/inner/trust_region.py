"""Steihaug-Toint truncated conjugate gradients: the inner solver of Riemannian trust regions.

Absil, Baker and Gallivan (2007), Algorithm 2, with its usual stopping rule ‖r_j‖ ≤ ‖r_0‖ min(‖r_0‖, κ).
"""

from __future__ import annotations

import math

from . import fixed_rank


def truncated_cg(x, gradient, hessian, radius: float, *, kappa=0.1, most=30):
    """(step, H·step, whether it ends on the boundary): about the least ⟨g, s⟩ + ½⟨s, Hs⟩ over ‖s‖ ≤ radius.

    Parameters
    ----------
    x : fixed_rank.Point
    gradient : fixed_rank.Tangent
    hessian : Tangent → Tangent, symmetric on horizontal vectors
    """

    def product(a, c):
        return fixed_rank.inner(x, a, c)

    step, image = gradient * 0.0, gradient * 0.0
    residual, direction = gradient, gradient * -1.0
    r_r = product(residual, residual)
    first = math.sqrt(r_r)
    s_s, s_d, d_d = 0.0, 0.0, r_r  # ⟨s, s⟩, ⟨s, d⟩, ⟨d, d⟩ by recurrence
    for _ in range(most):
        turned = hessian(direction)
        curvature = product(direction, turned)
        alpha = r_r / curvature if curvature > 0 else math.inf
        if curvature <= 0 or s_s + 2 * alpha * s_d + alpha**2 * d_d >= radius**2:
            tau = (-s_d + math.sqrt(max(s_d**2 + d_d * (radius**2 - s_s), 0.0))) / d_d
            return step + direction * tau, image + turned * tau, True
        step, image = step + direction * alpha, image + turned * alpha
        s_s = s_s + 2 * alpha * s_d + alpha**2 * d_d
        residual = residual + turned * alpha
        following = product(residual, residual)
        if math.sqrt(following) <= first * min(first, kappa):
            break
        beta, r_r = following / r_r, following
        direction = residual * -1.0 + direction * beta
        s_d = beta * (s_d + alpha * d_d)
        d_d = r_r + beta**2 * d_d
    return step, image, False
