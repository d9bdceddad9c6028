"""`condg` against the exact projection and CVXPY; certificate, counts, stop rules."""

import math

import numpy as np
import pytest
from feasible import MADE, make, vertex

from projfree.engine.oracles.constrained import Oracles
from projfree.linalg.atoms import Atom, as_array
from projfree.sets import l1_ball, nuclear_ball
from projfree.solvers.frank_wolfe import towards_minimiser
from projfree.solvers.inner import condg as module
from projfree.solvers.inner.condg import StopRule, condg


class Bare:
    """A problem of which condg asks nothing."""

    n, constants = 1, {}


def oracles(ball, seed=0, lmo_tol=1e-3):
    return Oracles(Bare, ball, np.random.default_rng(seed), lmo_tol=lmo_tol)


def subproblem(ball, shape, seed):
    """A random linear term and a feasible centre."""
    rng = np.random.default_rng(seed)
    u = rng.standard_normal(shape)
    return rng.standard_normal(shape), u * (ball.radius * rng.uniform(0.1, 1) / np.linalg.norm(u, "nuc"))


def true_gap(ball, g, u, gamma, x):
    h = g + (x - u) / gamma
    return float(np.vdot(h, x)) + ball.radius * np.linalg.norm(h, 2)


@pytest.mark.parametrize("gamma", [0.05, 0.25, 2.0])
@pytest.mark.parametrize("eta", [0.5, 0.05])
def test_the_theorem_rule_returns_what_it_certifies(gamma, eta):
    ball = nuclear_ball.Set(2.0)
    for seed in range(15):
        g, u = subproblem(ball, (12, 12), seed)
        o = oracles(ball, seed)
        inner = condg(o, g, u, gamma, StopRule("theorem", eta))
        gap = true_gap(ball, g, u, gamma, inner.x)
        assert ball.contains(inner.x)
        assert gap <= inner.gap + 1e-12 and inner.gap <= eta, "the stated gap is an upper bound"
        assert np.sum((inner.x - ball.project(u - gamma * g)) ** 2) <= gamma * eta * (1 + 1e-9)
        assert inner.lo == o.counts["LO"] <= math.ceil(6 * ball.diameter**2 / (gamma * eta))


@pytest.mark.parametrize(
    ("ball", "gamma"), [(nuclear_ball.Set(2.0), 0.25), (l1_ball.Set(8.0), 1.0)], ids=["factors", "arrays"]
)
def test_after_1000_steps_the_gradient_of_the_subproblem_has_not_drifted(ball, gamma):
    g, u = subproblem(ball, (12, 12), 5)
    u, seen = ball.project(u), []

    class Watched(Oracles):
        def lmo(self, gradient, start=None, tol=None):
            atom = super().lmo(gradient, start=start, tol=tol)
            seen.append((gradient.copy(), atom))
            return atom

    inner = condg(Watched(Bare, ball, np.random.default_rng(0)), g, u, gamma, StopRule("capped", max_lo=1200))
    x = u.copy()
    for h, atom in seen:  # the same steps on x alone, h computed anew
        fresh = g + (x - u) / gamma
        np.testing.assert_allclose(h, fresh, atol=1e-10)
        d = as_array(atom) - x
        x = x + min(1.0, -gamma * np.vdot(fresh, d) / np.sum(d**2)) * d
    assert inner.lo == len(seen) == 1200
    np.testing.assert_allclose(inner.x, x, atol=1e-10)


@pytest.mark.parametrize("cap", [1, 2, 5, 20])
def test_capped_spends_its_cap_and_as_many_steps(cap):
    ball, gamma = nuclear_ball.Set(2.0), 0.25
    g, u = subproblem(ball, (12, 12), 7)
    o = oracles(ball)
    inner = condg(o, g, u, gamma, StopRule("capped", max_lo=cap))
    assert inner.lo == o.counts["LO"] == cap
    reference = u.copy()
    for _ in range(cap):  # Algorithm 1 with a dense SVD
        h = g + (reference - u) / gamma
        U, _, Vt = np.linalg.svd(h)
        d = -2.0 * np.outer(U[:, 0], Vt[0]) - reference
        reference = reference + min(1.0, -gamma * np.vdot(h, d) / np.sum(d**2)) * d
    exact = condg(oracles(ball, lmo_tol=1e-10), g, u, gamma, StopRule("capped", max_lo=cap))
    np.testing.assert_allclose(exact.x, reference, atol=1e-5)


def test_capped_with_eta_and_relative_may_return_earlier():
    ball = nuclear_ball.Set(2.0)
    g, u = subproblem(ball, (12, 12), 9)

    def found(kind, **rule):
        return condg(oracles(ball), g, u, 0.25, StopRule(kind, **rule))

    inner = found("capped", eta=2.0, max_lo=500)
    assert inner.lo < 500 and true_gap(ball, g, u, 0.25, inner.x) - 1e-12 <= inner.gap <= 2.0
    inner = found("relative", ratio=0.2, max_lo=500)
    assert inner.first_gap == pytest.approx(true_gap(ball, g, u, 0.25, u), rel=1e-2)
    assert inner.lo < 500 and inner.gap <= 0.2 * inner.first_gap
    assert found("relative", ratio=1e-9, max_lo=4).lo == 4


