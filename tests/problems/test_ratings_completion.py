"""Trace-norm penalised completion: kernels against dense algebra, optima against CVXPY (F3, F4, F6)."""

import instances
import numpy as np
import pytest

from projfree.engine import metrics as known_metrics
from projfree.engine.budget import Budget
from projfree.engine.driver import Setting
from projfree.linalg import partition
from projfree.penalties import trace_norm
from projfree.problems import ratings_completion


def made(shape=(12, 9), share=0.6, seed=0, dtype=np.float64, values=None):
    rng = np.random.default_rng(seed)
    mask = rng.random(shape) < share
    mask[0], mask[:, 1] = False, False  # a user and an item without ratings
    rows, cols = np.nonzero(mask)
    X = rng.standard_normal((shape[0], 2)) @ rng.standard_normal((2, shape[1])) + 0.3 * rng.standard_normal(
        shape
    )
    X = X if values is None else np.full(shape, float(values))
    arrays = {"rows": rows, "cols": cols, "values": X[rows, cols].astype(dtype), "shape": shape}
    return ratings_completion.Problem(arrays), mask, X


def run(problem, weight, iterations=100, solver="gcg", metrics=("objective", "dual_gap", "rank"), **params):
    penalty = trace_norm.Penalty(weight)
    chosen = {name: known_metrics.make(name, problem, penalty) for name in metrics}
    setting = Setting(Budget({"iterations": iterations}), metrics=chosen)
    return instances.run(problem, solver, params=params, ball=penalty, setting=setting)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("width", [0, 1, 2, 7, 16, 33])
def test_kernels_against_dense_masked_algebra(width, dtype):
    problem, mask, X = made((23, 17), dtype=dtype)
    rng = np.random.default_rng(width)
    U, V = (rng.standard_normal((side, width)) for side in problem.shape)
    R = np.where(mask, U @ V.T - X, 0.0)
    tol = 1e-4 if dtype == np.float32 else 1e-10
    loss, left, right = problem.factor_gradients(U, V)
    assert loss == pytest.approx(np.sum(R**2) / 2, rel=tol)
    np.testing.assert_allclose(left, R @ V, atol=10 * tol)
    np.testing.assert_allclose(right, R.T @ U, atol=10 * tol)
    image = problem.image(U, V)
    assert image.dtype == dtype
    np.testing.assert_allclose(problem.gradient(problem.slopes(image)).toarray(), R, atol=tol)
    assert problem.value(image) == pytest.approx(np.sum(R**2) / 2, rel=tol)


def test_one_rating_and_factors_that_do_not_fit():
    arrays = {"rows": [2], "cols": [1], "values": np.array([4.0]), "shape": (3, 2)}
    problem = ratings_completion.Problem(arrays)
    loss, left, right = problem.factor_gradients(np.ones((3, 1)), np.ones((2, 1)))
    assert loss == 4.5 and left.ravel().tolist() == [0, 0, -3] and right.ravel().tolist() == [0, -3]
    with pytest.raises(ValueError, match="factors"):
        problem.image(np.ones((2, 1)), np.ones((2, 1)))
    with pytest.raises(ValueError, match="more than once"):
        ratings_completion.Problem(arrays | {"rows": [2, 2], "cols": [1, 1], "values": np.ones(2)})
    with pytest.raises(ValueError, match="rating 0 is nan"):
        ratings_completion.Problem(arrays | {"values": np.array([np.nan])})
    with pytest.raises(ValueError, match="ratings for 1 positions"):
        ratings_completion.Problem(arrays | {"values": np.ones(2)})


def test_single_precision_follows_double():
    """F4: the residual in float32 stays within 1e-5 of that in float64 through a run."""
    single, double = (made((40, 30), dtype=dtype)[0] for dtype in (np.float32, np.float64))
    images = [run(p, 1.0, 15, metrics=("objective",)).metrics["objective"][-1] for p in (single, double)]
    assert images[0] == pytest.approx(images[1], rel=1e-5)


def test_ratings_that_are_all_zero():
    """F6: the gradient at the start is zero."""
    trace = run(made(values=0.0)[0], 1.0)
    assert trace.end_status == "converged" and trace.metrics["objective"] == [0.0, 0.0]
    assert trace.metrics["rank"][-1] == 0


def test_without_a_penalty_the_ratings_are_fitted():
    """F7: λ = 0, where neither the search nor the stop may divide by it."""
    trace = run(made()[0], 0.0, 100)
    assert trace.metrics["objective"][-1] < 1e-6 * trace.metrics["objective"][0]


def test_every_number_of_threads_finds_the_same_bits(monkeypatch):
    monkeypatch.setattr(partition, "LEAST", 200)
    rng = np.random.default_rng(5)
    rows, cols = np.nonzero(rng.random((90, 25)) < 0.7)
    values = rng.standard_normal(rows.size).astype(np.float32)
    arrays = {"rows": rows, "cols": cols, "values": values, "shape": (90, 25)}
    U, V = (rng.standard_normal((side, 9)) for side in (90, 25))
    one, *others = (ratings_completion.Problem(arrays, threads=threads) for threads in (1, 2, 3, 5))
    assert len(one.parts) > 5
    for other in others:
        for result, wanted in zip(other.factor_gradients(U, V), one.factor_gradients(U, V), strict=True):
            np.testing.assert_array_equal(result, wanted)
        np.testing.assert_array_equal(other.image(U, V), one.image(U, V))
