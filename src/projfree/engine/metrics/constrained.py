"""Metrics that need the feasible set; the problem has its own."""

import numpy as np
from scipy.linalg import svdvals

from ...linalg.atoms import as_array as dense
from ..oracles.base import curved
from .base import frank_wolfe_gap, of_state


def gradient_mapping(x, gradient, gamma, constraint):
    """g_C(x, γ) = (x − P_C(x − γ∇F(x)))/γ by the exact projection."""
    return (x - constraint.project(x - gamma * gradient, method="full")) / gamma


def known(problem, constraint) -> dict:
    """Metrics by name.

    ``fw_gap`` (exact LO: dense SVD, of sparse gradients Lanczos to a relative residual of 1e-10),
    ``sq_gradient_mapping`` (with the one fixed γ = 1/(2 L_full)), ``infeasibility`` max(0, gauge − bound),
    ``gradient_norm``, ``rank``; of the state ``gradient_error`` ‖estimate − ∇F‖ where the last estimate was
    made.
    """

    def fw_gap(x):
        return frank_wolfe_gap(problem.gradient(x), x, constraint)

    @of_state
    def gradient_error(state):
        if state.estimate is None:
            return np.nan
        if state.before is None:
            raise ValueError("gradient_error needs a solver that keeps x^{t-1}: track is off")
        miss = state.estimate - problem.gradient(state.before)
        return float(np.linalg.norm(getattr(miss, "values", miss)))

    def sq_gradient_mapping(x):
        x = dense(x)
        gamma = 1 / (2 * curved(problem)["L_full"])
        g = gradient_mapping(x, dense(problem.gradient(x)), gamma, constraint)
        return float(np.vdot(g, g))

    def infeasibility(x):
        return max(0.0, constraint.gauge(dense(x)) - constraint.bound)

    def gradient_norm(x):
        return float(np.linalg.norm(dense(problem.gradient(dense(x)))))

    def rank(x):
        s = svdvals(dense(x))
        return int(np.sum(s > 1e-8 * max(s[0], 1e-300)))

    made = (fw_gap, sq_gradient_mapping, infeasibility, gradient_norm, gradient_error, rank)
    return {metric.__name__: metric for metric in made}
