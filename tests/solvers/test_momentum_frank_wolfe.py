"""Momentum Frank-Wolfe by hand, and Frank-Wolfe where atoms are vectors."""

import instances
import numpy as np
import pytest

from projfree import solvers
from projfree.engine.oracles.constrained import Oracles
from projfree.problems import hard_instance
from projfree.sets import l2_ball


def walk(name, steps, **params):
    """The hard instance, whose atoms are vectors; the iterates of a method on it; its last state."""
    problem = hard_instance.Problem({"seed": 0}, chain=5)
    oracles = Oracles(problem, l2_ball.Set(problem.radius), np.random.default_rng(0))
    solver = solvers.make(name, params)
    state = solver.start(oracles, np.random.default_rng(1))
    points = [state.iterate.copy()]
    for _ in range(steps):
        state = solver.step(oracles, state, np.random.default_rng(1))
        points.append(state.iterate.copy())
    return problem, points, state


def test_three_steps_by_hand():
    problem, points, state = walk("momentum_frank_wolfe", 3)
    average = 0.0
    for k in range(3):
        average = 0.5 * average + 0.5 * problem.gradient(points[k])
        vertex = -problem.radius * average / np.linalg.norm(average)
        expected = points[k] + 2 / (k + 2) * (vertex - points[k])
        np.testing.assert_allclose(points[k + 1], expected, atol=1e-9 * problem.radius)
    np.testing.assert_allclose(state.average, average, atol=1e-9 * np.linalg.norm(average))


def test_without_momentum_it_is_the_open_loop():
    momentum = instances.last(
        instances.walk(instances.completion(), "momentum_frank_wolfe", 5, momentum=0, lmo_tol=1e-10)
    )[1].x
    plain = instances.last(
        instances.walk(instances.completion(), "frank_wolfe", 5, step_rule="open_loop", lmo_tol=1e-10)
    )[1].x
    np.testing.assert_allclose(momentum, instances.dense(plain), atol=1e-8)
    other = instances.last(instances.walk(instances.completion(), "momentum_frank_wolfe", 5, lmo_tol=1e-10))
    assert np.abs(other[1].x - momentum).max() > 1e-3


def test_the_short_step_towards_a_vector():
    problem, points, state = walk("frank_wolfe", 4, step_rule="short")
    for x, after in zip(points[:-1], points[1:], strict=True):
        gradient = problem.gradient(x)
        direction = -problem.radius * gradient / np.linalg.norm(gradient) - x
        gamma = min(-(gradient @ direction) / (152.2 * direction @ direction), 1.0)
        np.testing.assert_allclose(after, x + gamma * direction, atol=1e-9 * problem.radius)
    assert state.square == pytest.approx(points[-1] @ points[-1], rel=1e-9)
