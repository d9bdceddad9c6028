"""The trace Lasso: closed forms, CVXPY, the QR reduction, and Theorem 4."""

import made
import numpy as np
import pytest

from projfree.linalg.tall import triangular_factor
from projfree.penalties.trace_lasso import Penalty


@pytest.mark.parametrize("shape", [(40, 7), (7, 7), (5, 7), (40_000, 7)])
def test_r_stands_for_x(shape):
    rng = np.random.default_rng(3)
    X = rng.standard_normal(shape)
    X[:, 3] = X[:, 1]  # dependent columns
    R, x = triangular_factor(X), rng.standard_normal(7)
    assert R.shape == (min(shape), 7) and (np.diagonal(R) >= 0).all()
    np.testing.assert_allclose(R.T @ R, X.T @ X, atol=1e-11 * shape[0])
    expected = np.linalg.svd(X * x, compute_uv=False).sum()
    assert Penalty(R, 1.0).value(x) == pytest.approx(expected, rel=1e-12)


def test_subgradients_are_those_of_theorem_4():
    rng = np.random.default_rng(4)
    for _ in range(20):
        R = np.triu(rng.standard_normal((5, 5)))
        penalty, x, d = Penalty(R, 0.8), rng.standard_normal(5), rng.standard_normal(5)
        s, value = penalty.support(x)
        assert value == pytest.approx(penalty.value(x), rel=1e-13)
        slope = (penalty.value(x + 1e-6 * d) - penalty.value(x - 1e-6 * d)) / 2e-6
        assert s @ d == pytest.approx(slope, rel=1e-5, abs=1e-7)
        x[rng.integers(5)] = 0.0
        s, value = penalty.support(x)
        assert penalty.value(x + d) >= value + s @ d - 1e-12


def test_duals_lie_in_the_dual_ball():
    rng = np.random.default_rng(5)
    penalty, p, gamma = made.trace(rng, 6)
    u = penalty.prox(p, gamma, method="dual_frank_wolfe", max_inner=30).warm
    for z in rng.standard_normal((1000, p.size)):
        assert u @ z <= penalty.value(z) + 1e-12


def test_degenerate_cases():
    R = np.triu(np.ones((3, 3)))
    for method in ("newton", "dual_fista", "dual_frank_wolfe"):
        for radius, p in ((1.0, np.zeros(3)), (0.0, np.arange(3.0))):
            np.testing.assert_array_equal(Penalty(R, radius).prox(p, 1.0, method=method).x, p)
    one = Penalty(np.array([[2.0]]), 1.0)
    np.testing.assert_allclose(one.prox(np.array([-3.0]), 0.5, tol=1e-14).x, [-2.0])
    with pytest.raises(ValueError, match="radius must be a finite number ≥ 0, not -1"):
        Penalty(R, -1.0)
    with pytest.raises(ValueError, match="unknown units 'other'.*Known are: absolute, relative"):
        Penalty.for_problem(None, units="other")


def test_a_relative_tolerance_counts_in_the_penalty():
    penalty, p, gamma = made.trace(np.random.default_rng(6), 6)
    assert penalty.prox(p, gamma, relative_tol=1e-10).gap <= 1e-10 * (1 + penalty.value(p))


@pytest.mark.parametrize("shape", [(6, 6), (3, 6), (1, 5), (1, 1)])
def test_newton_is_the_dual_ascent_to_its_certificates(shape):
    rng = np.random.default_rng(7)
    for turn in range(6):
        R = rng.standard_normal(shape) * 10.0 ** rng.uniform(-1, 1, shape[1])
        if turn % 3 == 0:
            R[:, 0] = R[:, -1]  # dependent columns, and one of zeros
            R[:, shape[1] // 2] = 0.0
        penalty, p, gamma = Penalty(R, rng.random()), made.vector(rng, shape[1]), 10 ** rng.uniform(-1, 1)
        found = penalty.prox(p, gamma, method="newton", relative_tol=1e-10)
        other = penalty.prox(p, gamma, relative_tol=1e-7)
        again = penalty.prox(p, gamma, method="newton", relative_tol=1e-10, warm=found.warm)
        assert max(found.gap, again.gap) <= 1e-10 * (1 + penalty.value(p))
        assert found.value == pytest.approx(penalty.value(found.x))
        assert np.linalg.norm(found.warm, 2) <= penalty.radius * (1 + 1e-12)
        # Φ is 1/γ-strongly convex: two points of gap ε are no farther apart than 2√(2γε).
        assert np.linalg.norm(found.x - other.x) <= (2 * gamma * (found.gap + other.gap)) ** 0.5 * 2 + 1e-12


@pytest.mark.parametrize("method", ["newton", "dual_fista", "dual_frank_wolfe"])
def test_other_sizes_are_refused_by_name(method):
    """Other kinds of arrays and steps: contract/test_metamorphic.py."""
    penalty = Penalty(np.eye(2), 1.0)
    with pytest.raises(ValueError, match="^p .*vector of 2"):
        penalty.prox(np.ones(3), 1.0, method=method)
    with pytest.raises(ValueError, match="^warm must be"):
        penalty.prox(np.ones(2), 1.0, method=method, warm=np.ones((1, 3)))


@pytest.mark.parametrize("R", [np.ones(2), np.ones((0, 2)), np.array([[np.inf]]), np.eye(2, dtype=complex)])
def test_what_is_no_matrix_is_refused(R):
    with pytest.raises(ValueError, match="penalty 'trace_lasso': R "):
        Penalty(R, 1.0)
