"""Stochastic NCGS with mini-batches that grow, or that do not (NCGS-C14)."""

from dataclasses import dataclass

import numpy as np

from projfree.common.parameters import Count
from projfree.engine.metrics.constrained import gradient_mapping
from projfree.engine.oracles.constrained import Oracles
from projfree.solvers import sncgs
from projfree.solvers.estimators import sg
from referee.jobs.probes import Row

from .rates import stopping_weights


@dataclass(frozen=True)
class Constant(sncgs.Solver):
    """Algorithm 3 with m_k = `batch` at every step, which the paper's §4.1 rules out."""

    batch: Count = 1

    def gradient(self, oracles, theta_md, k, rng):
        """G_k: `batch` IFO."""
        return sg.Estimator(self.batch).update(oracles, None, theta_md, rng)[0]


def measure(job, problem, constraint, rng, *, horizons: list[Count], batch: Count | None = None):
    """One row a horizon N: a run of N steps with the parameters of Theorem 2 for N.

    ``eps`` is the mean over the steps of ‖g(θ^md, ∇F(θ^md), 1/(2L))‖², weighted by p_k as in Theorem 2. The
    mini-batch is `batch` at every step; without it m_k = k.
    """
    gamma = 1 / (2 * problem.constants["L_full"])
    for horizon in horizons:
        given = {"horizon": horizon, "rule": "theorem"}
        method = Constant(**given, batch=batch) if batch else sncgs.Solver(**given)
        oracles = Oracles(problem, constraint, rng)
        state, found = method.start(oracles, rng), []
        for _ in range(horizon):
            state = method.step(oracles, state, rng)
            g = gradient_mapping(state.theta_md, problem.gradient(state.theta_md), gamma, constraint)
            found.append(float(np.vdot(g, g)))
        yield Row(horizon, {"eps": float(stopping_weights(horizon) @ found)}, dict(oracles.counts))
