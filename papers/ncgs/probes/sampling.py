"""Sampling of stochastic NCGS: stopping weights, variance of G_k, SFO count (NCGS-T7)."""

import numpy as np

from projfree.common.parameters import Count
from projfree.engine.oracles.constrained import Oracles
from projfree.solvers import sncgs
from referee.jobs.probes import Row

from .condg_certificate import random_point
from .rates import stopping_weights


def measure(job, problem, constraint, rng, *, horizons: list[Count], draws: Count = 2000):
    """One row a horizon N.

    ``probability_error``: |Σ p_k − 1| plus the largest |p_k − Γ_k⁻¹/ΣΓ_j⁻¹|, Γ_k = 2/(k(k+1)); ``variance``
    of G_k for m_k = N against ``variance_bound`` = σ²/m_k (five standard errors allowed), σ² the exact
    variance of one component; ``sfo`` of a run against ``sfo_formula`` N(N+1)/2.
    """
    theta = random_point(constraint, problem.shape, rng)
    gradient = problem.gradient(theta)
    slopes = problem.component_slopes(theta, np.arange(problem.n))
    sigma2 = float(np.mean(slopes**2) - np.sum(gradient**2))
    for horizon in horizons:
        k = np.arange(1, horizon + 1)
        inverse = k * (k + 1) / 2
        p = stopping_weights(horizon)
        errors = [
            float(
                np.sum(
                    (problem.component_gradient(theta, rng.integers(0, problem.n, horizon)) - gradient) ** 2
                )
            )
            for _ in range(draws)
        ]
        oracles = Oracles(problem, constraint, rng)
        solver = sncgs.Solver(horizon=horizon, rule="capped", max_lo=1)
        state = solver.start(oracles, rng)
        for _ in range(horizon):
            state = solver.step(oracles, state, rng)
        yield Row(
            horizon,
            {
                "probability_error": abs(p.sum() - 1) + float(np.max(np.abs(p - inverse / inverse.sum()))),
                "variance": float(np.mean(errors)),
                "variance_bound": sigma2 / horizon + 5 * float(np.std(errors)) / np.sqrt(draws),
                "sfo": oracles.counts["IFO"],
                "sfo_formula": horizon * (horizon + 1) / 2,
            },
            dict(oracles.counts),
        )
