"""The linear rate of Theorem 3 with θ = ½ on least squares and OSCAR (IPG-T5b)."""

from typing import Annotated

import numpy as np

from projfree.common.parameters import Count, Range
from projfree.engine.oracles.composite import Oracles
from projfree.problems import robust_regression
from projfree.solvers import apg
from referee.jobs.probes import Row


def measure(
    job,
    problem,
    constraint,
    rng,
    *,
    step_factor: Annotated[float, Range(above=0, below=1)] = 0.5,
    passes: Count = 60,
    reference: Count = 4000,
):
    """One row a pass while f − f* > 1e-9: ``shrinkage`` (f(x_{k+1}) − f*)/(f(x_k) − f*) and ``rate``
    d_1C²/(1 + d_1C²).

    The data are the problem's, the loss is squared; C² = 1/(2μ), μ the least squared singular value, d_1 =
    (1/γ + L)²/(1/(2γ) − L/2); f* by APG over `reference` passes.
    """
    arrays = {"features": problem.features, "targets": problem.targets}
    squares = robust_regression.Problem(arrays, loss="sq")
    L = squares.constants["L_full"]
    mu, gamma = np.linalg.svd(squares.features, compute_uv=False)[-1] ** 2, step_factor / L
    d1 = (1 / gamma + L) ** 2 / (1 / (2 * gamma) - L / 2)
    rate = d1 / (2 * mu) / (1 + d1 / (2 * mu))
    best = min(_values(squares, constraint, 0.99, reference))
    excess = np.array(_values(squares, constraint, step_factor, passes)) - best
    for k in np.flatnonzero(excess[:-1] > 1e-9):
        yield Row(int(k) + 1, {"shrinkage": excess[k + 1] / excess[k], "rate": rate})


def _values(problem, constraint, step_factor, passes):
    oracles, rng = Oracles(problem, constraint, np.random.default_rng(0)), np.random.default_rng(0)
    solver = apg.Solver(step_factor=step_factor)
    s = solver.start(oracles, rng)
    values = [s.f]
    for _ in range(passes):
        s = solver.step(oracles, s, rng)
        values.append(s.f)
    return values
