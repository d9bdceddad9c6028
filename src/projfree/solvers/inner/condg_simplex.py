"""`condg` over the simplex, compiled: a linear minimisation is one sweep over the coordinates."""

import numpy as np

from ...linalg.compiled import njit

#: Relative size below which a gap is rounding of ⟨G, w⟩.
ROUNDING = 1e-15
#: The same, relative to the terms that slopes are made of, where these cancel.
CANCELLED = 1e-14


@njit
def condg_simplex(g, u, start, beta, eta, max_lo, total):
    """Minimise ⟨g, w⟩ + (β/2)‖w − u‖² over {w ≥ 0, Σw = total} by Frank-Wolfe with exact line search.

    The same steps as `condg` (mpcgs Algorithm 2). w = s·ŵ with a lazy scale s, so that a step writes one
    coordinate; c = g − βu. Stops at a gap ≤ eta (or of the size of rounding) or after `max_lo` linear
    minimisations and as many steps.

    Returns
    -------
    w (n,), the last gap, the number of linear minimisations
    """
    c, w = g - beta * u, start.copy()
    scale, calls, gap, square = 1.0, 0, np.inf, 0.0
    least = CANCELLED * total * (np.max(np.abs(g)) + beta * np.max(np.abs(u)))
    while True:
        best, vertex, total_product, square = np.inf, 0, 0.0, 0.0
        for j in range(w.size):
            value = scale * w[j]
            slope = c[j] + beta * value
            total_product += slope * value
            square += value * value
            if slope < best:
                best, vertex = slope, j
        calls += 1
        gap = total_product - total * best
        distance = square - 2 * total * scale * w[vertex] + total * total
        if gap <= max(eta, least, ROUNDING * abs(total_product)) or distance <= 0.0:
            break
        step = min(1.0, gap / (beta * distance))
        if step >= 1.0:
            w[:] = 0.0
            w[vertex], scale = total, 1.0
        else:
            scale *= 1.0 - step
            if scale < 1e-100:
                w *= scale
                scale = 1.0
            w[vertex] += step * total / scale
        if calls >= max_lo:
            break
    w[:] = np.minimum(w * scale, total)
    return w, gap, calls
