"""Rate of a method over a grid of horizons: the theorem's own average of the criterion, its bound, and the
cost.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from projfree import solvers
from projfree.common.parameters import Count, Positive
from projfree.engine.metrics.constrained import gradient_mapping
from projfree.engine.oracles.constrained import Oracles
from projfree.sets import nuclear_ball
from referee.jobs.probes import Row

from .condg_certificate import true_gap


def measure(
    job,
    problem,
    constraint,
    rng,
    *,
    solver: str,
    horizons: list[Count],
    params: dict | None = None,
    at: Literal["iterate", "theta", "theta_md"] = "iterate",
    average: Literal["min", "mean", "weighted"] = "min",
    bound: Literal[*BOUNDS] | None = None,
    radius: Positive | None = None,
    smoothness: str = "L_full",
):
    """One row a horizon N: a run of N steps with the parameters the theorem makes for N.

    ``eps_mapping`` and ``eps_gap`` are ‖g‖² (at γ = 1/(2L) or, for NCGS-VR, 1/(3L)) and the Frank-Wolfe
    gap, taken at every step at θ^md, or at the iterate or θ before it, and averaged as the theorem does:
    ``min``, ``mean``, or ``weighted`` by p_k = 3k(k+1)/(N(N+1)(N+2)). ``eps`` is eps_mapping; ``bound`` and
    ``own_bound`` are the theorem's and our own right-hand sides where `bound` names them. Counts are those
    of the run.
    """
    ball = constraint if radius is None else nuclear_ball.Set(radius)
    gamma = 1 / ((3 if solver == "ncgs_vr" else 2) * problem.constants[smoothness])
    for horizon in horizons:
        method = solvers.make(
            solver, {**(params or {}), "horizon": horizon} if _has_horizon(solver) else params or {}
        )
        oracles = Oracles(problem, ball, rng)
        criteria, infeasibility = _run(method, oracles, rng, horizon, at, gamma)
        eps_mapping, eps_gap = _average(np.array(criteria), average)
        values = {
            "eps": eps_mapping,
            "eps_mapping": eps_mapping,
            "eps_gap": eps_gap,
            "infeasibility": infeasibility,
        }
        if bound:
            values["bound"], values["own_bound"] = BOUNDS[bound](problem, ball, horizon, smoothness)
        yield Row(horizon, values, dict(oracles.counts))


def _run(method, oracles, rng, steps, at, gamma):
    problem, ball = oracles.problem, oracles.constraint
    state = method.start(oracles, rng)
    criteria, infeasibility = [], 0.0
    for _ in range(steps):
        before = np.array(_dense(state.theta if at == "theta" else state.iterate))
        state = method.step(oracles, state, rng)
        x = state.theta_md if at == "theta_md" else before
        gradient = problem.gradient(x)
        g = gradient_mapping(x, gradient, gamma, ball)
        criteria.append((float(np.vdot(g, g)), max(0.0, true_gap(ball, gradient, x))))
        infeasibility = max(infeasibility, ball.gauge(_dense(state.iterate)) - ball.radius)
    return criteria, infeasibility


def _average(criteria, average):
    if average == "min":
        return criteria.min(axis=0)
    if average == "mean":
        return criteria.mean(axis=0)
    return stopping_weights(len(criteria)) @ criteria


def stopping_weights(steps: int) -> np.ndarray:
    """p_k = 3k(k+1)/(N(N+1)(N+2)), k = 1 … N (ncgs Theorem 2)."""
    k = np.arange(1, steps + 1)
    return 3 * k * (k + 1) / (steps * (steps + 1) * (steps + 2))


def _has_horizon(name):
    return "horizon" in solvers.load(name).__dataclass_fields__


def _dense(x):
    return x if isinstance(x, np.ndarray) else x.toarray()


def theorem1_option1(problem, ball, horizon, smoothness):
    """Theorem 1, option I: [12L(F(θ₀) − F*) + 16L]/N; re-derived [16/3·L(F(θ₀) − F*) + 28/3·L]/N; F* ≥ 0."""
    L, f0 = problem.constants[smoothness], problem.value(problem.start())
    return (12 * L * f0 + 16 * L) / horizon, (16 / 3 * L * f0 + 28 / 3 * L) / horizon


def theorem1_option2(problem, ball, horizon, smoothness):
    """Theorem 1, option II, with M = R and ‖θ*‖_F ≤ R; re-derived: Ghadimi and Lan's, doubled."""
    L, lower, N, R = problem.constants[smoothness], problem.constants["l_lower"], horizon, ball.radius
    paper = 192 * L**2 * R**2 / (N**2 * (N + 1)) + 48 * lower * L / N * (R**2 + 2 * R**2) + 96 * L / N
    exact = 96 * L**2 * R**2 / (N * (N + 1) * (N + 2)) + 24 * lower * L * (R**2 + 2 * R**2) / (N + 2)
    return paper, 2 * exact + 96 * L / N


def ghadimi_lan(problem, ball, horizon, smoothness):
    """Exact projections on a convex instance: 96L²‖θ₀ − θ*‖²/(N(N+1)(N+2)), ‖θ₀ − θ*‖ ≤ R."""
    N, value = horizon, 96 * problem.constants[smoothness] ** 2 * ball.radius**2
    return (value / (N * (N + 1) * (N + 2)),) * 2


def theorem3(problem, ball, horizon, smoothness):
    """Theorem 3: 18L(F(θ₀) − F* + 1)/T, F* ≥ 0."""
    return (18 * problem.constants[smoothness] * (problem.value(problem.start()) + 1) / horizon,) * 2


BOUNDS = {f.__name__: f for f in (theorem1_option1, theorem1_option2, ghadimi_lan, theorem3)}
