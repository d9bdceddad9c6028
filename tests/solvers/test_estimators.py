"""SG, SVRG and SAGA estimates: exact at the anchor, unbiased, of bounded variance."""

import instances
import numpy as np
import pytest

from projfree.engine.oracles.constrained import Oracles
from projfree.ground import parameters
from projfree.sets import nuclear_ball
from projfree.solvers import estimators
from projfree.solvers.estimators import component_batch, sg, svrg

PROBLEMS = {
    "completion": instances.completion,
    "tasks": instances.tasks,
    "mean": lambda: instances.completion(weight="mean"),
}


@pytest.fixture(params=list(PROBLEMS))
def problem(request):
    return PROBLEMS[request.param]()


def oracles(problem):
    return Oracles(problem, nuclear_ball.Set(2.0), np.random.default_rng(0))


def two_points(problem, seed=0):
    rng = np.random.default_rng(seed)
    return [instances.random_point(problem, 2.0, rng) for _ in range(2)]


def test_at_the_anchor_the_estimate_is_the_gradient_exactly(problem):
    x, _ = two_points(problem)
    rng = np.random.default_rng(1)
    v, anchor = svrg.Estimator().update(oracles(problem), None, x, rng)
    assert anchor.age == 1
    np.testing.assert_array_equal(v, anchor.gradient)
    np.testing.assert_allclose(v, problem.gradient(x), rtol=1e-13, atol=1e-16)


def test_the_cached_form_is_the_form_of_two_gradients(problem):
    x, point = two_points(problem)
    o, estimator = oracles(problem), svrg.Estimator(batch=40)
    anchor = estimator.refresh(o, point)
    v, _ = estimator.update(o, anchor, x, np.random.default_rng(5))
    batch = component_batch(np.random.default_rng(5), problem.n, 40)
    difference = problem.component_gradient(x, batch) - problem.component_gradient(point, batch)
    np.testing.assert_allclose(v, problem.gradient(point) + difference, atol=1e-12)


def test_every_component_once_gives_the_gradient(problem):
    x, point = two_points(problem)
    gradient, slopes = problem.anchor(point)
    v = gradient + problem.component_gradient_difference(x, slopes, np.arange(problem.n))
    np.testing.assert_allclose(v, problem.gradient(x), atol=1e-12)


@pytest.mark.parametrize("batch", [1, 7])
def test_svrg_is_unbiased_and_its_variance_is_bounded(problem, batch):
    x, point = two_points(problem)
    o, rng, draws = oracles(problem), np.random.default_rng(2), 3000
    estimator = svrg.Estimator(batch=batch, epoch=draws)
    anchor, gradient = estimator.refresh(o, point), problem.gradient(x)
    errors = np.array([estimator.update(o, anchor, x, rng)[0] - gradient for _ in range(draws)])
    variance = np.mean(np.sum(errors**2, axis=(1, 2)))
    assert np.linalg.norm(errors.mean(axis=0)) <= 4 * np.sqrt(variance / draws)
    assert variance <= problem.constants["L_vr"] ** 2 / batch * np.sum((x - point) ** 2)
    assert variance > 0


def test_the_variance_falls_as_one_over_the_batch(problem):
    x, point = two_points(problem)
    rng, variance = np.random.default_rng(3), {}
    for batch in (2, 8):
        estimator, o = svrg.Estimator(batch=batch, epoch=10**6), oracles(problem)
        anchor, gradient = estimator.refresh(o, point), problem.gradient(x)
        draws = [estimator.update(o, anchor, x, rng)[0] - gradient for _ in range(3000)]
        variance[batch] = np.mean(np.square(draws))
    assert variance[2] / variance[8] == pytest.approx(4.0, rel=0.2)


def test_sg_is_unbiased(problem):
    x, _ = two_points(problem)
    o, rng, estimator = oracles(problem), np.random.default_rng(4), sg.Estimator(5)
    gradient = problem.gradient(x)
    errors = np.array([estimator.update(o, None, x, rng)[0] - gradient for _ in range(3000)])
    variance = np.mean(np.sum(errors**2, axis=(1, 2)))
    assert np.linalg.norm(errors.mean(axis=0)) <= 4 * np.sqrt(variance / 3000)
    assert o.counts["IFO"] == 5 * 3000 and o.counts["FO"] == 0


@pytest.mark.parametrize(
    "n, batch, epoch",
    [(1, 1, 1), (5, 3, 2), (8, 4, 2), (1000, 100, 10), (16000, 635, 25), (5810120, 32319, 180)],
)
def test_batch_and_epoch_of_theorem_3(n, batch, epoch):
    assert (svrg.paper_batch(n), svrg.paper_epoch(n)) == (batch, epoch)
    assert svrg.Estimator().epoch_length(n) == epoch and svrg.Estimator(epoch=0).epoch_length(n) == n
    assert svrg.Estimator(epoch=7).epoch_length(n) == 7


@pytest.mark.parametrize("draw_at_anchor, draws", [(False, 5), (True, 8)])
def test_the_anchor_moves_when_the_epoch_is_over(draw_at_anchor, draws):
    problem = instances.completion()
    o, rng = oracles(problem), np.random.default_rng(0)
    estimator = svrg.Estimator(batch=2, epoch=3, draw_at_anchor=draw_at_anchor)
    x, anchor, ages = problem.start(), None, []
    for _ in range(8):
        _, anchor = estimator.update(o, anchor, x, rng)
        ages.append(anchor.age)
    assert ages == [1, 2, 3, 1, 2, 3, 1, 2] and o.counts["FO"] == 3
    assert o.counts["IFO"] == 3 * problem.n + draws * 2 * 2


def test_batches_are_uniform_with_replacement():
    drawn = component_batch(np.random.default_rng(0), 7, 70_000)
    counts = np.bincount(drawn, minlength=7)
    assert counts.size == 7 and np.all(np.abs(counts - 10_000) < 500)


@pytest.mark.parametrize(
    ("name", "sizes"), [("sg", {"batch": 0}), ("svrg", {"batch": 0}), ("svrg", {"epoch": -1})]
)
def test_wrong_sizes(name, sizes):
    with pytest.raises(ValueError, match=r"(batch|epoch) must be a whole number ≥ [01]"):
        parameters.make(estimators.__name__, "Estimator", {"name": name, **sizes})


def test_the_mean_of_the_saga_table_is_the_mean_of_the_saga_table():
    """s.mean = (1/n') Σ slopes_i A_i throughout, though it is only ever updated; the pool has repetitions."""
    problem = instances.completion()
    walked = instances.walk(problem, "estimator_frank_wolfe", 60, estimator="saga", horizon=200)
    for i, (_, s) in enumerate((oracles, state.memory) for oracles, state in walked):
        assert len(np.unique(s.pool)) < len(s.pool) == 200
        expected = problem.combine(s.slopes / 200, s.pool)
        np.testing.assert_allclose(s.mean, expected, atol=1e-12)
        if i == 0:
            start = s.slopes.copy()
    assert np.mean(s.slopes != start) > 0.5
