"""Penalties and saddle functions of the user's own give what those of the library give."""

import warnings

import numpy as np
import pytest

import projfree as pf
from projfree.penalties.prox import Prox
from projfree.problems.saddle_quadratic import interior_arrays

A = np.random.default_rng(0).standard_normal((40, 12))
B = np.random.default_rng(1).standard_normal(40)
KNOWN = {"constants": {"L_full": float(np.linalg.norm(A, 2) ** 2)}, "tol": 1e-9, "budget": 4000}


def fit(x):
    return 0.5 * np.sum((A @ x - B) ** 2), A.T @ (A @ x - B)


class Soft:
    """5‖x‖₁, as a user writes it."""

    def value(self, x):
        return 5 * np.abs(x).sum()

    def prox(self, p, gamma):
        return np.sign(p) * np.maximum(np.abs(p) - 5 * gamma, 0)


class Certified(Soft):
    def prox(self, p, gamma):
        x = super().prox(p, gamma)
        return Prox(x, self.value(x), gap=1e-12)


@pytest.mark.parametrize("method", ["nmapg", "apg", "pg"])
@pytest.mark.parametrize(
    "penalty", [Soft(), Certified(), pf.penalties.L1([5.0] * 12), pf.penalties.Slope([5.0] * 12)]
)
def test_a_penalty_of_ones_own_is_the_same(penalty, method):
    found = pf.minimize(fit, penalty, method, np.zeros(12), **KNOWN)
    same = pf.minimize(fit, pf.penalties.L1(5.0), method, np.zeros(12), **KNOWN)
    assert found.success and found.value == pytest.approx(same.value, rel=1e-12)
    np.testing.assert_allclose(found.x, same.x, atol=1e-8)
    away = fit(found.x)[1]  # optimality: |∇_i| ≤ 5, and = −5 sign(x_i) where x_i ≠ 0
    assert np.all(np.abs(away) <= 5 + 1e-6)
    np.testing.assert_allclose(away[found.x != 0], -5 * np.sign(found.x[found.x != 0]), atol=1e-6)


def test_points_next_to_a_penalty_of_ones_own_have_any_shape():
    M = np.random.default_rng(2).standard_normal((8, 6)) * 5
    near = lambda W: (0.5 * np.sum((W - M) ** 2), W - M)  # noqa: E731
    found = pf.minimize(near, Soft(), x0=0 * M, **KNOWN | {"tol": 1e-6})
    assert found.success
    np.testing.assert_allclose(found.x, Soft().prox(M, 1.0), atol=1e-6)


class Trace:
    """The trace norm by its polar."""

    def value(self, X):
        return np.linalg.svd(X, compute_uv=False).sum()

    def polar(self, G):
        U, _, Vt = np.linalg.svd(G)
        return U[:, 0], Vt[0]


@pytest.mark.parametrize("method", [None, "gcg"])
def test_a_norm_of_ones_own_by_its_polar(method):
    M = np.random.default_rng(3).standard_normal((8, 6))
    near = lambda W: (0.5 * np.sum((W - M) ** 2), W - M)  # noqa: E731
    found = pf.minimize(near, Trace(), method, np.zeros((8, 6)), tol=1e-6)
    same = pf.minimize(near, pf.penalties.TraceNorm(1.0), x0=np.zeros((8, 6)), tol=1e-6)
    assert found.success and found.value == pytest.approx(same.value, abs=2e-6)


def penalty(**methods):
    return type("Mine", (Soft,), {name: staticmethod(method) for name, method in methods.items()})()


@pytest.mark.parametrize(
    "given, said",
    [
        (penalty(prox=lambda p, gamma: p + 1), "is no minimiser"),
        (penalty(prox=lambda p, gamma: p[:3]), "prox has shape"),
        (penalty(prox=lambda p, gamma: p * np.nan), "prox has entries that are not finite"),
        (penalty(value=lambda x: 1j), "the penalty's value must be real"),
        (pf.penalties.L1, "L1 is not made yet"),
        (pf.penalties.L1([1.0, 2.0]), "must be a vector of 12"),
        (pf.penalties.L1([-1.0] * 12), "must not be negative"),
        (pf.penalties.Group([0, 1]), "groups of shape"),
        (pf.penalties.Group([0] * 12, [1.0, 2.0]), "must be a vector of 1"),
        (pf.penalties.Slope(list(range(12))), "not negative and descending"),
    ],
)
def test_a_penalty_that_is_none_is_an_error(given, said):
    with pytest.raises(ValueError, match=said):
        pf.minimize(fit, given, x0=np.ones(12), **KNOWN)


