"""Projection-free methods where vertices are vectors: the simplex, the Euclidean ball, the hard instance."""

import instances
import numpy as np
import pytest

from projfree.engine.oracles.constrained import Oracles
from projfree.problems import hard_instance
from projfree.problems.simplex_least_squares import Problem
from projfree.sets import l2_ball, simplex

SETS = [simplex.Set(1.0), l2_ball.Set(1.0)]
#: A method, and the Frank-Wolfe gap that 300 steps reach on both sets.
RULES = {"gap": 1e-2, "short": 1e-9, "line_search": 1e-3, "open_loop": 1e-4}
METHODS = [("frank_wolfe", {"step_rule": rule}, gap) for rule, gap in RULES.items()]
METHODS += [("nfwu", {"estimator": "full", "step_rule": r}, RULES[r]) for r in ("short", "open_loop")]
SAMPLED = ("sg", "sampled_svrg")
METHODS += [("estimator_frank_wolfe", {"estimator": name, "open_loop": True}, 3e-2) for name in SAMPLED]
METHODS += [("momentum_frank_wolfe", {}, 1e-4), ("ncgs", {}, 1e-6), ("cgs", {}, 1e-5)]
over_sets = pytest.mark.parametrize("feasible_set", SETS, ids=["simplex", "ball"])


@pytest.fixture
def problem():
    return next(Problem.small(np.random.default_rng(0)))


def run(name, params, problem, feasible_set, steps):
    """The state after some steps; a method may end by its own certificate."""
    rng = np.random.default_rng(0)
    *_, state = instances.steps(name, Oracles(problem, feasible_set, rng), steps, rng, **params)
    return state


@over_sets
@pytest.mark.parametrize("name, params, gap", METHODS)
def test_it_runs_through_to_a_small_gap(problem, feasible_set, name, params, gap):
    x = run(name, params, problem, feasible_set, 300).iterate
    gradient = problem.gradient(x)
    assert feasible_set.contains(x) and gradient @ x + feasible_set.support(-gradient) <= gap


@pytest.mark.parametrize("rule", RULES)
def test_a_vertex_that_is_the_optimum_ends_the_run(problem, rule):
    """c = 10 A e_0 pulls far beyond the vertex e_0."""
    A = problem.A
    s = run("frank_wolfe", {"step_rule": rule}, Problem({"A": A, "c": 10 * A[:, 0]}), SETS[0], 5)
    assert s.converged and s.iterate.tolist() == [1, 0, 0, 0, 0, 0, 0, 0]


@over_sets
def test_the_short_step_knows_the_distance_from_a_start_that_is_not_zero(problem, feasible_set):
    """γ_0 = gap/(L‖v − x_0‖²)."""
    x, gradient = problem.start(), problem.gradient(problem.start())
    d = feasible_set.lmo(gradient) - x
    gamma = min(1.0, -(gradient @ d) / (problem.constants["L_full"] * (d @ d)))
    s = run("frank_wolfe", {"step_rule": "short"}, problem, feasible_set, 1)
    np.testing.assert_allclose(s.iterate, x + gamma * d, rtol=1e-12)


def test_three_steps_by_hand():
    """Of momentum on the hard instance."""
    problem, average = hard_instance.Problem({"seed": 0}, chain=5), 0.0
    oracles, points = Oracles(problem, l2_ball.Set(problem.radius), np.random.default_rng(0)), []
    for state in instances.steps("momentum_frank_wolfe", oracles, 3, np.random.default_rng(1)):
        points.append(state.iterate.copy())
    for k in range(3):
        average = 0.5 * average + 0.5 * problem.gradient(points[k])
        vertex = -problem.radius * average / np.linalg.norm(average)
        expected = points[k] + 2 / (k + 2) * (vertex - points[k])
        np.testing.assert_allclose(points[k + 1], expected, atol=1e-9 * problem.radius)
    np.testing.assert_allclose(state.average, average, atol=1e-9 * np.linalg.norm(average))


def test_without_momentum_it_is_the_open_loop():
    def end(name, **params):
        walked = instances.walk(instances.completion(), name, 5, lmo_tol=1e-10, **params)
        return instances.dense(instances.last(walked)[1].x)

    momentum, plain = end("momentum_frank_wolfe", momentum=0), end("frank_wolfe", step_rule="open_loop")
    np.testing.assert_allclose(momentum, plain, atol=1e-8)
    assert np.abs(end("momentum_frank_wolfe") - momentum).max() > 1e-3
