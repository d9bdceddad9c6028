"""Simplex and Euclidean ball, and what all sets have in common."""

import numpy as np
import pytest

from projfree import sets


def test_sets_are_found_by_folder():
    assert {"l2_ball", "nuclear_ball", "simplex"} <= set(sets.available())
    assert sets.load("nuclear-ball") is sets.load("nuclear_ball")
    with pytest.raises(ValueError, match="unknown name 'cube'.*Known are: l2_ball, nuclear_ball, simplex"):
        sets.load("cube")


@pytest.mark.parametrize("name", sets.available())
def test_common_shape(name):
    """The LMO is least, the projection meets its optimality conditions, norms and distances are bounded."""
    rng = np.random.default_rng(0)
    chosen = sets.load(name)(1.7)
    shape = (8, 6) if name == "nuclear_ball" else (12,)
    points = []
    for _ in range(20):
        G, X = rng.standard_normal(shape), 3 * rng.standard_normal(shape)
        v, P = chosen.lmo(G, start=None, rng=rng, tol=1e-9), chosen.project(X)
        v = v if isinstance(v, np.ndarray) else v.toarray()
        assert chosen.contains(v) and chosen.contains(P) and not chosen.contains(2 * P)
        assert chosen.gauge(P) <= 1.7 * (1 + 1e-9)
        assert np.array_equal(chosen.project(P), P) or np.allclose(chosen.project(P), P, atol=1e-14)
        points += [v, P]
    for a in points:
        assert np.linalg.norm(a) <= chosen.norm_bound * (1 + 1e-12)
        assert np.sum(G * points[-2]) <= np.sum(G * a) + 1e-9
        assert np.sum((X - points[-1]) * (a - points[-1])) <= 1e-9
        assert all(np.linalg.norm(a - b) <= chosen.diameter * (1 + 1e-12) for b in points)


@pytest.mark.parametrize("name", sets.available())
def test_common_errors(name):
    Set = sets.load(name)
    shape = (2, 2) if name == "nuclear_ball" else (4,)
    for size in (-1.0, np.nan, np.inf):
        with pytest.raises(ValueError, match=name):
            Set(size)
    with pytest.raises(ValueError, match="Known are: full"):
        Set(1.0).project(np.ones(shape), "fast")
    with pytest.raises(ValueError, match="not finite"):
        Set(1.0).lmo(np.full(shape, np.nan))
    assert not np.any(Set(0.0).project(np.ones(shape)))


def test_closed_forms():
    g = np.array([3.0, -4.0])
    np.testing.assert_allclose(sets.load("l2_ball")(2.0).lmo(g), [-1.2, 1.6])
    np.testing.assert_allclose(sets.load("l2_ball")(2.0).project(g), [1.2, -1.6])
    assert np.array_equal(sets.load("simplex")(2.0).lmo(g), [0.0, 2.0])
    assert np.array_equal(sets.load("simplex")().project(g), [1.0, 0.0])
    assert not sets.load("l2_ball")(2.0).lmo(np.zeros(2)).any()


def test_the_simplex_holds_its_own_points_only():
    simplex = sets.load("simplex")(1.0)
    x = np.array([0.5, 0.5])
    assert simplex.contains(x) and simplex.project(x) is x
    for outside in ([0.5, 0.4], [1.1, -0.1], [0.6, 0.6]):
        assert not simplex.contains(np.array(outside))


def test_linear_minimisation_at_the_ends_of_the_floats():
    ball = sets.load("l2_ball")(1.0)
    np.testing.assert_array_equal(ball.lmo([1e-200, 0]), [-1, 0])
    np.testing.assert_allclose(ball.lmo([3e200, -4e200]), [-0.6, 0.8], rtol=1e-15)
    np.testing.assert_allclose(ball.lmo([5e-324, 5e-324]), [-(0.5**0.5)] * 2, rtol=1e-15)


@pytest.mark.parametrize("name", ["simplex", "l2_ball"])
def test_bad_points_are_refused_by_name(name):
    chosen = sets.load(name)(1.0)
    for argument, oracle in (("G", chosen.lmo), ("G", chosen.support), ("x", chosen.project)):
        for bad, words in (
            ([1j], "real"),
            (["a"], "real"),
            ([], "empty|at least"),
            ([np.nan], "not finite"),
        ):
            with pytest.raises(ValueError, match=f"{name}: {argument} .*({words})"):
                oracle(np.array(bad))
    for measure in (chosen.gauge, chosen.contains):
        with pytest.raises(ValueError, match=f"{name}: x must be real numbers"):
            measure([1j])
        assert not measure(np.array([np.nan])) > 0  # how a run that diverged is seen
    if name == "simplex":
        with pytest.raises(ValueError, match="simplex: G must be a vector"):
            chosen.lmo(np.ones((2, 2)))
