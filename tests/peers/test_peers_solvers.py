"""Solvers against what others wrote: CVXPY with Clarabel, worst cases of PEPit, oracles of FrankWolfe.jl.

The last are its cases in our words (simplex, l2 and nuclear balls: vertices, ties, zero directions); numbers
of PEPit are computed where it is installed, and compared with those noted here.
"""

import cvxpy as cp
import numpy as np
import pytest

from projfree import solvers
from projfree.engine.oracles.constrained import Oracles
from projfree.engine.oracles.regularised import Oracles as Regularised
from projfree.penalties import trace_norm
from projfree.problems import multinomial, ratings_completion
from projfree.problems.simplex_least_squares import Problem
from projfree.sets import l2_ball, simplex


@pytest.fixture(scope="module")
def instances(long) -> int:
    """Instances for each solver; many more every night."""
    return 300 if long else 30


def run(problem, feasible_set, name, steps, oracles=Oracles, **params):
    """The last state; a method may end by its own certificate."""
    o, rng = oracles(problem, feasible_set, np.random.default_rng(1)), np.random.default_rng(2)
    solver = solvers.make(name, params)
    s = solver.start(o, rng)
    for _ in range(steps):
        s = solver.step(o, s, rng)
        if getattr(s, "converged", False):
            break
    return s


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
    "name, steps, params, miss",
    [
        ("frank_wolfe", 100, {"step_rule": "line_search"}, 1e-2),
        ("frank_wolfe", 100, {"step_rule": "short"}, 1e-2),
        ("cgs", 150, {}, 3e-3),
        ("ncgs", 150, {}, 3e-3),
    ],
)
def test_constrained_solvers_reach_the_optimum_of_clarabel(constrained, name, steps, params, miss):
    feasible_set, made = constrained
    for problem, optimum, solution in made:
        x = run(problem, feasible_set, name, steps, **params).iterate
        gradient = problem.gradient(x)
        gap = float(gradient @ x) + feasible_set.support(-gradient)
        above = problem.value(x) - optimum
        assert feasible_set.contains(x) and -1e-7 <= above <= gap + 1e-7
        assert above <= miss
        assert np.sum((x - solution) ** 2) <= 2 * (above + 1e-7) / problem.constants["mu"]


def trace_norm_programs(instances):
    """So many instances of masked least squares with the trace norm, and their optima by Clarabel."""
    for seed in range(instances):
        rng = np.random.default_rng(seed)
        mask = rng.random((6, 5)) < 0.7
        mask[0, 0] = True
        rows, cols = np.nonzero(mask)
        truth = rng.standard_normal((6, 2)) @ rng.standard_normal((2, 5)) + 0.1 * rng.standard_normal((6, 5))
        arrays = {"rows": rows, "cols": cols, "values": truth[mask], "shape": np.array([6, 5])}
        weight = float(10 ** rng.uniform(-1, 0.3))
        W = cp.Variable((6, 5))
        loss = cp.sum_squares(cp.multiply(mask, W - np.where(mask, truth, 0.0))) / 2
        program = cp.Problem(cp.Minimize(loss + weight * cp.normNuc(W)))
        program.solve(solver=cp.CLARABEL)
        yield ratings_completion.Problem(arrays), trace_norm.Penalty(weight), program.value


#: Steps, relative miss, parameters.
REGULARISED = {
    "gcg": (60, 1e-5, {"tol": 1e-8, "reduce": {"name": "lbfgs", "rotate": True, "ftol": 1e-15}}),
    "dhm": (60, 1e-2, {"tol": 1e-8, "correct": "active_set"}),
    "mmbs": (150, 1e-5, {"tol": 1e-8, "accuracy": 1e-5}),
    "apg_svt": (200, 1e-5, {"tol": 1e-8}),
}


def test_regularised_solvers_reach_the_optimum_of_clarabel(instances):
    for problem, penalty, optimum in trace_norm_programs(instances):
        for name, (steps, miss, params) in REGULARISED.items():
            x = run(problem, penalty, name, steps, Regularised, **params).iterate
            value = problem.value(problem.image(x.U, x.V)) + penalty.weight * penalty.value(x.U, x.V)
            assert value == pytest.approx(optimum, rel=miss, abs=1e-6), name


def test_softmax_solvers_reach_the_optimum_of_clarabel(instances):
    for seed in range(instances // 6):
        arrays = multinomial.tiny_arrays(np.random.default_rng(seed), 15, 5, 3)
        problem, penalty = multinomial.Problem(arrays), trace_norm.Penalty(0.02)
        W = cp.Variable(problem.shape)
        logits = problem.features @ W
        own = cp.sum(cp.multiply(np.eye(3)[problem.labels], logits), axis=1)
        loss = cp.sum(cp.log_sum_exp(logits, axis=1) - own) / problem.n
        optimum = cp.Problem(cp.Minimize(loss + 0.02 * cp.normNuc(W))).solve(solver=cp.CLARABEL)
        for name, steps in (("gcg", 60), ("apg_svt", 400), ("mmbs", 200)):
            x = run(problem, penalty, name, steps, Regularised, tol=1e-7).iterate
            value = problem.value(problem.image(x.U, x.V)) + 0.02 * penalty.value(x.U, x.V)
            assert value == pytest.approx(optimum, rel=1e-4), name


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
        for steps, worst in WORST.items():
            found = run(problem, feasible_set, "frank_wolfe", steps, step_rule="open_loop").iterate
            assert problem.value(found) - problem.value(x) <= worst * scale + 1e-12


def test_the_noted_worst_cases_are_those_of_pepit():
    examples = pytest.importorskip("PEPit.examples.composite_convex_minimization")
    for steps in (1, 2, 3):
        whole = {"R": float("inf"), "center": None, "wrapper": "cvxpy", "solver": "CLARABEL", "verbose": -1}
        assert examples.wc_frank_wolfe(L=1, D=1, n=steps, **whole)[0] == pytest.approx(WORST[steps], rel=1e-4)
