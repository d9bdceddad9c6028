"""Second order of both problems by differences and against dense Hessians; constants on a grid (nfwu F1)."""

import instances
import numpy as np
import pytest

from projfree import losses
from projfree.linalg.sampled import SparseOnPattern, difference, gather, snapshot
from projfree.problems.matrix_completion import Problem
from projfree.sets import nuclear_ball


@pytest.mark.parametrize("kind", ["observed", "atoms"])
def test_observed_iterates_have_the_same_second_order(kind):
    problem = instances.completion(loss="cil", weight="mean")
    x, rng, ball = problem.start(kind), np.random.default_rng(3), nuclear_ball.Set(2.0)
    batch = np.array([1, 1, 7])
    for _ in range(3):
        point = snapshot(x)
        x.toward(ball.lmo(rng.standard_normal(problem.shape), rng=rng), 0.4)
    dense, d = x.toarray(), difference(x, point)
    d_dense = np.zeros(problem.shape)
    d_dense[problem.pattern.rows, problem.pattern.cols] = d.values
    curvatures = problem.component_curvatures(x)
    np.testing.assert_allclose(curvatures, problem.component_curvatures(dense), atol=1e-12)
    np.testing.assert_allclose(problem.arguments(x), gather(problem.pattern, dense), atol=1e-14)
    np.testing.assert_array_equal(problem.arguments(d, batch), d.values[batch])
    product = problem.hessian_product(curvatures, d)
    assert isinstance(product, SparseOnPattern)
    np.testing.assert_allclose(product.toarray(), problem.hessian_product(curvatures, d_dense), atol=1e-15)
    g = product.copy()
    assert problem.add_components(g, np.ones(3), batch) is g
    added = problem.add_components(product.toarray(), np.ones(3), batch)
    np.testing.assert_allclose(g.toarray(), added, atol=1e-15)


@pytest.mark.parametrize("weight", ["sum", "mean"])
@pytest.mark.parametrize("sigma", [0.5, 1.0, 3.0])
def test_constants_of_the_second_order_on_a_grid(weight, sigma):
    """G ≥ ‖∇f_i‖ and L2_vr = √(mean of squares) of κ_i(x) − κ_i(y), both attained."""
    problem = instances.completion(loss="cil", sigma=sigma, weight=weight)
    n, scale, c = problem.n, problem.n * problem.weight, problem.constants
    loss = losses.make("cil", sigma=sigma)
    z = np.linspace(-6, 6, 240_001) * np.sqrt(sigma)
    slopes = scale * np.abs(loss.slope(z, np.zeros_like(z)))
    assert slopes.max() <= c["G"] * (1 + 1e-12) and c["G"] == pytest.approx(slopes.max(), rel=1e-6)
    assert c["G"] == pytest.approx(scale * np.exp(-0.5) / np.sqrt(sigma), rel=1e-12)
    third = scale * np.abs(np.diff(loss.curvature(z, np.zeros_like(z)))) / np.diff(z)
    assert third.max() <= c["L2_vr"] * np.sqrt(n) * (1 + 1e-6)
    assert c["L2_vr"] * np.sqrt(n) == pytest.approx(third.max(), rel=1e-6)
    if weight == "mean":
        assert c["L_vr"] == pytest.approx(1 / (sigma * np.sqrt(n)))
        assert c["L2_vr"] == pytest.approx(1.38012 * sigma**-1.5 / np.sqrt(n), rel=1e-5)


@pytest.mark.parametrize("loss, missing", [("sq", {"G", "L2_vr"}), ("hub", {"L2_vr"}), ("sl0", {"L2_vr"})])
def test_constants_and_metrics_that_there_are_not_are_left_out(loss, missing):
    problem = instances.completion(loss=loss)
    assert {"G", "L2_vr"} - set(problem.constants) == missing
    assert "rmse_test" not in problem.metrics
    assert "reconstruction_error" not in Problem(held_out(), loss=loss).metrics


def held_out(order=(0, 1, 2), **others):
    given = {"rows": [0, 1, 3], "cols": [2, 0, 1], "values": [0.5, -1.0, 2.0], "shape": [4, 3]}
    test = {"test_rows": [3, 0, 2], "test_cols": [0, 1, 2], "test_values": [1.0, -2.0, 0.25]}
    made = {name: np.array(values) for name, values in given.items()}
    return made | {name: np.array(values)[list(order)] for name, values in test.items()} | others


@pytest.mark.parametrize("kind", ["array", "observed", "atoms"])
@pytest.mark.parametrize("order", [(0, 1, 2), (1, 2, 0)])
def test_rmse_on_held_out_entries(kind, order):
    problem, ball, rng = Problem(held_out(order)), nuclear_ball.Set(2.0), np.random.default_rng(5)
    x = problem.start(kind)
    assert problem.rmse_test(x) == pytest.approx(np.sqrt((1 + 4 + 0.0625) / 3))
    for _ in range(3):
        atom = ball.lmo(rng.standard_normal((4, 3)), rng=rng)
        x = x * 0.5 + 0.5 * atom.toarray() if kind == "array" else x.toward(atom, 0.5)
    X = instances.dense(x)
    miss = np.array([X[3, 0] - 1.0, X[0, 1] + 2.0, X[2, 2] - 0.25])
    assert problem.metrics["rmse_test"](x) == pytest.approx(np.sqrt(np.mean(miss**2)), rel=1e-12)


@pytest.mark.parametrize(
    "call, said",
    [
        (lambda: Problem(held_out(test_rows=np.array([4, 0, 2]))), r"\(4, 0\), is outside"),
        (lambda: Problem(held_out(test_values=np.array([1.0, np.nan, 0.25]))), "held-out value 1 is nan"),
        (lambda: instances.completion().start("dense"), "'dense'; known are array, observed, atoms"),
    ],
)
def test_held_out_positions_and_kinds_of_iterate_are_checked(call, said):
    with pytest.raises(ValueError, match=said):
        call()
