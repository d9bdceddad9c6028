"""Metrics that need the feasible set; the problem has its own. All are evaluated while the clock stands
still.
"""

import numpy as np
from scipy.linalg import svdvals

from ..ground.names import unknown
from ..linalg.atoms import inner
from . import composite, regularised, saddle


def dense(x) -> np.ndarray:
    """An iterate or gradient as an array."""
    return x if isinstance(x, np.ndarray) else x.toarray()


def gradient_mapping(x, gradient, gamma, feasible_set):
    """g_C(x, γ) = (x − P_C(x − γ∇F(x)))/γ by the exact projection (SPEC-common 0.4)."""
    return (x - feasible_set.project(x - gamma * gradient, method="full")) / gamma


def make(name: str, problem, feasible_set):
    """The metric of that name as a function of the iterate (of state or tally where it is so marked).

    Known here: ``fw_gap`` (exact LO: dense SVD, of sparse gradients Lanczos to a relative residual of 1e-10),
    ``sq_gradient_mapping`` (with the one fixed γ = 1/(2 L_full)), ``infeasibility`` max(0, gauge − bound),
    ``gradient_norm``, ``gradient_error`` ‖estimate − ∇F‖ where the last estimate was made; all others are
    asked of the problem. Composite and regularised objectives have metrics of their own, see `composite` and
    `regularised`.
    """
    own = {"composite": composite, "regularised": regularised}.get(getattr(problem, "family", None))
    if own is not None:
        return own.make(name, problem, feasible_set)

    def fw_gap(x):
        gradient = problem.gradient(x)
        if isinstance(gradient, np.ndarray):
            return float(np.vdot(gradient, dense(x))) + feasible_set.support(-gradient)
        return inner(gradient, x) + feasible_set.support(gradient.scaled(-1.0))

    def gradient_error(state):
        if state.estimate is None:
            return np.nan
        if state.before is None:
            raise ValueError("gradient_error needs a solver that keeps x^{t-1}: track is off")
        miss = state.estimate - problem.gradient(state.before)
        return float(np.linalg.norm(getattr(miss, "values", miss)))

    gradient_error.of_state = True

    def sq_gradient_mapping(x):
        x = dense(x)
        gamma = 1 / (2 * problem.constants["L_full"])
        g = gradient_mapping(x, dense(problem.gradient(x)), gamma, feasible_set)
        return float(np.vdot(g, g))

    def infeasibility(x):
        return max(0.0, feasible_set.gauge(dense(x)) - feasible_set.bound)

    def gradient_norm(x):
        return float(np.linalg.norm(dense(problem.gradient(dense(x)))))

    def rank(x):
        s = svdvals(dense(x))
        return int(np.sum(s > 1e-8 * max(s[0], 1e-300)))

    shared = (fw_gap, sq_gradient_mapping, infeasibility, gradient_norm, gradient_error, rank)
    shared = {f.__name__: f for f in shared}
    known = {**shared, **problem.metrics}
    if getattr(problem, "family", None) == "saddle":
        known = {**saddle.metrics(problem, feasible_set), **problem.metrics}
    if name not in known:
        raise ValueError(unknown("metric", name, known))
    return known[name]
