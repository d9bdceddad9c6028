"""SG, SVRG and SAGA estimates: exact at the anchor, unbiased, of bounded variance."""

import instances
import numpy as np
import pytest

from projfree.engine.oracles.constrained import Oracles
from projfree.sets import nuclear_ball
from projfree.solvers.estimators import component_batch, svrg


def oracles(problem):
    return Oracles(problem, nuclear_ball.Set(2.0), np.random.default_rng(0))


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
