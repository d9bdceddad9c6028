"""The search of gcg eq. (40): ℓ(aW + θA) + λ(aρ + θ) over 0 ≤ a ≤ 1, θ ≥ 0, with a = 1 − η, along images."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize

from ...linalg.compiled import njit


def quadratic(w, p, target, weight: float, rho: float):
    """(a, θ) for ℓ = ½‖aw + θp − target‖², exactly.

    Parameters
    ----------
    w, p, target : ndarray of one shape
        Images of W and of the atom, and what the loss compares with.
    weight, rho : float
        λ and the bound ρ of W.
    """
    ww, wp, pp, wx, px = products(w.ravel(), p.ravel(), target.ravel())
    return of_products(ww, wp, pp, wx, px, weight, rho)


def of_products(ww, wp, pp, wx, px, weight: float, rho: float):
    """The same, from w·w, w·p, p·p, w·target, p·target."""
    return quadratic_form(ww, wp, pp, wx - weight * rho, px - weight)


def quadratic_form(ww: float, wp: float, pp: float, b: float, c: float):
    """argmin ½(ww a² + 2 wp aθ + pp θ²) − b a − c θ over 0 ≤ a ≤ 1, θ ≥ 0.

    The best of the stationary points of the interior and of the three edges. Clipping the
    interior solution to the strip would be wrong.
    """
    candidates = [(0.0, _ratio(max(c, 0.0), pp)), (1.0, _ratio(max(c - wp, 0.0), pp)), (_clipped(b, ww), 0.0)]
    determinant = ww * pp - wp * wp
    if determinant > 1e-14 * ww * pp:  # else w and p are parallel, and an edge attains the minimum
        a, theta = (b * pp - c * wp) / determinant, (c * ww - b * wp) / determinant
        if 0.0 < a < 1.0 and theta > 0.0:
            candidates.append((a, theta))

    def value(pair):
        a, theta = pair
        return (ww * a * a + 2 * wp * a * theta + pp * theta * theta) / 2 - b * a - c * theta

    return min(candidates, key=value)


def _ratio(a, b):
    return a / b if b > 0.0 else 0.0


def _clipped(b, ww):
    """argmin ½ ww a² − b a over [0, 1]; without curvature an end of it, at 0 slope no move."""
    if ww > 0.0:
        return min(max(b / ww, 0.0), 1.0)
    return 1.0 if b >= 0.0 else 0.0


@njit(fastmath={"reassoc", "contract"})
def products(w, p, x):
    """w·w, w·p, p·p, w·x, p·x in one sweep, summed in double precision."""
    ww, wp, pp, wx, px = 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(w.size):
        a, b, c = np.float64(w[k]), np.float64(p[k]), np.float64(x[k])
        ww += a * a
        wp += a * b
        pp += b * b
        wx += a * c
        px += b * c
    return ww, wp, pp, wx, px


def smooth(oracles, w, p, rho: float, most: int = 20):
    """(a, θ) for any smooth loss: L-BFGS-B on the images from (1, 0), `most` iterations (gcg U4)."""
    weight = oracles.constraint.weight

    def value_and_slope(pair):
        image = pair[0] * w + pair[1] * p
        slopes = oracles.slopes(image)
        value = oracles.value(image) + weight * (pair[0] * rho + pair[1])
        return value, np.array([np.vdot(slopes, w) + weight * rho, np.vdot(slopes, p) + weight])

    bounds, options = [(0.0, 1.0), (0.0, None)], {"maxiter": most, "gtol": 1e-10, "ftol": 1e-12}
    result = minimize(
        value_and_slope, (1.0, 0.0), jac=True, method="L-BFGS-B", bounds=bounds, options=options
    )
    return float(result.x[0]), float(result.x[1])


def search(oracles, x, p):
    """(a, θ) for the iterate x and the image p of the atom, in closed form if the loss is quadratic."""
    problem, weight = oracles.problem, oracles.constraint.weight
    if hasattr(problem, "line_products"):  # images are not here
        return of_products(*problem.line_products(x.image, p), weight, x.rho)
    if problem.quadratic:
        return quadratic(x.image, p, problem.target, weight, x.rho)
    return smooth(oracles, x.image, p, x.rho)
