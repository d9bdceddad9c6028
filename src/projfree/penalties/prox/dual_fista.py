"""The prox of the trace Lasso by an accelerated method on its dual: our reference and strong version.

With A x = R Diag(x) and A*M = diag(RᵀM) the penalty λ‖A x‖_* is max_{‖M‖≤λ} ⟨A*M, x⟩, so the dual of min Φ is
max_{‖M‖≤λ} ⟨A*M, p⟩ − (γ/2)‖A*M‖², smooth with constant γ·max_j ‖R_j‖². A projection clips singular values
at λ; momentum restarts if it points uphill (O'Donoghue and Candès 2015). x = p − γA*M, and its gap is
h(x) − ⟨A*M, x⟩.
"""

import numpy as np

from ...linalg.validation import finite, matrix, positive, vector
from . import Prox, level

ROUNDING = 1e-14
#: Singular values that are so often the radius are set to it; taking off the difference would leave rounding.
FAR = 2.0**20


def prox(
    R, radius: float, p, gamma: float, *, tol=0.0, warm=None, max_inner: int = 20_000, every: int = 5
) -> Prox:
    """A proximal point of h(x) = radius·‖R Diag(x)‖_* whose gap is at most `tol`; looked at `every` steps.

    Parameters
    ----------
    R : ndarray (k, N)
    warm : ndarray (k, N), optional
        The dual M of an earlier call.
    """
    R = finite("R", matrix("R", R))
    p, gamma = vector("p", p, R.shape[1]), positive("gamma", gamma)
    step = 1.0 / (gamma * max(float(np.max(np.einsum("ij,ij->j", R, R))), 1e-300))
    M = np.zeros_like(R) if warm is None else finite("warm", matrix("warm", warm, R.shape))
    Y, t, passes = M, 1.0, 0
    while True:
        if passes % every == 0 or passes >= max_inner:
            u = adjoint(R, M)
            x = p - gamma * u
            h = radius * float(np.linalg.svd(R * x, compute_uv=False).sum())
            gap = h - float(u @ x)
            if gap <= max(level(tol, x), ROUNDING * (1 + abs(h))) or passes >= max_inner:
                return Prox(x, h, max(gap, 0.0), passes=passes + 1, warm=M)
        ascent = R * (p - gamma * adjoint(R, Y))
        following = clip(Y + step * ascent, radius)
        change = following - M
        if np.vdot(Y - following, change) > 0:
            t = 1.0
        after = (1 + np.sqrt(1 + 4 * t * t)) / 2
        Y = following + (t - 1) / after * change
        M, t = following, after
        passes += 1


def adjoint(R, M) -> np.ndarray:
    """A*M = diag(RᵀM)."""
    return np.einsum("ij,ij->j", R, M)


def clip(M, radius: float) -> np.ndarray:
    """The nearest matrix with singular values of at most `radius`."""
    U, s, Vt = np.linalg.svd(M, full_matrices=False)
    if s[0] > FAR * radius:
        return (U * np.minimum(s, radius)) @ Vt
    over = int(np.searchsorted(-s, -radius))
    return M - (U[:, :over] * (s[:over] - radius)) @ Vt[:over]
