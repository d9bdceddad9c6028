"""Sliding: the compiled simplex loop against `condg`, halving of CGS and both STORCs."""

import math

import numpy as np
import pytest
from instances import steps

from projfree.engine.oracles.constrained import Oracles
from projfree.problems.simplex_least_squares import Problem
from projfree.sets import simplex
from projfree.solvers.inner.condg import StopRule, condg
from projfree.solvers.inner.condg_simplex import condg_simplex
from referee.data import generators

SIMPLEX = simplex.Set(1.0)


def subproblem(seed):
    rng = np.random.default_rng(seed)
    return rng.standard_normal(40), rng.dirichlet(np.full(40, 0.3))


@pytest.mark.parametrize("beta", [0.3, 3.0, 300.0])
@pytest.mark.parametrize("max_lo", [None, 1, 7])
def test_compiled_loop_is_condg(beta, max_lo):
    rule = StopRule("theorem" if max_lo is None else "capped", 1e-3 * beta, max_lo=max_lo or 10)
    oracles = Oracles(quad(), SIMPLEX, np.random.default_rng(0))
    for seed in range(5):
        g, u = subproblem(seed)
        slow = condg(oracles, g, u, 1 / beta, rule)
        w, gap, lo = condg_simplex(g, u, u, beta, 1e-3 * beta, max_lo or 10**6, 1.0)
        assert lo == slow.lo
        np.testing.assert_allclose(w, slow.x, atol=1e-12)
        assert gap == pytest.approx(slow.gap, abs=1e-12 * beta)
        assert w.min() >= 0 and w.sum() == pytest.approx(1, abs=1e-12)
        if max_lo is None:
            again, _, once = condg_simplex(g, u, w, beta, 1e-3 * beta, 10**6, 1.0)
            assert once == 1 and np.allclose(again, w, atol=1e-15), "a start at the optimum returns at once"


def test_compiled_loop_at_the_edges():
    g, u = subproblem(0)
    same, _, lo = condg_simplex(g, u, u, 3.0, np.inf, 100, 1.0)
    assert lo == 1 and np.array_equal(same, u)
    near, _, _ = condg_simplex(g, u, u, 1e9, 1e-9, 10**5, 1.0)
    np.testing.assert_allclose(near, u, atol=1e-6)
    g[3] = -1e6  # a full step to a vertex, α = 1
    vertex, gap, lo = condg_simplex(g, u, u, 1e-3, 1e-9, 100, 1.0)
    assert vertex[3] == 1.0 and lo == 2 and gap <= 1e-9
    # many long steps: the lazy scale goes far below the smallest weight it may have
    g, u, start = np.array([1.0, 1.0 + 1e-9]), np.array([0.5, 0.5]), np.array([1.0, 0.0])
    w, _, lo = condg_simplex(g, u, start, 1.0, 0.0, 500, 1.0)
    np.testing.assert_allclose(w, 0.5, atol=1e-3)


def quad(kappa=10.0, seed=0, **params):
    arrays = generators.generate("simplex_least_squares", np.random.default_rng(seed))
    return Problem(arrays, kappa=kappa, **params)


def minimum(p):
    """min F by accelerated projected gradients."""
    x = z = p.start()
    t = 1.0
    for _ in range(5000):
        new = SIMPLEX.project(z - p.gradient(z) / p.constants["L_full"])
        following = (1 + math.sqrt(1 + 4 * t * t)) / 2
        z, x, t = new + (t - 1) / following * (new - x), new, following
    return p.value(x)


def run(p, name, count, seed=0, **params):
    """Values after each step, and the oracles."""
    o = Oracles(p, SIMPLEX, np.random.default_rng(seed))
    walked = steps(name, o, count, np.random.default_rng(seed + 1), **params)
    return o, [state.x.copy() for state in walked][1:]


def test_constants_of_the_quadratic_are_exact():
    p = quad(kappa=10.0)
    hessian = p.hessian + p.rho * np.eye(p.shape[0])
    low, high = np.linalg.eigvalsh(hessian)[[0, -1]]
    assert (p.constants["mu"], p.constants["L_full"]) == (pytest.approx(low), pytest.approx(high))
    assert high / low == pytest.approx(10.0)
    w = np.random.default_rng(1).dirichlet(np.ones(p.shape[0]))
    each = np.array([p.component_gradient(w, np.array([i])) for i in range(p.n)])
    np.testing.assert_allclose(each.mean(axis=0), p.gradient(w), atol=1e-12)
    spread = np.mean(np.sum((each - p.gradient(w)) ** 2, axis=1))
    assert spread == pytest.approx(p.variance(w)) and spread <= p.constants["sq_noise"]
    assert quad(noise=3.0).variance(w) == pytest.approx(9 * spread)
    with pytest.raises(ValueError, match="kappa must lie between"):
        quad(kappa=1e9)


def test_convex_cgs_keeps_its_bound():
    p = quad()
    _, states = run(p, "cgs", 60, strong=False)
    best, L = minimum(p), p.constants["L_full"]
    for k, x in enumerate(states, 1):
        assert p.value(x) - best <= 15 * L * 2 / (2 * (k + 1) * (k + 2))


@pytest.mark.parametrize("name, params", [("storc", {}), ("istorc", {}), ("istorc", {"snapshot_size": 150})])
def test_storc_keeps_its_promise_in_the_mean(name, params):
    p = quad(kappa=10.0)
    c = p.constants
    length = math.ceil(math.sqrt((32 if name == "storc" else 128) * c["L_vr"] / c["mu"]))
    ends = []
    for seed in range(5):
        _, states = run(p, name, 4 * length, seed=10 * seed, **params)
        ends.append([p.value(states[t * length - 1]) for t in range(1, 5)])
    errors = np.mean(ends, axis=0) - minimum(p)
    promised = c["L_vr"] * 2 / 2.0 ** np.arange(2, 6)
    assert np.all(errors <= promised)


def test_inexact_storc_with_whole_snapshots_is_storc_bit_by_bit():
    p = quad()
    _, first = run(p, "storc", 80, long_phases=True, batch_factor=0.05)
    _, second = run(p, "istorc", 80, snapshot_size=p.n, batch_factor=0.05)
    np.testing.assert_array_equal(first, second)
    _, third = run(p, "istorc", 80, snapshot_size=20, batch_factor=0.05)
    assert not np.array_equal(first, third)


def test_scgs_counts_its_batches_and_gets_there():
    p = quad(kappa=2.0)
    o, states = run(p, "scgs", 5 * 12)
    assert o.counts["FO"] == 1 and o.counts["IFO"] > p.n
    assert p.value(states[-1]) - minimum(p) <= p.constants["L_vr"] * 2 / 2**5