def test_positions_are_parameters():
    assert pf.penalties.TraceNorm(5.0).params == {"weight": 5.0}
    with pytest.raises(TypeError):
        pf.penalties.TraceNorm(5.0, 3.0)


PROBLEM = pf.problems.SaddleQuadratic(interior_arrays(np.random.default_rng(0)))
BALL = pf.sets.L2Ball(1.0)


def pay(x, y):
    c, d, M = PROBLEM.c, PROBLEM.d, PROBLEM.coupling * PROBLEM.B
    value = 0.5 * np.sum((x - c) ** 2) + x @ M @ y - 0.5 * np.sum((y - d) ** 2)
    return value, x - c + M @ y, M.T @ x - (y - d)


def saddle(**more):
    return pf.Saddle(pay, np.zeros(12), np.zeros(10), BALL, **{"constants": dict(PROBLEM.constants)} | more)


@pytest.mark.parametrize(
    "respond", [None, lambda x: BALL.project(PROBLEM.d + PROBLEM.coupling * x @ PROBLEM.B)]
)
def test_a_saddle_function_of_ones_own(respond):
    found = pf.minimize(saddle(best_response=respond), BALL, tol=1e-4)
    same = pf.minimize(PROBLEM, BALL, tol=1e-4)
    assert found.success and found.method == "mpcgs" and found.nit >= same.nit
    assert PROBLEM.distance(found.x) == pytest.approx(PROBLEM.distance(same.x), rel=1e-6)
    value = PROBLEM.value(*PROBLEM.solution())
    above = PROBLEM.phi(found.x.x) - value
    assert 0 <= above <= found.gap  # the certificate bounds Φ(x) − the saddle value


@pytest.mark.parametrize(
    "method, more, said",
    [
        ("mpcgs", {"constants": None}, "needs the constant 'L_xx'"),
        ("svre", {}, "needs a finite sum, and this Saddle has none"),
        ("mpscgs", {}, "needs a finite sum"),
        ("frank-wolfe", {}, "does not solve saddle problems; these do: .*spfw"),
    ],
)
def test_a_saddle_method_says_what_it_needs(method, more, said):
    with pytest.raises(ValueError, match=said):
        pf.minimize(saddle(**more), BALL, method)


def test_the_value_of_a_saddle_may_rise_and_a_failure_leaves_the_best_pair():
    """From y far below its best response the value rises; the pair of the least certificate is kept."""
    asked = []

    def fails(x, y):
        asked.append(1)
        if len(asked) > 60:
            raise RuntimeError("no more")
        return pay(x, y)

    low = {"y0": -PROBLEM.d / np.linalg.norm(PROBLEM.d)}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rises = pf.Saddle(pay, PROBLEM.c, low["y0"], BALL)
        found = pf.minimize(rises, BALL, "spfw", budget=30)
        ends = pf.minimize(pf.Saddle(fails, PROBLEM.c, low["y0"], BALL), BALL, "spfw", budget=500)
    objective, gaps = (found.trace.metrics[name] for name in ("objective", "duality_gap_bound"))
    assert min(objective) == objective[0] and found.gap < gaps[0]
    assert ends.status == "error" and "no more" in ends.message
    assert ends.gap == min(ends.trace.metrics["duality_gap_bound"])


def test_starts_and_gradients_of_a_saddle_are_checked():
    with pytest.raises(ValueError, match="y0 does not lie in the dual set"):
        pf.Saddle(pay, np.zeros(12), np.ones(10), BALL)
    wrong = pf.Saddle(lambda x, y: (0.0, x, x), np.zeros(12), np.zeros(10), BALL)
    with pytest.raises(ValueError, match="the gradient in y has shape"):
        pf.minimize(wrong, BALL, "spfw")
    with pytest.raises(ValueError, match="x0 does not lie in the set"):
        pf.minimize(pf.Saddle(pay, np.ones(12), np.zeros(10), BALL), BALL, "spfw")
