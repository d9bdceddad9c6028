"""Proximal gradient methods: recursions, limits, monotonicity, Theorem 1, planted errors, parameters."""

import instances
import numpy as np
import pytest
from instances import COMPOSITE, lasso, links, robust

from projfree import solvers
from projfree.engine import metrics
from projfree.engine.metrics.composite import center
from projfree.engine.oracles.composite import Oracles
from projfree.penalties import oscar, rank
from projfree.problems import link_prediction, robust_regression
from projfree.solvers import apg

METHODS = ["pg", "apg", "nmapg"]
over_problems = pytest.mark.parametrize("make", COMPOSITE.values(), ids=COMPOSITE)


def walk(make, name, passes, seed=0, **params):
    """Yield (oracles, state) at the start and after each pass."""
    oracles = Oracles(*make(), np.random.default_rng(seed + 1))
    for s in instances.steps(name, oracles, passes, np.random.default_rng(seed), **params):
        yield oracles, s


def values(make, name, passes, **params):
    """f(x_k) for k = 0 … passes."""
    return np.array([s.f for _, s in walk(make, name, passes, **params)])


def reference_of(make):
    return {"method": make()[1].reference} | ({"relative_tol": 1e-13} if make is lasso else {})


def test_extrapolation_is_the_formula():
    problem, _ = robust()
    rng = np.random.default_rng(0)
    x, before, z = (problem.point(rng.standard_normal(12)) for _ in range(3))
    s = apg.State(x, 0.0, 1.0, 0.0, before=before, z=z, t_before=1.7, t=2.3)
    y = x.array + 0.7 / 2.3 * (x.array - before.array)
    along = 1.7 / 2.3 * (z.array - x.array)
    np.testing.assert_allclose(apg.extrapolated(s).array, y + along, atol=1e-14)
    s.z = None
    np.testing.assert_allclose(apg.extrapolated(s).array, y, atol=1e-14)


@over_problems
def test_the_image_of_an_extrapolated_point_needs_no_product(make):
    """F7: the combination of images is the image of the combination, to rounding after many passes too."""
    for oracles, s in walk(make, "apg", 60, prox=reference_of(make), refresh=10**9):
        y = apg.extrapolated(s)
        scratch = oracles.point(oracles.raw(y)).image
        np.testing.assert_allclose(y.image, scratch, atol=1e-9 * (1 + np.abs(scratch).max()))


def test_the_methods_agree_in_the_limit():
    limits = {n: values(robust, n, 3000)[-1] for n in METHODS}
    limits["inexact"] = values(robust, "pg", 1000, prox={"method": "dual_frank_wolfe"})[-1]
    assert np.ptp([limits[n] for n in METHODS]) <= 1e-8 * limits["pg"]
    assert limits["inexact"] == pytest.approx(limits["pg"], rel=1e-5)


@over_problems
@pytest.mark.parametrize("name", METHODS)
def test_monotone_with_an_exact_prox(make, name):
    f = values(make, name, 80, prox=reference_of(make))
    assert np.all(np.diff(f) <= 1e-9 * (1 + np.abs(f[:-1])))


def test_the_average_reference_is_not_monotone_and_the_printed_one_is():
    """With the reference of Li and Lin increases occur; as printed they do not."""

    def increases(reference):
        params = {"reference": reference, "delta": 0.0, "step_factor": 1.9, "long_step": True}
        return instances.last(walk(robust, "nmapg", 300, **params))[0].tally["increases"]

    assert increases("current") == 0
    assert increases("average") > 0


@pytest.mark.parametrize("make", [robust, lasso], ids=["oscar", "trace"])
def test_theorem_1_distance(make):
    """T4: ‖∇g(x) + u‖ with u ∈ ∂_gap h(x) exactly, at most (1/γ + L)‖x − anchor‖."""
    problem, penalty = make()
    crit = metrics.make("crit", problem, penalty)
    bound = metrics.make("crit_bound", problem, penalty)
    for name in METHODS:
        for _, s in walk(make, name, 40, prox={"method": "dual_frank_wolfe"}):
            if s.anchor is None:
                continue
            assert crit(s) <= bound(s) * (1 + 1e-9)
            u = (center(problem, s.anchor, s.gamma) - s.x.array) / s.gamma
            for y in np.random.default_rng(0).standard_normal((20, 12)) + s.x.array:
                lower = penalty.value(s.x.array) + u @ (y - s.x.array) - s.gap
                assert penalty.value(y) >= lower - 1e-9


