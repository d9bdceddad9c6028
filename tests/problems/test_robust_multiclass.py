"""Robust multi-class classification: derivatives, constants, degenerate and bad input."""

import math

import cvxpy as cp
import numpy as np
import pytest
from scipy import sparse

from projfree.engine.metrics.saddle import Evaluation
from projfree.engine.oracles.saddle import Oracles
from projfree.problems.robust_multiclass import Problem, tiny_arrays
from projfree.sets import nuclear_ball
from projfree.solvers.inner.saddle import Pair, follow

BALL = nuclear_ball.Set(3.0, linear="gram")


def problem(seed=0, **params):
    sizes = {key: params.pop(key) for key in ("n", "d", "classes", "density") if key in params}
    return Problem(tiny_arrays(np.random.default_rng(seed), **sizes), **params)


def point(p, seed=1, scale=3.0):
    rng = np.random.default_rng(seed)
    return scale * rng.standard_normal(p.shape), rng.dirichlet(np.full(p.n, 0.05))


def arrays(matrix, labels, classes):
    csr = sparse.csr_matrix(matrix)
    parts = {"indptr": csr.indptr, "indices": csr.indices, "data": csr.data}
    return {**parts, "shape": np.array(csr.shape), "labels": np.array(labels), "classes": classes}


@pytest.mark.parametrize("lam_power", [0, 1, 2])
def test_both_gradients_against_central_differences(lam_power):
    p = problem(lam_power=lam_power)
    x, y = point(p)
    scores, rng, h = p.scores(x), np.random.default_rng(2), 1e-5
    gradient_x, gradient_y = p.gradient_x(p.slopes(scores), y), p.gradient_y(p.payoff(scores), y)
    for _ in range(10):
        d, e = rng.standard_normal(p.shape), rng.standard_normal(p.n)
        slope = (p.value(p.scores(x + h * d), y) - p.value(p.scores(x - h * d), y)) / (2 * h)
        assert slope == pytest.approx(np.vdot(gradient_x, d), abs=1e-7)
        slope = (p.value(scores, y + h * e) - p.value(scores, y - h * e)) / (2 * h)
        assert slope == pytest.approx(gradient_y @ e, rel=1e-7, abs=1e-6)


def test_components_are_unbiased_of_bounded_noise_and_repeated_indices_add():
    p = problem()
    x, y = point(p)
    whole = p.gradient_x(p.slopes(p.scores(x)), y), p.gradient_y(p.payoff(p.scores(x)), y)
    each = [p.batch_gradients(x, y, np.array([i])) for i in range(p.n)]
    batch = np.array([3, 0, 3, 7])
    for block in (0, 1):
        mean = sum(part[block] for part in each) / p.n
        np.testing.assert_allclose(mean, whole[block], atol=1e-12 * np.abs(whole[block]).max())
        expected = sum(each[i][block] for i in batch) / 4
        np.testing.assert_allclose(p.batch_gradients(x, y, batch)[block], expected, atol=1e-10)
    sample = p.batch_gradient_x(p.rows(batch), p.slopes(p.scores(x), batch), y, batch)
    np.testing.assert_allclose(sample, p.batch_gradients(x, y, batch)[0], atol=1e-14)
    assert np.mean([np.sum((part[0] - whole[0]) ** 2) for part in each]) <= p.sq_noise(y)


def test_constants_bound_the_dense_hessian_and_jacobian():
    """The Hessian in x and the Jacobian of ℓ, column by column; both come near their bounds."""
    p = problem(n=20, d=6, classes=3, lam_power=2)
    size, c = math.prod(p.shape), p.constants
    best_xx = best_xy = 0.0
    for seed in range(20):
        x, y = point(p, seed, scale=0.3)
        y = np.eye(p.n)[seed % p.n] if seed % 2 else y
        steps = 1e-6 * np.eye(size).reshape(size, *p.shape)
        pairs = [(p.scores(x + d), p.scores(x - d)) for d in steps]
        hessian = [p.gradient_x(p.slopes(a), y) - p.gradient_x(p.slopes(b), y) for a, b in pairs]
        jacobian = [p.payoff(a) - p.payoff(b) for a, b in pairs]
        best_xx = max(best_xx, np.linalg.norm(np.reshape(hessian, (size, size)), 2) / 2e-6)
        best_xy = max(best_xy, np.linalg.norm(np.array(jacobian), 2) / 2e-6)
    assert 0.3 * c["L_xx"] < best_xx <= c["L_xx"] * (1 + 1e-6)
    assert 0.3 * c["L_xy"] < best_xy <= c["L_xy"] * (1 + 1e-6)
    exact = math.sqrt(2) * np.linalg.norm(p.matrix.toarray(), 2)
    assert exact * (1 - 1e-12) <= c["L_xy"] <= exact * (1 + 1e-5)
    assert c["mu"] == c["L_yy"] == pytest.approx(p.lam * p.n**2)


