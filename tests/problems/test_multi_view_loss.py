"""The robust multi-view loss: gradients, curvature, the dual bound, errors."""

import numpy as np
import pytest

from projfree import losses
from projfree.linalg.points import FactorPoint
from projfree.problems.multi_view import Problem


@pytest.fixture
def problem():
    return next(Problem.small(np.random.default_rng(0)))


def test_value_is_the_smoothed_l1_loss(problem):
    rng = np.random.default_rng(1)
    image = problem.target + 0.1 * rng.standard_normal(problem.shape)
    hub = losses.make("hub", s=problem.smoothing)
    value, slopes = problem.value_and_slopes(image)
    assert value == pytest.approx(hub.value(image, problem.target).sum())
    assert slopes == pytest.approx(hub.slope(image, problem.target))
    distance = np.abs(image - problem.target).sum()
    assert 0 <= distance - value <= problem.n * problem.smoothing / 2


def test_dual_bound_is_below_and_tight_where_zero_is_optimal(problem):
    rng = np.random.default_rng(4)
    penalty = problem.small_constraint
    for _ in range(20):
        U, V = rng.standard_normal((problem.shape[0], 2)), rng.standard_normal((problem.shape[1], 2))
        image = problem.image(U, V)
        slopes = problem.slopes(image)
        polar = penalty.polar(-slopes, rng=rng).bound
        objective = problem.value(image) + penalty.weight * penalty.value(U, V)
        assert problem.dual_bound(slopes, image, polar, penalty.weight) <= objective
    zero = np.zeros(problem.shape)
    slopes = problem.slopes(zero)
    weight = 1.01 * penalty.polar(-slopes, rng=rng).bound  # W* = 0
    assert problem.dual_bound(slopes, zero, weight / 1.01, weight) == pytest.approx(problem.value(zero))


def test_errors_are_squared_distances(problem):
    image = problem.clean + 1.0
    point = FactorPoint(np.zeros((problem.shape[0], 0)), np.zeros((problem.shape[1], 0)), image)
    assert problem.metrics["error_clean"](point) == pytest.approx(problem.n)
    assert problem.metrics["error_noisy"](point) == pytest.approx(np.sum((image - problem.target) ** 2))


def test_views_must_make_the_rows(problem):
    arrays = {"noisy": problem.target, "clean": problem.clean, "views": np.array([2, 2])}
    with pytest.raises(ValueError, match="do not sum"):
        Problem(arrays)