def test_a_wrong_warm_start_is_found_out():
    """A start whose v is a lesser singular vector claims too small a gap; the certificate asks again."""
    ball = nuclear_ball.Set(1.0)
    u, g = np.zeros((9, 9)), np.diag([10.0, *[1.0] * 8])
    U, V = np.eye(9)[:, 1], np.eye(9)[:, 1]
    inner = condg(oracles(ball), g, u, 1.0, StopRule("theorem", 2.0), start=Atom(U, V, -1.0))
    assert true_gap(ball, g, u, 1.0, inner.x) <= 2.0


@pytest.mark.parametrize("rule", [StopRule("theorem", 0.1), StopRule("capped"), StopRule("relative")])
def test_nothing_to_do(rule):
    """h = 0 or R = 0: it returns at once, where it stands."""
    zero = np.zeros((5, 4))
    g, u = subproblem(nuclear_ball.Set(2.0), (5, 4), 0)
    for ball, linear, centre in ((nuclear_ball.Set(2.0), zero, u), (nuclear_ball.Set(0.0), g, zero)):
        inner = condg(oracles(ball), linear, centre, 0.5, rule)
        assert inner.lo <= 2 and abs(inner.gap) <= 1e-12
        np.testing.assert_array_equal(inner.x, centre)


def test_inputs_are_left_alone():
    ball = nuclear_ball.Set(2.0)
    g, u = subproblem(ball, (6, 5), 2)
    before = g.copy(), u.copy()
    condg(oracles(ball), g, u, 0.25, StopRule("capped"))
    np.testing.assert_array_equal((g, u), before)


def test_thresholds_and_caps():
    assert StopRule("theorem", horizon=50).threshold(9.0) == 1 / 50 and StopRule("theorem").cap is None
    assert StopRule("theorem", 0.3, horizon=50).threshold(9.0) == 0.3
    assert StopRule("relative", ratio=0.2).threshold(9.0) == pytest.approx(1.8)
    assert StopRule("capped").threshold(9.0) == 0.0 and StopRule("capped", max_lo=7).cap == 7


@pytest.mark.parametrize("name", sorted(MADE.keys() - {"from_model"}))  # that is exact to its own tolerance
def test_it_ends_at_rounding_where_the_gradient_is_far_larger_than_the_curvature(name, long):
    """From vertices, means of them, and points that are a vertex but for 1e-8: all with a threshold of 0."""
    feasible, shape = make(name, 1.0)
    for seed in range(60 if long else 6):
        rng = np.random.default_rng(seed)
        vertices = [vertex(feasible, rng.standard_normal(shape), rng) for _ in range(3)]
        g = rng.standard_normal(shape) * 10.0 ** rng.integers(8, 17)
        near = (1 - 1e-8) * vertex(feasible, g, rng) + 1e-8 * vertices[0]
        u = (vertices[0], sum(vertices) / 3, near)[seed % 3]
        o, calls = oracles(feasible, seed), iter(range(300))
        o.guard = calls.__next__  # StopIteration: more linear minimisations than any of these needs
        result = condg(o, g, u, 1.0, StopRule("theorem", 1e-300))
        h = g + result.x - u
        rest = float(np.sum(h * result.x)) + feasible.support(-h)
        size = np.linalg.norm(h) * (1.0 + np.linalg.norm(u))
        assert rest <= result.gap + 1e-13 * size and result.gap <= 1e-11 * size


def test_its_linear_minimisations_are_counted_and_its_gap_is_then_what_is_left(monkeypatch):
    ball = nuclear_ball.Set(2.0)
    g, u = subproblem(ball, (12, 12), 1)
    monkeypatch.setattr(module, "MOST", 7)
    inner = condg(oracles(ball), g, u, 0.25, StopRule("theorem", 1e-12))
    assert inner.lo == 7 and inner.gap > 1e-12


def test_a_vertex_that_does_not_become_more_exact_is_not_asked_for_again_and_again():
    class Stuck(Oracles):
        def lmo(self, gradient, start=None, tol=None):
            self.counts["LO"] += 1
            return Atom(np.eye(3)[0], np.eye(3)[0], 1.0, 1e-20, 1e-3)

    o = Stuck(Bare, None, None)
    assert towards_minimiser(o, np.zeros((3, 3)), np.zeros((3, 3)), None)[1] == 0.0 and o.counts["LO"] < 10
    inner = condg(o, np.zeros((3, 3)), np.eye(3)[:, :1] * np.eye(3)[0], 1.0, StopRule("theorem", 1e-300))
    assert inner.lo < 20
