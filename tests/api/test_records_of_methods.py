"""Records of a run: upper bounds of the certificate that need no decomposition; the last one is exact."""

import numpy as np
import pytest

import projfree as pf
from projfree.api import records
from projfree.engine import metrics
from projfree.engine.metrics.base import frank_wolfe_gap
from projfree.linalg.spectral import low_rank_norm, nuclear_norm
from projfree.sets import nuclear_ball

SHAPE = (70, 55)


def completion(seed, scale=1.0):
    """½‖P(X − T)‖² on a third of the entries of a matrix of rank 4 with noise."""
    rng = np.random.default_rng(seed)
    T = rng.standard_normal((SHAPE[0], 4)) @ rng.standard_normal((4, SHAPE[1]))
    T += 0.1 * rng.standard_normal(SHAPE)
    seen = rng.random(SHAPE) < 0.3

    def function(X):
        miss = np.where(seen, X - scale * T, 0.0)
        return 0.5 * np.vdot(miss, miss), miss

    return function


@pytest.mark.parametrize("method", ["frank-wolfe", "adaptive-fw", "blended-pairwise-fw", "lazy", "cgs"])
@pytest.mark.parametrize("scale", [1.0, 2.0**40])
def test_records_bound_the_exact_gap_closely(method, scale):
    function, ball, points = completion(0, scale), pf.sets.NuclearBall(60.0 * scale), []
    given = {"x0": np.zeros(SHAPE), "constants": {"L_full": 1.0}, "tol": 1e-3 * scale**2, "budget": 60}
    found = pf.minimize(function, ball, method, callback=lambda p: points.append(p.x), **given)
    gaps = [frank_wolfe_gap(function(x)[1], x, ball) for x in points]
    recorded = np.array(found.trace.metrics["fw_gap"])
    assert len(gaps) == recorded.size > 5
    assert np.all(recorded >= (1 - 1e-12) * np.array(gaps)) and np.all(recorded <= 1.05 * np.array(gaps))
    assert found.gap == recorded[-1] <= (1 + 1e-6) * gaps[-1]
    assert found.success == (gaps[-1] <= 1e-3 * scale**2)


def test_records_decompose_no_whole_matrix(monkeypatch):
    calls = []
    for name in ("svdvals", "nuclear_norm", "economy_svd"):
        true = getattr(nuclear_ball, name)
        monkeypatch.setattr(
            nuclear_ball, name, lambda *given, true=true, **others: calls.append(1) or true(*given, **others)
        )
    given = {"x0": np.zeros(SHAPE), "tol": 1e-2, "budget": 300}
    found = pf.minimize(completion(1), pf.sets.NuclearBall(60.0), "adaptive-fw", **given)
    assert len(calls) <= 2 and found.nit > 20  # the last gauge, and one open case
    assert found.certificate.infeasibility <= 1e-10


def test_the_bound_decides_as_the_exact_gap_does():
    """For a tolerance next to the gap, on either side of it, and for one that no bound can tell from it."""
    function, ball = completion(2), pf.sets.NuclearBall(60.0)
    x = pf.minimize(function, ball, "adaptive-fw", x0=np.zeros(SHAPE), budget=30).x
    problem = pf.Function(function, x)
    exact = metrics.make("fw_gap", problem, ball)(x)
    for share in (0.5, 0.99, 1 - 1e-9, 1.0, 1 + 1e-9, 1.01, 2.0):
        gap = records.Gap(problem, ball, share * exact)(x)
        assert (gap <= share * exact) == (share >= 1.0) and exact <= gap * (1 + 1e-12), share


def test_methods_are_recorded_where_their_own_gap_meets_the_tolerance():
    function, ball = completion(3), pf.sets.NuclearBall(60.0)

    def run(tol, budget=400):
        return pf.minimize(function, ball, "adaptive-fw", np.zeros(SHAPE), tol=tol, budget=budget)

    tol = 1.5 * run(0.0).gap
    found = run(tol)
    before = run(0.0, found.nit - 2)
    assert found.success and found.nit < 400 and before.gap > tol  # no step was made in vain
    assert len(found.trace.iteration) <= 2 + np.ceil(np.log2(found.nit)) + np.log(found.nit) / np.log(1.1) / 4


def test_a_start_outside_by_little_is_told_by_every_record():
    ball = pf.sets.NuclearBall(1.0)
    start = np.eye(*SHAPE) * (1 + 1e-7) / SHAPE[1]
    found = pf.minimize(completion(4), ball, "adaptive-fw", x0=start, budget=2, tol=0.0)
    assert found.trace.metrics["infeasibility"][0] == pytest.approx(1e-7, rel=1e-3)
    assert found.trace.metrics["infeasibility"][-1] <= 1e-7


@pytest.mark.parametrize("accuracy", [0.1, 1e-3, 1e-9])
def test_bounds_of_the_support_hold(accuracy):
    rng = np.random.default_rng(5)
    for kind in range(30):
        G = rng.standard_normal(SHAPE) * 2.0 ** rng.integers(-300, 300)
        G = G @ np.diag(np.geomspace(1, 10.0**-kind, SHAPE[1])) if kind % 2 else G
        for linear in ("lanczos", "gram"):
            ball = pf.sets.NuclearBall(3.0, linear)
            least, most = ball.support_bounds(G, accuracy, rng)
            exact = pf.sets.NuclearBall(3.0).support(G)
            assert least <= exact * (1 + 1e-13)
            assert exact <= most <= (1 + 1.1 * accuracy) * exact * (1 + 1e-11)


@pytest.mark.parametrize("rank", [0, 1, 7, 12, 40, 130])
def test_the_norm_of_low_rank_is_that_of_the_decomposition(rank):
    rng = np.random.default_rng(rank)
    X = rng.standard_normal((620, rank)) @ rng.standard_normal((rank, 600)) * 2.0**300
    found, exact = low_rank_norm(X), nuclear_norm(X)
    assert exact * (1 - 1e-13) <= found <= exact * (1 + 1e-10)
    assert low_rank_norm(X + max(exact, 1.0) * 1e-9 * rng.standard_normal(X.shape)) is None
    assert low_rank_norm(X[:40]) is None


def test_what_is_in_the_ball_is_not_changed_by_sketches():
    rng = np.random.default_rng(0)
    for rank in (1, 3, 55):
        X = rng.standard_normal((SHAPE[0], rank)) @ rng.standard_normal((rank, SHAPE[1]))
        size = nuclear_norm(X)
        assert pf.sets.NuclearBall(size).contains(X)
        assert not pf.sets.NuclearBall(size * (1 - 1e-8)).contains(X)
        assert pf.sets.NuclearBall(size / 2).excess(X) == pytest.approx(size / 2)
    X[0, 0] = np.nan
    assert np.isnan(pf.sets.NuclearBall(1.0).excess(X))
