"""Mean and variance of the SVRG estimate (NCGS-T6)."""

import numpy as np

from projfree.common.parameters import Count
from projfree.engine.oracles.constrained import Oracles
from projfree.solvers.estimators import svrg
from referee.jobs.probes import Row

from .condg_certificate import random_point


def measure(
    job,
    problem,
    constraint,
    rng,
    *,
    draws: Count = 4000,
    pairs: Count = 5,
    horizons: list[Count] | None = None,
):
    """One row a pair (θ, θ̃) of random feasible points.

    ``bias_z``: ‖mean of v − ∇F(θ)‖ in standard errors of that mean; ``variance``: mean of ‖v − ∇F(θ)‖²;
    ``variance_bound``: (L_vr²/b)‖θ − θ̃‖².
    """
    oracles = Oracles(problem, constraint, rng)
    estimator = svrg.Estimator(epoch=draws)
    for pair in range(pairs):
        theta, anchor_point = (random_point(constraint, problem.shape, rng) for _ in range(2))
        gradient = problem.gradient(theta)
        total, square = np.zeros(problem.shape), 0.0
        anchor = estimator.refresh(oracles, anchor_point)
        for _ in range(draws):
            v, anchor = estimator.update(oracles, anchor, theta, rng)
            total += v
            square += float(np.sum((v - gradient) ** 2))
        variance = square / draws
        batch = svrg.paper_batch(problem.n)
        yield Row(
            pair,
            {
                "bias_z": float(np.linalg.norm(total / draws - gradient) / np.sqrt(variance / draws)),
                "variance": variance,
                "variance_bound": problem.constants["L_vr"] ** 2
                / batch
                * float(np.sum((theta - anchor_point) ** 2)),
            },
            dict(oracles.counts),
        )
