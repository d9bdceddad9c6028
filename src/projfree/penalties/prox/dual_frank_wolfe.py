"""The inexact prox of a support function h by subgradients, which is Frank-Wolfe on its dual, certified.

For h(x) = max_{u∈D} ⟨u, x⟩ the dual of min Φ is max_{u∈D} ⟨u, p⟩ − (γ/2)‖u‖², and x(u) = p − γu. A
subgradient s ∈ ∂h(x) is the linear maximiser over D, so a Frank-Wolfe step u + τ(s − u) moves x by
−τγ((x − p)/γ + s): the plain subgradient method on Φ with step τγ. Its gap h(x) − ⟨u, x⟩ is Φ(x) minus the
dual value, hence certifies x. ipg leaves out step, averaging, start and stop of its subgradient method
"due to the space limit" (deviations U7, U8).
"""

import numpy as np

from projfree.common.names import unknown

from ...linalg.validation import positive, vector
from . import Prox, level

#: Below this share of 1 + |h| a gap is rounding.
ROUNDING = 1e-14
RULES = ("line_search", "schedule", "best")


def prox(
    support, p, gamma: float, *, tol=0.0, warm=None, max_inner: int = 10, rule="line_search", start="warm"
) -> Prox:
    """A proximal point whose gap is at most `tol`, or the point after `max_inner` steps.

    Parameters
    ----------
    support : callable x ↦ (s, h(x)) with s ∈ ∂h(x)
    tol : float, or callable x ↦ float
        The error that is allowed, which may depend on the point (Theorem 3).
    warm : ndarray, optional
        The dual u of an earlier call; else a subgradient at p.
    rule : {"line_search", "schedule", "best"}
        τ = min{1, gap/(γ‖s − u‖²)}; τ = 2/(t + 2); or that with the point of least Φ in the end.
    start : {"warm", "cold"}
        Whether `warm` is used.
    """
    p, gamma = vector("p", p), positive("gamma", gamma)
    if rule not in RULES:
        raise ValueError(unknown("rule", rule, RULES, "dual_frank_wolfe"))
    u = support(p)[0] if warm is None or start == "cold" else vector("warm", warm, p.size)
    best = None
    for t in range(max_inner + 1):
        x = p - gamma * u
        s, h = support(x)
        gap = h - float(u @ x)
        if rule == "best":
            best = _better(best, x, h, u, p, gamma)
            x, h, gap = best[:3]
        if gap <= max(level(tol, x), ROUNDING * (1 + abs(h))) or t == max_inner:
            break
        direction, step = s - u, 2.0 / (t + 2)
        if rule == "line_search":
            step = min(1.0, max(gap, 0.0) / (gamma * float(direction @ direction)))
        u = u + step * direction
    return Prox(x, h, max(gap, 0.0), passes=t + 1, warm=u)


def _better(best, x, h, u, p, gamma):
    """(x, h, gap) of least Φ so far against the largest dual value so far."""
    primal = float(np.sum((x - p) ** 2)) / (2 * gamma) + h
    dual = float(u @ p) - gamma / 2 * float(u @ u)
    if best is None:
        return x, h, primal - dual, primal, dual
    dual = max(dual, best[4])
    if best[3] <= primal:
        x, h, primal = best[0], best[1], best[3]
    return x, h, primal - dual, primal, dual
