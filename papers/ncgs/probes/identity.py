"""Option I of NCGS with λ = β is an inexact projected-gradient method (NCGS-T3)."""

import numpy as np

from projfree.common.parameters import Count
from projfree.engine.oracles.constrained import Oracles
from projfree.solvers import ncgs
from referee.jobs.probes import Row


def measure(job, problem, constraint, rng, *, option: str = "I", iterations: Count = 64):
    """One row a step k of one run with condg's tolerance η = 1/iterations.

    ``ag_error`` ‖θ_k^ag − θ_k‖_∞; ``md_error`` ‖θ_k^md − θ_{k−1}‖_∞; ``prox_ratio``
    ‖θ_k − P(θ_{k−1} − γ∇F(θ_{k−1}))‖²/(γη) with γ = 1/(2L) and the exact projection: at most 1, which is
    what condg guarantees for a step from θ_{k−1}. (Comparing with a second condg is no test: near ties of
    the linear minimisation amplify the rounding of θ^md.) With λ = (1 + α/4)β the same ``ag_error`` is
    named ``ag_error_momentum`` and must not vanish.
    """
    solver = ncgs.Solver(option=option, rule="theorem", horizon=iterations)
    oracles = Oracles(problem, constraint, rng)
    state = solver.start(oracles, rng)
    gamma = 1 / (2 * problem.constants["L_full"])
    for k in range(1, iterations + 1):
        before = state.theta.copy()
        state = solver.step(oracles, state, rng)
        ag_error = float(np.max(np.abs(state.theta_ag - state.theta)))
        if option != "I":
            yield Row(k, {"ag_error_momentum": ag_error}, dict(oracles.counts))
            continue
        exact = constraint.project(before - gamma * problem.gradient(before), method="full")
        yield Row(
            k,
            {
                "ag_error": ag_error,
                "md_error": float(np.max(np.abs(state.theta_md - before))),
                "prox_ratio": float(np.sum((state.theta - exact) ** 2)) * iterations / gamma,
            },
            dict(oracles.counts),
        )
