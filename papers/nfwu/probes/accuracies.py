"""Theorem 3.1 of nfwu over a grid of accuracies, and the calls it takes: Table 1 (NFWU-T2, U15)."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from projfree.common.parameters import Positive
from projfree.engine.metrics import make
from projfree.engine.oracles.constrained import Oracles
from referee.jobs.probes import Row

from ._nfwu import KAPPAS, at_each_step, constants_for, inner_steps, solver


def measure(
    job,
    problem,
    constraint,
    rng,
    *,
    estimator: str,
    epsilons: list[Positive],
    kappa: Literal[*KAPPAS] = "corrected",
    params: dict | None = None,
):
    """One row an ε: a run of N = ⌈L F(0)/ε²⌉ steps η = ε/L, with the estimator's b (times four) and p.

    ``mean_gap`` mean_t V(x^t) ≤ ``gap_limit`` 2.5 εD and ``gap_limit_paper`` 5 εD; ``start_gap_ratio``
    V(x⁰)/(εD), above 1 where the statement is not empty; ``eps_gap`` mean_gap/D. ``sq_error`` mean_t ‖g^t −
    ∇F(x^t)‖² ≤ ``sq_error_limit`` ε²/4; ``sq_error_inner`` the mean over steps that are no anchors (all steps
    for an estimator without). ``batch``, ``epoch``, ``steps`` N, ``inverse_eps`` 1/ε. `kappa` is
    ``corrected`` or ``printed``. Counts are those of the run; F* ≥ 0 stands for F*, so that N is not below
    the theorem's.
    """
    for index, epsilon in enumerate(epsilons):
        method = solver(estimator, params, epsilon=epsilon)
        oracles = Oracles(problem, constraint, rng)
        oracles.constants = constants_for(kappa, problem.constants)
        L, start = oracles.constants[method.smoothness], problem.start()
        steps = math.ceil(L * problem.value(start) / epsilon**2)
        batch, epoch = method.sizes(problem.n, oracles.constants)
        gaps, errors = at_each_step(method, oracles, rng, steps).T
        inner = inner_steps(steps, epoch) if epoch > 1 else slice(None)
        scale = epsilon * constraint.diameter
        values = {
            "eps": epsilon,
            "inverse_eps": 1 / epsilon,
            "mean_gap": float(gaps.mean()),
            "gap_limit": 2.5 * scale,
            "gap_limit_paper": 5 * scale,
            "eps_gap": float(gaps.mean()) / constraint.diameter,
            "start_gap_ratio": make("fw_gap", problem, constraint)(start) / scale,
            "sq_error": float(np.mean(errors**2)),
            "sq_error_inner": float(np.mean(errors[inner] ** 2)),
            "sq_error_limit": epsilon**2 / 4,
            "sq_error_ratio": float(np.mean(errors**2)) / (epsilon**2 / 4),
            "batch": batch,
            "epoch": epoch,
            "steps": steps,
        }
        yield Row(index, values, dict(oracles.counts))
