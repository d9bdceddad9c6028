"""What holds for every proximal gradient method on every composite problem, whatever prox it is handed."""

import cases
import instances
import numpy as np
import pytest

from projfree import penalties
from projfree.families import composite

PROBLEMS = cases.OF[composite.FAMILY]
over_cases = pytest.mark.parametrize("solver, params, name", cases.COMPOSITE, ids=cases.label)


def test_every_penalty_is_tried():
    tried = {cases.penalty_name(problem) for problem in PROBLEMS.values()}
    assert set(penalties.available()) >= set(cases.PROXES) == tried


@over_cases
def test_images_are_those_of_the_points(solver, params, name):
    """F7: recurrences of residuals and entries against computation from scratch."""
    problem = PROBLEMS[name]
    checked = cases.setting(problem, 40)
    checked.metrics["miss"] = lambda x: np.max(
        np.abs(problem.point(problem.raw(x)).image - x.image), initial=0
    )
    trace = cases.run(problem, solver, params, chosen=checked)
    assert max(trace.metrics["miss"]) <= 1e-9
    start, values = problem.start(), trace.metrics["objective"]
    expected = problem.value(start) + problem.small_constraint.value(problem.raw(start))
    assert values[0] == pytest.approx(expected, rel=1e-14) and values[-1] < values[0]
    gradients, points = trace.oracles["FO"][-1], trace.oracles["PO"][-1]
    assert gradients - bool(params.get("gradient_error")) == points >= 40


@pytest.mark.parametrize("name", PROBLEMS)
def test_gradients_by_differences_and_the_constant(name):
    problem, rng = PROBLEMS[name], np.random.default_rng(0)

    def point(x):
        return problem.point(x if x.ndim == 1 else (x, np.eye(problem.shape[1])))

    def gradient(x):
        return instances.dense(problem.gradient(point(x)))

    for _ in range(20):
        x, d = rng.standard_normal(problem.shape), rng.standard_normal(problem.shape)
        slope = (problem.value(point(x + 1e-6 * d)) - problem.value(point(x - 1e-6 * d))) / 2e-6
        assert np.vdot(gradient(x), d) == pytest.approx(slope, rel=1e-5, abs=1e-6)
        y = x + 10 ** rng.uniform(-3, 0) * d
        steepness = np.linalg.norm(gradient(x) - gradient(y)) / np.linalg.norm(x - y)
        assert steepness <= problem.constants["L_full"] * (1 + 1e-9)


@pytest.mark.parametrize("name", PROBLEMS)
def test_points_combine_as_arrays_do(name):
    problem, rng = PROBLEMS[name], np.random.default_rng(1)

    def point():
        if len(problem.shape) == 1:
            return problem.point(rng.standard_normal(problem.shape))
        return problem.point(tuple(rng.standard_normal((side, 2)) for side in problem.shape))

    def dense(x):
        return x.array if hasattr(x, "array") else x.toarray()

    a, b, c = point(), point(), point()
    mixed = a.combine([0.4, 0.9, -0.3], [a, b, c])
    np.testing.assert_allclose(dense(mixed), 0.4 * dense(a) + 0.9 * dense(b) - 0.3 * dense(c), atol=1e-12)
    np.testing.assert_allclose(mixed.image, problem.point(problem.raw(mixed)).image, atol=1e-12)
    assert a.sq_distance(b) == pytest.approx(np.sum((dense(a) - dense(b)) ** 2))
    np.testing.assert_array_equal(dense(a.combine([1.0, 0.0, 0.0], [a, b, c])), dense(a))
    gradient = problem.gradient(mixed)
    expected = dense(mixed) - 0.3 * instances.dense(gradient)
    np.testing.assert_allclose(instances.dense(mixed.forward(gradient, 0.3)), expected, atol=1e-12)
