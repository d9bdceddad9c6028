"""Option I of NCGS with λ = β is an inexact projected-gradient method (NCGS-T3)."""

import numpy as np

from ..engine.oracles import Oracles
from ..solvers import ncgs
from ..solvers.inner.condg import condg
from . import Row


def measure(job, problem, feasible_set, rng, *, option="I", iterations=64):
    """One row a step k of one run.

    ``ag_error`` ‖θ_k^ag − θ_k‖_∞; ``md_error`` ‖θ_k^md − θ_{k−1}‖_∞; ``condg_error`` distance of θ_k to
    condg started from the same θ_{k−1} on ∇F(θ_{k−1}) (only where the last gap is not within 1 % of η:
    ``compared`` says so). With λ = (1 + α/4)β the same ``ag_error`` is named ``ag_error_momentum`` and must
    not vanish.
    """
    solver = ncgs.Solver(option=option, rule="theorem", horizon=iterations)
    oracles = Oracles(problem, feasible_set, rng)
    state = solver.start(oracles, rng)
    for k in range(1, iterations + 1):
        before, atom = state.theta.copy(), state.atom
        state = solver.step(oracles, state, rng)
        ag_error = float(np.max(np.abs(state.theta_ag - state.theta)))
        if option != "I":
            yield Row(k, {"ag_error_momentum": ag_error}, oracles.counts)
            continue
        lam = 1 / (2 * problem.constants["L_full"])
        again = condg(oracles, problem.gradient(before), before, lam, solver.stop_rule, start=atom)
        compared = abs(again.gap - 1 / iterations) > 0.01 / iterations
        yield Row(
            k,
            {
                "ag_error": ag_error,
                "md_error": float(np.max(np.abs(state.theta_md - before))),
                "condg_error": float(np.max(np.abs(again.x - state.theta))) if compared else 0.0,
                "compared": float(compared),
            },
            dict(oracles.counts),
        )
