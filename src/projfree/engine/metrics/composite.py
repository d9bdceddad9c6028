"""Metrics of composite objectives f = g + h and of the proximal gradient methods on them."""

import numpy as np

from ..oracles.base import curved
from .base import of_state, of_tally


def known(problem, constraint) -> dict:
    """Metrics by name, of the iterate, of the method's state or of the tally.

    Of the iterate: ``objective`` f, ``smooth`` g, ``penalty`` h, ``gradient_norm``; ``sq_gradient_mapping``
    with the one fixed γ = 1/(2 L_full) and the penalty's reference prox; those of the penalty.

    Of the state: ``prox_gap`` (the certificate of the prox that made x_k), ``prox_tolerance`` (its ε_k),
    ``prox_error`` (its true Φ − min Φ, by the reference prox). For convex h also ``crit`` =
    ‖∇g(x_k) + (p − x_k)/γ‖, the distance of Theorem 1 from 0 to ∇g + ∂_gap h, and ``crit_bound``
    (1/γ + L)‖x_k − anchor‖.

    Of the tally, from the start on: `TALLIED`.
    """
    metrics = {**_of_iterate(problem, constraint), **_of_state(problem, constraint)}
    metrics |= {name: of_tally(name, before) for name, before in TALLIED.items()}
    return metrics | constraint.metrics(problem)


#: What proximal gradient methods tell, and its value before they do.
TALLIED = {
    "unmet": 0,  # proxes whose certificate missed ε
    "inner": 0,  # inner steps
    "v_steps": 0,  # trials from x_k itself
    "increases": 0,  # passes with f(x_{k+1}) > f(x_k)
    "increases_beyond": 0,  # … by more than ε_k
    "rise": -np.inf,  # largest f(x_{k+1}) − f(x_k) − certificate, over 1 + |f|
}


def center(problem, anchor, gamma):
    """p = anchor − γ∇g(anchor), what the penalty's prox is asked for."""
    return anchor.forward(problem.gradient(anchor), gamma)


def reference_prox(constraint, p, gamma):
    """The penalty's most accurate proximal point."""
    options = {"relative_tol": 1e-10} if constraint.reference == "dual_fista" else {}
    return constraint.prox(p, gamma, method=constraint.reference, rng=np.random.default_rng(0), **options)


def prox_error(problem, constraint, x, p, gamma) -> float:
    """Φ(x) − min Φ."""
    if hasattr(constraint, "error"):
        return constraint.error(problem.raw(x), p, gamma)
    best = reference_prox(constraint, p, gamma)
    # ‖x − p‖² − ‖x* − p‖² = ⟨x − x*, x + x* − 2p⟩, without cancellation of large squares
    change = float((x.array - best.x) @ (x.array + best.x - 2 * p))
    return change / (2 * gamma) + constraint.value(x.array) - best.value


def _of_iterate(problem, constraint):
    def penalty(x):
        return constraint.value(problem.raw(x))

    def objective(x):
        return problem.value(x) + penalty(x)

    def gradient_norm(x):
        gradient = problem.gradient(x)
        return float(np.linalg.norm(getattr(gradient, "values", gradient)))

    def sq_gradient_mapping(x):
        gamma = 1 / (2 * curved(problem)["L_full"])
        best = reference_prox(constraint, center(problem, x, gamma), gamma)
        return x.sq_distance(problem.point(best.x)) / gamma**2

    metrics = {f.__name__: f for f in (objective, gradient_norm, sq_gradient_mapping, penalty)}
    return {**metrics, "smooth": lambda x: problem.value(x)}


def _of_state(problem, constraint):
    def measured_error(s):
        return prox_error(problem, constraint, s.x, center(problem, s.anchor, s.gamma), s.gamma)

    def crit(s):
        u = (center(problem, s.anchor, s.gamma) - s.x.array) / s.gamma
        return float(np.linalg.norm(problem.gradient(s.x) + u))

    def crit_bound(s):
        return (1 / s.gamma + problem.constants["L_full"]) * np.sqrt(s.x.sq_distance(s.anchor))

    def after_a_prox(metric):
        return lambda s: np.nan if s.anchor is None else metric(s)

    metrics = {"prox_gap": lambda s: s.gap, "prox_tolerance": lambda s: s.tolerance}
    metrics["prox_error"] = after_a_prox(measured_error)
    if constraint.convex:
        metrics |= {"crit": after_a_prox(crit), "crit_bound": after_a_prox(crit_bound)}
    return {name: of_state(metric) for name, metric in metrics.items()}