def test_convex_in_x_and_strongly_concave_in_y_with_that_modulus():
    p, rng = problem(), np.random.default_rng(5)
    for seed in range(20):
        (x, y), (x2, y2), t = point(p, seed), point(p, seed + 100), rng.uniform()
        here, there, between = (p.value(p.scores(z), y) for z in (x, x2, (x + x2) / 2))
        assert between <= (here + there) / 2 + 1e-12
        chord = (1 - t) * here + t * p.value(p.scores(x), y2)
        bend = 0.5 * p.constants["mu"] * t * (1 - t) * np.sum((y - y2) ** 2)
        assert p.value(p.scores(x), (1 - t) * y + t * y2) == pytest.approx(chord + bend, rel=1e-9)


def test_scores_of_any_size_are_safe():
    p = problem(n=6, d=4, classes=3)
    for size in (800.0, -800.0, 1e300):
        scores = np.zeros((p.n, 3))
        scores[:, 1] = size
        assert np.isfinite(p.slopes(scores)).all() and np.isfinite(p.payoff(scores)).all()


def test_best_response_is_the_maximum():
    p = problem()
    x, _ = point(p, scale=1.0)
    payoff = p.payoff(p.scores(x))
    y = cp.Variable(p.n)
    objective = payoff @ y - p.lam / 2 * cp.sum_squares(p.n * y - 1)
    best = cp.Problem(cp.Maximize(objective), [y >= 0, cp.sum(y) == 1]).solve(solver=cp.CLARABEL)
    assert p.phi(p.scores(x)) == pytest.approx(best, abs=1e-7)
    constant = p.best_response(np.full(p.n, 2.0))
    np.testing.assert_allclose(constant, 1 / p.n, rtol=1e-12)
    spiky = problem(lam=1e-9).best_response(payoff)
    assert spiky[np.argmax(payoff)] == pytest.approx(1.0)


def test_followed_scores_do_not_drift():
    p, rng = problem(), np.random.default_rng(0)
    o = Oracles(p, BALL, rng)
    x = np.zeros(p.shape)
    scores = p.scores(x)
    for _ in range(1000):
        atom = BALL.lmo(rng.standard_normal(p.shape))
        share = rng.uniform(0, 0.3)
        x = (1 - share) * x + share * atom.toarray()
        scores = follow(o, scores, [(share, atom)], x)
    assert np.max(np.abs(scores - p.matrix @ x)) <= 1e-10


def test_gap_bounds_the_primal_dual_gap():
    p = problem()
    for seed in range(10):
        x, y = point(p, seed)
        x *= 3.0 / np.linalg.norm(x, "nuc")
        e = Evaluation(p, BALL, Pair(x, y))
        assert e.saddle_fw_gap >= e.duality_gap_bound - 1e-9 >= -1e-9
        dense = p.gradient_x(p.slopes(p.scores(x)), y)
        by_svd = np.vdot(dense, x) + 3.0 * np.linalg.norm(dense, 2)
        assert e.fw_gap_x == pytest.approx(by_svd, rel=1e-11)  # a certificate adds what rounding may hide


def test_two_classes_are_binary_logistic_regression():
    p = problem(classes=2)
    x, _ = point(p)
    margin = p.matrix @ (x[:, 0] - x[:, 1])
    sign = np.where(p.labels == 0, 1.0, -1.0)
    np.testing.assert_allclose(p.payoff(p.scores(x)), np.logaddexp(0, -sign * margin), atol=1e-12)


def test_empty_rows_have_the_loss_of_a_guess_and_never_move_x_and_one_class_has_nothing_to_learn():
    p = Problem(arrays(np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]]), [0, 1, 2], 3))
    x, only = point(p)[0], np.array([0.0, 1.0, 0.0])
    assert p.payoff(p.scores(x))[1] == pytest.approx(math.log(3))
    assert not p.gradient_x(p.slopes(p.scores(x)), only).any()
    p, x = Problem(arrays(np.eye(4), [0, 0, 0, 0], 1)), np.ones((4, 1))
    assert not p.payoff(p.scores(x)).any() and not p.gradient_x(p.slopes(p.scores(x)), p.dual_start()).any()
    assert Evaluation(p, BALL, Pair(0 * x, p.dual_start())).saddle_fw_gap == 0


@pytest.mark.parametrize(
    "change, words",
    [
        ({"labels": np.array([0, 1, 3, 2])}, r"labels must lie in 0 … 2, found 0 … 3"),
        ({"labels": np.array([0, -1, 1, 2])}, "found -1"),
        ({"labels": np.array([0, 1])}, "4 rows, but 2 labels"),
        ({"data": np.array([1.0, np.nan, 1.0, 1.0])}, "row 1 of the features is not finite"),
    ],
)
def test_bad_input_is_named(change, words):
    good = arrays(np.eye(4), [0, 1, 2, 1], 3)
    Problem(good)
    with pytest.raises(ValueError, match=words):
        Problem({**good, **change})
