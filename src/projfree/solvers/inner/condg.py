"""`condg`: Frank-Wolfe on the prox subproblem of conditional gradient sliding (ncgs Algorithm 1)."""

from dataclasses import dataclass

import numpy as np

from ...linalg.atoms import Atom, inner, toward
from ...linalg.compiled import njit
from ...linalg.scaling import rounding


@dataclass(frozen=True)
class StopRule:
    """When `condg` returns; made in every step, so that its fields are checked by the solver that has them.

    Attributes
    ----------
    kind : {"capped", "theorem", "relative"}
        ``theorem``: Frank-Wolfe gap ≤ eta. ``relative``: gap ≤ ratio × first gap, at most `max_lo` linear
        minimisations. ``capped``: gap ≤ eta or `max_lo` linear minimisations and as many steps, whichever
        first.
    eta : float or None
        None is 0 for ``capped`` and 1/horizon for ``theorem``, the horizon being the N or T of the theorems.
    """

    kind: str = "capped"
    eta: float | None = None
    ratio: float = 0.1
    max_lo: int = 5
    horizon: int = 100

    def __post_init__(self):
        if self.kind == "theorem" and self.eta is not None and not self.eta > 0:
            raise ValueError(f"the theorem rule needs eta > 0, got {self.eta}")

    def threshold(self, first_gap):
        """The gap at which to return."""
        if self.kind == "relative":
            return self.ratio * first_gap
        if self.eta is not None:
            return self.eta
        return 0.0 if self.kind == "capped" else 1 / self.horizon

    @property
    def cap(self):
        """Largest number of linear minimisations, or None."""
        return None if self.kind == "theorem" else self.max_lo


@dataclass
class Inner:
    """What `condg` returns: the point, its last Frank-Wolfe gap, the first one, LO calls, the last atom."""

    x: np.ndarray
    gap: float
    first_gap: float | None
    lo: int
    atom: Atom | None


def condg(oracles, g, u, gamma, rule, *, x=None, start=None, moves=None) -> Inner:
    """Minimise ⟨g, x⟩ + ‖x − u‖²/(2γ) over the set by Frank-Wolfe with exact line search.

    Parameters
    ----------
    oracles : Oracles
    g, u : arrays of one shape
        Linear term and prox centre; neither is changed. The loop starts at `x` (default u), which must be
        feasible.
    gamma : float, prox step
    rule : StopRule
    start : Atom, optional
        Warm start of the first linear minimisation.
    moves : list, optional
        Gets (ξ, v) of every step x ← (1 − ξ)x + ξv, for callers that also keep a linear function of x.

    Returns
    -------
    Inner
        With ‖x − ψ‖² ≤ γ·gap. A gap that ends the loop is certified: the linear minimisation is repeated
        from a random start, and the gap includes the bound σ₁ ≤ σ + residual. A gap of the size of rounding
        ends it too, and so do `MOST` linear minimisations.
    """
    x = u.copy() if x is None else x.copy()
    h = g + (x - u) / gamma
    h_dot_x, x_dot_x = float(np.vdot(h, x)), float(np.vdot(x, x))
    norms = np.linalg.norm(g), np.linalg.norm(u)
    first, tol, cold = None, None, 0
    for calls in range(1, MOST + 1):
        v = oracles.lmo(h, start=start, tol=tol)
        gap, square = h_dot_x - inner(v, h), _square(v)
        first = gap if first is None else first
        reach, size = np.sqrt(x_dot_x) + np.sqrt(square), norms[0] + (norms[1] + np.sqrt(x_dot_x)) / gamma
        threshold = max(rule.threshold(first), rounding(x.size, size * reach))
        if gap <= threshold:
            slack, allowed = uncertain(v), max(threshold, ROUNDING * abs(h_dot_x))
            if slack == 0 or cold >= ASKS or (cold and (gap + slack <= allowed or v.residual <= EXACT)):
                return Inner(x, gap + slack, first, calls, v)
            # A warm start may have answered with a lesser pair: ask again from a random one, more exactly.
            tol = max(EXACT, min(oracles.lmo_tol, 0.1 * allowed * v.residual / slack))
            start, cold = None, cold + 1
            continue
        start, cold, tol = v, 0, None
        distance = square - 2 * inner(v, x) + x_dot_x
        xi = min(1.0, gamma * gap / distance) if distance > 0 else 1.0  # a distance lost in rounding
        h_dot_x, x_dot_x = _move(x, h, g, u, v, gamma, xi)
        if moves is not None:
            moves.append((xi, v))
        if rule.cap is not None and calls >= rule.cap:
            break
    return Inner(x, gap, first, calls, v)


#: Relative size below which a gap is rounding of ⟨h, x⟩; relative residual that counts as exact.
ROUNDING, EXACT = 1e-13, 1e-10
#: Linear minimisations of one call at most; and of them in a row that make one answer more exact.
MOST, ASKS = 20_000, 5


def uncertain(v):
    """How much larger the true gap can be: the residual bound σ₁ ≤ σ + residual of the oracle's answer."""
    return abs(v.scale) * v.sigma * v.residual if isinstance(v, Atom) else 0.0


def _square(v):
    return v.sq_norm if isinstance(v, Atom) else float(np.vdot(v, v))


def _move(x, h, g, u, v, gamma, xi):
    """x ← x + ξ(v − x), h ← g + (x − u)/γ; returns ⟨h, x⟩ and ‖x‖². One pass for an atom."""
    if isinstance(v, Atom):
        return _move_atom(x, h, g, u, v.u * (xi * v.scale), v.v, gamma, xi)
    toward(x, v, xi)
    h[...] = g + (x - u) / gamma
    return float(np.vdot(h, x)), float(np.vdot(x, x))


@njit(fastmath={"reassoc", "contract"})
def _move_atom(x, h, g, u, a, b, gamma, xi):
    h_dot_x, x_dot_x = 0.0, 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            value = (1.0 - xi) * x[i, j] + a[i] * b[j]
            slope = g[i, j] + (value - u[i, j]) / gamma
            x[i, j] = value
            h[i, j] = slope
            h_dot_x += slope * value
            x_dot_x += value * value
    return h_dot_x, x_dot_x
