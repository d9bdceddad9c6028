"""The prox of the trace Lasso by Newton steps on smoothed objectives: our strong version.

For A = R Diag(x) = U Diag(s) Vᵀ the smoothed penalty λΣ√(s_i² + μ²) has the gradient u = diag(RᵀM) with
M = λ U Diag(s_i/q_i) Vᵀ and q_i = √(s_i² + μ²), so that ‖M‖ ≤ λ: M is feasible for the dual of min Φ, and
Φ(x) exceeds its value by

    ‖x − p + γu‖²/(2γ) + λ Σ_i s_i μ² / (q_i (q_i + s_i)),

whose terms say how far x is from the minimum at this μ, and how much μ itself costs. A Newton step lowers the
first, a smaller μ the second. Its system of N unknowns is solved by conjugate gradients; a product with the
Hessian is two products of N×N matrices, so that decompositions of R Diag(x) are most of the work (Qi and Sun
1993 for smoothing Newton methods; Lewis and Sendov 2001 for the derivatives).
"""

import numpy as np
from scipy.sparse import diags_array
from scipy.sparse.linalg import LinearOperator, cg

from projfree.linalg.validation import finite, matrix, positive, vector

from . import Prox, level
from .dual_fista import adjoint

ROUNDING = 1e-14
SHRINK = 0.5  # of μ at a time: by much more, and full steps fail
FORCING = 0.1  # relative residual of a Newton step
ARMIJO = 1e-4


class _Point:
    """A point x with the decomposition U Diag(s) Vᵀ of R Diag(x), and B = UᵀR."""

    def __init__(self, R, x):
        self.x = x
        self.U, self.s, self.Vt = np.linalg.svd(R * x, full_matrices=False)
        self.B = self.U.T @ R

    def dual(self, mu):
        """M at radius 1."""
        return (self.U * (self.s / np.hypot(self.s, mu))) @ self.Vt


def prox(R, radius: float, p, gamma: float, *, tol=0.0, warm=None, max_inner: int = 200) -> Prox:
    """A proximal point of h(x) = radius·‖R Diag(x)‖_* of a gap of at most `tol`, or that after `max_inner`.

    Parameters
    ----------
    R : ndarray (k, N)
    tol : float, or callable x ↦ float
    warm : ndarray (k, N), optional
        The dual M of an earlier call.
    max_inner : int
        Decompositions, after which the step under way is the last.
    """
    R = finite("R", matrix("R", R))
    p, gamma = vector("p", p, R.shape[1]), positive("gamma", gamma)
    start = p if warm is None else p - gamma * adjoint(R, matrix("warm", warm, R.shape))
    rows, square = R.shape[0], np.vstack([R, np.zeros((max(R.shape[1] - R.shape[0], 0), R.shape[1]))])
    at, passes = _Point(square, start), 1
    mu = float(at.s[0]) or 1.0
    while True:
        h = radius * float(at.s.sum())
        allowed = max(level(tol, at.x), ROUNDING * (1 + h))
        residual, far, cost = _state(at, mu, radius, p, gamma)
        while far <= cost and far + cost > allowed:
            mu *= SHRINK
            residual, far, cost = _state(at, mu, radius, p, gamma)
        if far + cost <= allowed or passes >= max_inner:
            return Prox(at.x, h, far + cost, passes=passes, warm=radius * at.dual(mu)[:rows])
        d = _newton(at, mu, radius * gamma, residual)
        at, tried = _search(at, square, d, residual, mu, radius, p, gamma)
        passes += tried


def _state(at, mu, radius, p, gamma):
    """x − p + γu, the share of the gap that is in it, and the share that μ costs."""
    q = np.hypot(at.s, mu)
    residual = at.x - p + gamma * radius * adjoint(at.B, (at.s / q)[:, None] * at.Vt)
    far = float(residual @ residual) / (2 * gamma)
    return residual, far, radius * float(np.sum(at.s * (mu / q) * (mu / (q + at.s))))


def _search(at, R, d, residual, mu, radius, p, gamma):
    """Where a step along d leads, halved until the smoothed objective falls; and how many it took."""
    slope, before = float(residual @ d) / gamma, _smoothed(at, mu, radius, p, gamma)
    before += ROUNDING * (1 + abs(before))
    for tried in range(60):
        following = _Point(R, at.x + 2.0**-tried * d)
        if _smoothed(following, mu, radius, p, gamma) <= before + ARMIJO * 2.0**-tried * slope:
            break
    return following, tried + 1


def _smoothed(at, mu, radius, p, gamma):
    return float(np.sum((at.x - p) ** 2)) / (2 * gamma) + radius * float(np.sum(np.hypot(at.s, mu)))


def _newton(at, mu, weight, residual):
    """d with (I + weight·H) d = −residual, by conjugate gradients with the diagonal as preconditioner."""
    q = np.hypot(at.s, mu)
    unit = 2.0 ** min(
        -np.frexp(q[0])[1], 1000
    )  # products of three of them are numbers then, and no digit has changed
    s, q, mu, weight = at.s * unit, q * unit, mu * unit, weight * unit
    sums = s[:, None] + s
    a = np.where(sums > 0.0, (s[:, None] * q + s * q[:, None]) / np.where(sums > 0.0, sums, 1.0), mu)
    both = q[:, None] * q
    even, odd = mu * mu / (a * both), a / both  # divided differences of s/q: of s_i − s_j, of s_i + s_j
    plus, minus = (even + odd) / 2 * weight, (even - odd) / 2 * weight

    def product(d):
        D = at.B @ (d[:, None] * at.Vt.T)
        return d + adjoint(at.B, (plus * D + minus * D.T) @ at.Vt)

    C = at.B * at.Vt
    diagonal = 1 + adjoint(at.B**2, plus @ at.Vt**2) + adjoint(C, minus @ C)
    size = residual.size
    hessian = LinearOperator((size, size), matvec=product, dtype=np.float64)
    return cg(hessian, -residual, rtol=FORCING, maxiter=size, M=diags_array(1 / diagonal))[0]
