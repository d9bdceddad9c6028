"""What holds for every problem: one objective seen through all of its methods."""

import instances
import numpy as np
import pytest

from projfree import problems
from projfree.sets import nuclear_ball

PROBLEMS = instances.small_problems()
over_problems = pytest.mark.parametrize("problem", PROBLEMS.values(), ids=PROBLEMS)


def points(problem, count=3):
    rng = np.random.default_rng(4)
    return [instances.random_point(problem, instances.RADIUS, rng) for _ in range(count)]


@over_problems
def test_constants_metrics_and_start(problem):
    assert set(problem.constants) >= {"L_full", "L_vr", "L_max", "l_lower"}
    assert 0 < problem.constants["L_full"] <= problem.constants["L_vr"] <= problem.constants["L_max"]
    assert 0 <= problem.constants["l_lower"] <= problem.constants["L_full"]
    for kind in ("array", "observed", "atoms"):
        start = problem.start(kind)
        assert start.shape == problem.shape and not instances.dense(start).any()
        for name, metric in problem.metrics.items():
            assert np.isfinite(metric(start)), name
    assert problem.metrics["objective"](problem.start()) == problem.value(problem.start())


@over_problems
def test_the_gradient_is_the_mean_of_its_components(problem):
    everything = np.arange(problem.n)
    for x in points(problem):
        gradient = problem.gradient(x)
        assert gradient.shape == problem.shape and gradient.dtype == np.float64
        assert gradient.flags.c_contiguous
        mean = problem.component_gradient(x, everything)
        one_by_one = sum(problem.component_gradient(x, everything[i : i + 1]) for i in everything)
        for same in (mean, one_by_one / problem.n, problem.gradient(np.asfortranarray(x))):
            np.testing.assert_allclose(same, gradient, atol=1e-12 * np.abs(gradient).max())
        assert problem.value(np.asfortranarray(x)) == pytest.approx(problem.value(x), rel=1e-14)


@over_problems
def test_the_anchor_holds_the_gradient_and_all_slopes_and_a_batch_has_its_order(problem):
    everything, batch = np.arange(problem.n), np.random.default_rng(0).permutation(problem.n)[:9]
    for x in points(problem):
        (gradient, slopes), whole = problem.anchor(x), problem.component_slopes(x, everything)
        np.testing.assert_allclose(gradient, problem.gradient(x), rtol=1e-14)
        np.testing.assert_allclose(slopes, whole, rtol=1e-12)
        np.testing.assert_array_equal(problem.component_slopes(x, batch), whole[batch])
        again = problem.combine(slopes / problem.n, everything)
        np.testing.assert_allclose(again, gradient, atol=1e-12 * np.abs(gradient).max())


@over_problems
def test_repeated_indices_add(problem):
    x, anchor = points(problem, 2)
    _, slopes = problem.anchor(anchor)
    batch = np.array([3, 0, problem.n - 1, 3, 3, 5, 0])

    def one(i):
        return problem.component_gradient(x, np.array([i])), problem.component_gradient(anchor, np.array([i]))

    at_x, at_anchor = (sum(parts) / len(batch) for parts in zip(*map(one, batch), strict=True))
    np.testing.assert_allclose(problem.component_gradient(x, batch), at_x, atol=1e-12)
    difference = problem.component_gradient_difference(x, slopes, batch)
    np.testing.assert_allclose(difference, at_x - at_anchor, atol=1e-12 * np.abs(at_x).max())
    assert batch.tolist() == [3, 0, problem.n - 1, 3, 3, 5, 0], "the batch is left as it was"


@over_problems
def test_the_second_order_is_that_of_the_gradients(problem):
    """Curvatures, arguments, Hessian products, offsets and added components, as the oracles use them."""
    x, d = points(problem, 2)
    curvatures, arguments = problem.component_curvatures(x), problem.arguments(d)
    everything, step = np.arange(problem.n), 1e-5
    product = problem.hessian_product(curvatures, d)
    expected = (problem.gradient(x + step * d) - problem.gradient(x - step * d)) / (2 * step)
    np.testing.assert_allclose(product, expected, atol=1e-6 * np.abs(expected).max())
    summed = problem.add_components(np.zeros(problem.shape), curvatures * arguments / problem.n, everything)
    np.testing.assert_allclose(product, summed, atol=1e-12 * np.abs(product).max())
    batch, g = np.array([3, 0, problem.n - 1, 3]), product.copy()
    np.testing.assert_allclose(problem.arguments(d, batch), arguments[batch], rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(problem.component_curvatures(x, batch), curvatures[batch], rtol=1e-12)
    assert problem.add_components(g, curvatures[batch], batch) is g, "in place"
    twice = problem.combine(curvatures[batch], batch)
    np.testing.assert_allclose(g - product, twice, atol=1e-12 * np.abs(g).max())
    gradient, slopes = problem.anchor(x)
    known, expected = slopes.copy(), gradient - problem.hessian_product(curvatures, x)
    offset = problem.offsets(slopes, curvatures, x)
    np.testing.assert_allclose(slopes, known - curvatures * problem.arguments(x), rtol=1e-13)
    np.testing.assert_allclose(offset, expected, atol=1e-13 * np.abs(gradient).max())


@over_problems
def test_the_line_is_the_value_along_the_segment(problem):
    rng, ball = np.random.default_rng(7), nuclear_ball.Set(instances.RADIUS)
    for x in points(problem):
        v = ball.lmo(rng.standard_normal(problem.shape), rng=rng)
        line = problem.line(x, v)
        for gamma in (0.0, 0.1, 0.5, 1.0):
            expected = problem.value((1 - gamma) * x + gamma * v.toarray())
            assert line(gamma) == pytest.approx(expected, rel=1e-10)


def test_unknown_problems_list_the_known():
    with pytest.raises(ValueError, match="matrix_completion, multi_task"):
        problems.load("matrix_competion")
