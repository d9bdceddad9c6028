"""The optimum of a trace-norm penalised loss: its conditions, its dual, and the constant L_F (GCG-T8, T9)."""

import numpy as np

from projfree.common.parameters import Count, Fraction
from projfree.engine.oracles.regularised import Oracles
from projfree.solvers import gcg
from referee.jobs.probes import Row

from ._tiny_completion import Dense, penalised_optimum, trace_norm


def measure(job, problem, constraint, rng, *, alpha: Fraction = 1.0, iterations: Count = 60):
    """One row for the optimum, then one for each iteration of gcg with L_F so far.

    ``polar_error`` κ°(−∇ℓ)/λ − 1, ``alignment_error`` ⟨−∇ℓ, W*⟩/(λκ(W*)) − 1 and ``dual_error`` D/F* − 1 at
    W* by singular value thresholding to 1e-13; ``gcg_error`` F/F* − 1 of the last iterate of gcg. ``LF`` =
    2L sup (ρ²/α²‖A‖² + ‖W_t‖²) ≥ L sup ‖(ρ/α)A − W_t‖² over the run, ``LF_bound`` = 2C²(1 + α⁻²)/λ² with
    C = ½‖P(X)‖² (eq. 52 in the scale of the sum).
    """
    dense, weight = Dense(problem), constraint.weight
    W = penalised_optimum(dense, constraint)
    G, rho = dense.gradient(W), trace_norm(W)
    best, top = dense.value(W) + weight * rho, np.linalg.norm(G, 2)
    slopes = problem.slopes(W[problem.pattern.rows, problem.pattern.cols])
    dual = problem.dual_bound(slopes, None, top, weight)
    optimum = {
        "polar_error": top / weight - 1,
        "alignment_error": -float(np.vdot(G, W)) / (weight * rho) - 1,
        "dual_error": dual / best - 1,
    }
    C, LF = float(np.sum(dense.X**2)) / 2, 0.0
    oracles, solver = Oracles(problem, constraint, rng), gcg.Solver(tol=1e-9, polar_tol=1e-8)
    s, rows = solver.start(oracles, rng), []
    while len(rows) < iterations and not s.converged:
        s = solver.step(oracles, s, rng)
        LF = max(LF, 2 * ((rho / alpha) ** 2 + float(np.sum(s.x.toarray() ** 2))))
        rows.append({"LF": LF, "LF_bound": 2 * C**2 * (1 + alpha**-2) / weight**2})
    value = problem.value(s.x.image) + weight * constraint.value(s.x.U, s.x.V)
    yield Row(0, {**optimum, **rows[0], "gcg_error": value / best - 1})
    for k, row in enumerate(rows[1:]):
        yield Row(k + 1, {**optimum, **row, "gcg_error": value / best - 1})
