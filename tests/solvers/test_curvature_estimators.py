"""Gradient estimators: exact where they are anchored, epochs and batches, memory.

Their steps are those of the text in test_nfwu.py; bias and variance: nfwu's tests.
"""

import instances
import numpy as np
import pytest
from peaks import peak_of

from projfree.engine.oracles.constrained import Oracles
from projfree.linalg.atoms import Atom
from projfree.linalg.observed import ObservedArray
from projfree.problems.matrix_completion import Problem
from projfree.sets import nuclear_ball
from projfree.solvers import estimators
from projfree.solvers.estimators import component_batch, svrg

REFRESHED = ["svrg", "spider", "casvrg", "caspider"]


def make(name, batch, epoch=10**9, **options):
    return estimators.load(name).Estimator(batch, epoch, **options)


def oracles(problem):
    return Oracles(problem, nuclear_ball.Set(2.0), np.random.default_rng(0))


@pytest.mark.parametrize("kind", ["array", "observed", "tasks"])
@pytest.mark.parametrize("name", ["full", *REFRESHED])
def test_at_a_refresh_the_estimate_is_the_gradient_exactly(name, kind):
    """Bit by bit what the oracle of the refresh returns, the anchor's or the gradient's own rounding."""
    problem = instances.tasks() if kind == "tasks" else instances.completion(loss="cil", weight="mean")
    points = np.cumsum(0.3 * np.random.default_rng(0).standard_normal((6, *problem.shape)), axis=0)
    o, state, rng, estimator = oracles(problem), None, np.random.default_rng(0), make(name, 4, epoch=2)
    for t, array in enumerate(points):
        x = ObservedArray(problem.pattern, array.copy()) if kind == "observed" else array
        g, state = estimator.update(o, state, x, rng)
        gradient = problem.gradient(x)
        assert type(g) is type(gradient)
        if t % 2 == 0 or name == "full":
            exact = problem.anchor(x)[0] if name in ("svrg", "casvrg") else gradient
            np.testing.assert_array_equal(instances.dense(g), instances.dense(exact))
            np.testing.assert_allclose(instances.dense(g), instances.dense(gradient), rtol=1e-14, atol=1e-18)
        else:
            assert (g - gradient).any(), "between refreshes it is an estimate"


#: Arrays of all components that an estimator keeps between two calls, its estimate among them, Hessians in
#: half precision of the others; a batch of a tenth of the components takes a third of one while it works.
KEPT = {"svrg": 2, "spider": 2, "casvrg": 2.5, "caspider": 2.5}


@pytest.mark.parametrize("name", REFRESHED)
def test_an_update_needs_no_more_arrays_than_are_kept(name):
    """On an instance long beside the blocks in which losses are evaluated, observed in single precision."""
    rows, cols = np.divmod(np.arange(0, 10**6, 2), 1000)
    values = np.random.default_rng(0).standard_normal(rows.size).astype(np.float32)
    problem = Problem({"rows": rows, "cols": cols, "values": values, "shape": (1000, 1000)}, loss="cil")

    def three_estimates():
        """At three points of a sum of atoms, as nfwu asks for them."""
        o, x, rng, state = oracles(problem), problem.start("atoms"), np.random.default_rng(0), None
        estimator, atom = make(name, problem.n // 10), Atom(np.eye(1, 1000)[0], np.eye(1, 1000)[0], 1.0)
        for _ in range(3):
            estimate = None  # before there is a new one
            estimate, state = estimator.update(o, state, x, rng)
            assert estimate.any()
            x.toward(atom, 0.1)

    three_estimates()  # compiles
    assert peak_of(three_estimates)[1] <= (KEPT[name] + 1 + 0.55) * 8 * problem.n  # 1 is the iterate's


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
    problem, start = instances.completion(), None
    for _, state in instances.walk(problem, "estimator_frank_wolfe", 60, estimator="saga", horizon=200):
        s = state.memory
        start = s.slopes.copy() if start is None else start
        assert len(np.unique(s.pool)) < len(s.pool) == 200
        np.testing.assert_allclose(s.mean, problem.combine(s.slopes / 200, s.pool), atol=1e-12)
    assert np.mean(s.slopes != start) > 0.5
