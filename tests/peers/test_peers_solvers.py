"""Solvers against CVXPY with Clarabel, and the worst cases of PEPit, computed where it is installed."""

import cvxpy as cp
import numpy as np
import pytest
from instances import steps

from projfree.engine.oracles.constrained import Oracles
from projfree.problems.simplex_least_squares import Problem
from projfree.sets import l2_ball, simplex


@pytest.fixture(scope="module")
def instances(long) -> int:
    """Instances for each solver; many more every night."""
    return 300 if long else 30


def run(problem, feasible_set, name, count, **params):
    """The last state; a method may end by its own certificate."""
    oracles = Oracles(problem, feasible_set, np.random.default_rng(1))
    *_, state = steps(name, oracles, count, np.random.default_rng(2), **params)
    return state


@pytest.fixture(scope="module", params=["simplex", "l2_ball"])
def constrained(request, instances):
    """Least squares over a set, and their optima by Clarabel, one program for all instances."""
    feasible_set = {"simplex": simplex.Set(1.0), "l2_ball": l2_ball.Set(0.7)}[request.param]
    root, linear, w = cp.Parameter((8, 8)), cp.Parameter(8), cp.Variable(8)
    inside = [w >= 0, cp.sum(w) == 1] if request.param == "simplex" else [cp.norm(w) <= 0.7]
    program = cp.Problem(cp.Minimize(cp.sum_squares(root @ w) / 2 - linear @ w), inside)
    made = []
    for seed in range(instances):
        rng = np.random.default_rng(seed)
        A = rng.standard_normal((40, 8)) / (1 + np.arange(8))
        problem = Problem({"A": A, "c": 3 * A @ rng.dirichlet(np.full(8, 0.3)) + rng.standard_normal(40)})
        hessian = problem.hessian + problem.rho * np.eye(8)
        root.value, linear.value = np.linalg.cholesky(hessian).T, problem.linear
        program.solve(solver=cp.CLARABEL)
        made.append((problem, program.value + np.mean(problem.c**2) / 2, w.value))
    return feasible_set, made


@pytest.mark.parametrize(
    "name, count, params, miss",
    [
        ("frank_wolfe", 100, {"step_rule": "line_search"}, 1e-2),
        ("frank_wolfe", 100, {"step_rule": "short"}, 1e-2),
        ("cgs", 150, {}, 3e-3),
        ("ncgs", 150, {}, 3e-3),
    ],
)
def test_constrained_solvers_reach_the_optimum_of_clarabel(constrained, name, count, params, miss):
    feasible_set, made = constrained
    for problem, optimum, solution in made:
        x = run(problem, feasible_set, name, count, **params).iterate
        gradient = problem.gradient(x)
        gap = float(gradient @ x) + feasible_set.support(-gradient)
        above = problem.value(x) - optimum
        assert feasible_set.contains(x) and -1e-7 <= above <= gap + 1e-7
        assert above <= miss
        assert np.sum((x - solution) ** 2) <= 2 * (above + 1e-7) / problem.constants["mu"]


#: Worst case of F(x_n) − F* for Frank-Wolfe with 2/(k+2), L = D = 1, by PEPit 0.5.1 and Clarabel, by n.
WORST = {1: 0.50000, 2: 0.31262, 3: 0.22785, 5: 0.14622, 8: 0.09590}


@pytest.mark.parametrize("feasible_set", [simplex.Set(2**-0.5), l2_ball.Set(0.5)], ids=str)
def test_frank_wolfe_stays_below_the_worst_case_of_pepit(feasible_set, instances):
    """Of all L-smooth convex functions over all sets of diameter D; ours have L and D of their own."""
    for seed in range(instances):
        rng = np.random.default_rng(seed)
        A = rng.standard_normal((40, 8)) / (1 + np.arange(8))
        problem = Problem({"A": A, "c": 3 * A @ rng.dirichlet(np.full(8, 0.3))})
        start = feasible_set.project(rng.standard_normal(8))
        problem.start = lambda kind="array", start=start: start.copy()
        x = start
        for _ in range(500):
            x = feasible_set.project(x - problem.gradient(x) / problem.constants["L_full"])
        scale = problem.constants["L_full"] * feasible_set.diameter**2
        for count, worst in WORST.items():
            found = run(problem, feasible_set, "frank_wolfe", count, step_rule="open_loop").iterate
            assert problem.value(found) - problem.value(x) <= worst * scale + 1e-12


def test_the_noted_worst_cases_are_those_of_pepit():
    examples = pytest.importorskip("PEPit.examples.composite_convex_minimization")
    for n in (1, 2, 3):
        whole = {"R": float("inf"), "center": None, "wrapper": "cvxpy", "solver": "CLARABEL", "verbose": -1}
        assert examples.wc_frank_wolfe(L=1, D=1, n=n, **whole)[0] == pytest.approx(WORST[n], rel=1e-4)
