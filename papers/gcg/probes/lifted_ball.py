"""JS on the lifted cone beside Frank-Wolfe on the trace-norm ball (GCG-T11)."""

import numpy as np

from projfree.common.parameters import Count
from projfree.engine.oracles.regularised import Oracles
from projfree.solvers import js
from referee.jobs.probes import Row


def measure(job, problem, constraint, rng, *, steps: Count = 60):
    """One row a step: ``difference`` of W between the two, relative; ``trace_error`` |tr Z/(2ζ) − 1|;
    ``constrained_excess`` (ℓ(W_k) + λζ)/F* − 1, where ζ is the norm of the penalised optimum.
    """
    oracles = Oracles(problem, constraint, rng)
    solver = js.Solver(optimum="apg_svt", polar_tol=1e-12).prepared(oracles)
    optimum = _optimum(oracles)
    (m, n), zeta, s = problem.shape, solver.radius, solver.start(oracles, rng)
    Z = np.zeros((m + n, m + n))
    for k in range(steps):
        s = solver.step(oracles, s, rng)
        Z = _lifted_step(problem, Z, 2 / (k + 2), zeta)
        W = Z[:m, m:]
        yield Row(
            k + 1,
            {
                "difference": float(np.max(np.abs(W - s.x.toarray())) / np.max(np.abs(W))),
                "trace_error": abs(np.trace(Z) / (2 * zeta) - 1),
                "constrained_excess": (problem.value(s.x.image) + constraint.weight * zeta) / optimum - 1,
            },
        )


def _lifted_step(problem, Z, gamma, zeta):
    """Z ← (1 − γ)Z + γ·2ζzzᵀ, z the leading eigenvector of the lifted −∇ℓ, by dense decomposition."""
    m = problem.shape[0]
    G = problem.gradient(problem.slopes(problem.image(Z[:m, m:].copy(), np.eye(problem.shape[1]))))
    G = G if isinstance(G, np.ndarray) else G.toarray()
    lifted = np.block([[np.zeros((m, m)), -G], [-G.T, np.zeros((G.shape[1],) * 2)]])
    z = np.linalg.eigh(lifted)[1][:, -1]
    return (1 - gamma) * Z + gamma * 2 * zeta * np.outer(z, z)


def _optimum(oracles):
    """F* of the penalised problem."""
    s = js.OPTIMUM["apg_svt"].start(oracles, oracles.rng)
    while not s.converged:
        s = js.OPTIMUM["apg_svt"].step(oracles, s, oracles.rng)
    return oracles.problem.value(s.x.image) + oracles.constraint.weight * s.x.rho
