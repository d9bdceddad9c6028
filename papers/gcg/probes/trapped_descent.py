"""When is H = 0 a fixed point of block coordinate descent? The condition against its law (GCG-T15, C39)."""

import numpy as np
from scipy.stats import norm

from projfree.common.parameters import Count, Natural
from projfree.engine.oracles.regularised import Oracles
from projfree.solvers import bcd
from referee.jobs.probes import Row


def measure(
    job,
    problem,
    constraint,
    rng,
    *,
    columns: list[Count] = (10, 20, 50, 100),
    draws: Count = 300,
    checked: Natural = 20,
):
    """One row for each size t of the dictionary.

    ``escapes``: the share of `draws` random dictionaries with max_i ‖c_iᵀ∇ℓ(0)‖ > λ; ``expected``: the law
    for images with pixels above the smoothing, P = 1 − (1 − 2Φ̄(λ/√(2m)))^t; ``deviation`` = |escapes −
    expected| in standard deviations of the share; ``mistakes``: how many of `checked` dictionaries
    a step of BCD treats otherwise than the condition says.
    """
    gradient = problem.slopes(np.zeros(problem.shape))
    oracles = Oracles(problem, constraint, rng)
    slopes = np.array([_slopes(constraint, gradient, max(columns), rng) for _ in range(draws)])
    for t in columns:
        escapes = float(np.mean(slopes[:, :t].max(axis=1) > constraint.weight))
        expected = float(1 - (1 - 2 * norm.sf(constraint.weight / np.sqrt(2 * problem.shape[1]))) ** t)
        spread = np.sqrt(expected * (1 - expected) / draws)
        yield Row(
            t,
            {
                "columns": float(t),
                "escapes": escapes,
                "expected": expected,
                "deviation": abs(escapes - expected) / spread,
                "mistakes": float(sum(_mistaken(oracles, gradient, t, rng) for _ in range(checked))),
            },
        )


def _slopes(constraint, gradient, t, rng):
    """‖c_iᵀ∇ℓ(0)‖ of t random columns."""
    return np.linalg.norm(gradient.T @ constraint.random_columns(rng, len(gradient), t), axis=0)


def _mistaken(oracles, gradient, t, rng) -> bool:
    solver = bcd.Solver(columns=t, inner=1)
    state = solver.start(oracles, rng)
    slopes = np.linalg.norm(gradient.T @ state.runs[0].U, axis=0)
    trapped = bool(slopes.max() <= oracles.constraint.weight)
    return solver.step(oracles, state, rng).converged != trapped
