"""Descent, rates and distances of proximal gradient methods with planted errors (ipg Theorems 1–3; IPG-T1
… T5, T10).
"""

import dataclasses

import numpy as np

from projfree import solvers
from projfree.common.parameters import Count
from projfree.engine.metrics import make
from projfree.engine.oracles.composite import Oracles
from referee.jobs.probes import Row


def measure(
    job,
    problem,
    constraint,
    rng,
    *,
    solver: str = "pg",
    params: dict | None = None,
    passes: Count = 100,
    theorem3: float | None = None,
):
    """One row a pass k of a run; pairs (measured, limit), each over 1 + |f| where it is a difference of
    values.

    ``descent``: f(x_k) − f(x_{k−1}) + (1/(2γ) − L/2)‖d_k‖² − ε_k ≤ 0, any h; ``descent_convex`` with
    (1/γ − L/2)‖d_k‖² − √(2ε_k/γ)‖d_k‖, convex h (T1). ``path`` = Σ‖d_k‖² against ``path_bound`` (8) and
    ``path_bound_convex`` (7) as derived anew, with f* ≥ 0 (T2). ``least_step`` = min ‖d_k‖² (T10: iteration
    times it stays bounded). ``rise`` (T3). For convex h ``crit``, ``crit_bound`` (T4). With errors α‖d_k‖²,
    α = `theorem3`·(1/(2γ) − L/2), ``theorem3``: f(x_k) − f(x_{k−1}) + (1/(2γ) − L/2 − α)‖d_k‖² ≤ 0 (T5a).
    """
    made, oracles = solvers.make(solver, params or {}), Oracles(problem, constraint, rng)
    if theorem3 is not None:
        share = theorem3 * problem.constants["L_full"] / 2 * (1 / made.step_factor - 1)
        made = dataclasses.replace(made, error_share=share)
    s = made.start(oracles, rng)
    L, first = problem.constants["L_full"], s.f
    c, c_any = 1 / s.gamma - L / 2, 1 / (2 * s.gamma) - L / 2
    path = errors = roots = 0.0
    least = np.inf
    crit = {name: make(name, problem, constraint) for name in ("crit", "crit_bound") if constraint.convex}
    for k in range(1, passes + 1):
        before, f = s.x, s.f
        s = made.step(oracles, s, rng)
        square, eps = s.x.sq_distance(before), s.tolerance
        path, errors, roots = path + square, errors + eps, roots + np.sqrt(2 * eps / s.gamma)
        least, scale = min(least, square), 1 + abs(f)
        metrics = {
            "descent": (s.f - f + c_any * square - eps) / scale,
            "path": path,
            "path_bound": (first + errors) / c_any,
            "least_step": least,
            **{name: oracles.tally[name] for name in ("rise", "unmet")},
            "objective": s.f,
        }
        if constraint.convex:
            metrics["descent_convex"] = (
                s.f - f + c * square - np.sqrt(2 * eps / s.gamma * square) - eps
            ) / scale
            metrics["path_bound_convex"] = (roots / c + np.sqrt(first / c) + np.sqrt(errors / c)) ** 2
            metrics |= {name: metric(s) for name, metric in crit.items()}
        if made.error_share is not None:
            metrics["theorem3"] = (s.f - f + (c_any - made.error_share) * square) / scale
        yield Row(k, metrics, dict(oracles.counts))
