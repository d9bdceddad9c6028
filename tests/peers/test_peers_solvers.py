"""Solvers against the optima of CVXPY with Clarabel, and the worst cases of PEPit, where it is installed."""

import cvxpy as cp
import numpy as np
import pytest
from instances import steps

from projfree.engine.oracles.constrained import Oracles
from projfree.problems.simplex_least_squares import Problem
from projfree.sets import l2_ball, simplex

#: Worst case of F(x_n) − F* for Frank-Wolfe with 2/(k+2), L = D = 1, by PEPit 0.5.1 and Clarabel, by n.
WORST = {1: 0.50000, 2: 0.31262, 3: 0.22785, 5: 0.14622, 8: 0.09590}


def run(problem, feasible_set, name, count, **params):
    """The last point; a method may end by its own certificate."""
    oracles = Oracles(problem, feasible_set, np.random.default_rng(1))
    *_, state = steps(name, oracles, count, np.random.default_rng(2), **params)
    return state.iterate


@pytest.mark.parametrize("kind", ["simplex", "l2_ball"])
def test_solvers_reach_the_optimum_of_clarabel_and_stay_below_the_worst_case_of_pepit(kind, long):
    """PEPit's is of all L-smooth convex functions over all sets of diameter D."""
    root, linear, w = cp.Parameter((8, 8)), cp.Parameter(8), cp.Variable(8)
    inside, ball = [w >= 0, cp.sum(w) == 1], simplex.Set(1.0)
    if kind == "l2_ball":
        inside, ball = [cp.norm(w) <= 0.7], l2_ball.Set(0.7)
    program = cp.Problem(cp.Minimize(cp.sum_squares(root @ w) / 2 - linear @ w), inside)
    for seed in range(300 if long else 30):
        rng = np.random.default_rng(seed)
        A = rng.standard_normal((40, 8)) / (1 + np.arange(8))
        problem = Problem({"A": A, "c": 3 * A @ rng.dirichlet(np.full(8, 0.3)) + rng.standard_normal(40)})
        hessian = problem.hessian + problem.rho * np.eye(8)
        root.value, linear.value = np.linalg.cholesky(hessian).T, problem.linear
        program.solve(solver=cp.CLARABEL)
        optimum = program.value + np.mean(problem.c**2) / 2
        for name, count, miss, params in (
            ("frank_wolfe", 100, 1e-2, {"step_rule": "line_search"}),
            ("frank_wolfe", 100, 1e-2, {"step_rule": "short"}),
            ("cgs", 150, 3e-3, {}),
            ("ncgs", 150, 3e-3, {}),
        ):
            x = run(problem, ball, name, count, **params)
            above, gradient = problem.value(x) - optimum, problem.gradient(x)
            assert ball.contains(x) and -1e-7 <= above <= gradient @ x + ball.support(-gradient) + 1e-7, name
            assert above <= miss, name
            assert np.sum((x - w.value) ** 2) <= 2 * (above + 1e-7) / problem.constants["mu"], name
        start = ball.project(rng.standard_normal(8))
        problem.start = lambda kind="array", start=start: start.copy()
        scale = problem.constants["L_full"] * ball.diameter**2
        for count, worst in WORST.items():
            x = run(problem, ball, "frank_wolfe", count, step_rule="open_loop")
            assert problem.value(x) - optimum <= worst * scale + 1e-7


def test_the_noted_worst_cases_are_those_of_pepit():
    examples = pytest.importorskip("PEPit.examples.composite_convex_minimization")
    for n in (1, 2, 3):
        whole = {"R": float("inf"), "center": None, "wrapper": "cvxpy", "solver": "CLARABEL", "verbose": -1}
        assert examples.wc_frank_wolfe(L=1, D=1, n=n, **whole)[0] == pytest.approx(WORST[n], rel=1e-4)