def test_counts_of_a_pass():
    """IPG: 1 FO, 1 PO; AIPG: 2 and 2; nmAIPG: 1 or 2, as v is needed."""
    for name, cost in (("pg", 1), ("apg", 2)):
        oracles, _ = instances.last(walk(robust, name, 7))
        assert oracles.counts["FO"] == oracles.counts["PO"] == 7 * cost
    oracles, _ = instances.last(walk(robust, "nmapg", 50))
    assert oracles.counts["PO"] == oracles.counts["FO"] == 50 + oracles.tally["v_steps"]
    assert 0 < oracles.tally["v_steps"] < 50
    always = instances.last(walk(robust, "nmapg", 50, delta=1e12))[0]
    assert always.tally["v_steps"] >= 49


def test_a_critical_point_stays():
    problem, _ = robust()
    heavy = oscar.Penalty.for_problem(problem, 2.0)
    for name in METHODS:
        _, s = instances.last(walk(lambda: (problem, heavy), name, 5))
        assert not s.x.array.any()


@over_problems
def test_planted_gradient_errors_have_their_size(make, monkeypatch):
    problem, penalty = make()
    prox, seen = type(penalty).prox, []

    def watched(self, p, gamma, **options):
        seen.append(p)
        return prox(self, p, gamma, **options)

    monkeypatch.setattr(type(penalty), "prox", watched)
    oracles = Oracles(problem, penalty, np.random.default_rng(1))
    solver, rng = solvers.make("pg", {"gradient_error": 0.1}), np.random.default_rng(0)
    s = solver.start(oracles, rng)
    first = problem.gradient(s.x)
    solver.step(oracles, s, rng)
    exact = problem.start().forward(first, s.gamma)
    missed = np.linalg.norm(instances.dense(seen[0]) - instances.dense(exact))
    assert missed / s.gamma == pytest.approx(0.1 * np.linalg.norm(instances.dense(first)), rel=1e-9)


@pytest.mark.parametrize("name", METHODS)
def test_empty_rows_change_nothing(name):
    """F9: rows and columns without an entry stay zero."""
    problem, penalty = links()
    pattern = problem.pattern
    arrays = {"rows": 2 * pattern.rows, "cols": pattern.cols + 3, "values": problem.signs, "shape": (120, 60)}
    wide = link_prediction.Problem(arrays), penalty
    f, same = (values(make, name, 15, prox={"method": "dense"}) for make in (links, lambda: wide))
    np.testing.assert_allclose(same, f, rtol=1e-9)


def test_no_links_at_all():
    empty = np.zeros(0, dtype=int)
    arrays = {"rows": empty, "cols": empty, "values": np.zeros(0), "shape": (30, 40)}
    nothing = link_prediction.Problem(arrays), rank.Penalty(2)
    for name in METHODS:
        _, s = instances.last(walk(lambda: nothing, name, 3, prox={"method": "dense"}))
        assert s.f == 0 and not s.x.toarray().any()


def test_bad_data():
    X, b = np.ones((4, 2)), np.ones(4)
    for arrays, message in (
        ({"features": np.where(X > 0, np.nan, X), "targets": b}, "row 0"),
        ({"features": X, "targets": np.array([1, 1, np.nan, 1])}, "target 2"),
        ({"features": X, "targets": b[:3]}, "do not fit"),
    ):
        with pytest.raises(ValueError, match=message):
            robust_regression.Problem(arrays)
    with pytest.raises(ValueError, match="sigma"):
        robust_regression.Problem({"features": X, "targets": b}, sigma=0.0)
    for bad in (0.0, 2.0, np.nan):
        arrays = {"rows": np.array([0]), "cols": np.array([1]), "values": np.array([bad]), "shape": (2, 2)}
        with pytest.raises(ValueError, match="links are"):
            link_prediction.Problem(arrays)
