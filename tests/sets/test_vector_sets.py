"""Simplex and Euclidean ball."""

import numpy as np
import pytest

from projfree import sets


def test_sets_are_found_by_folder():
    assert {"l2_ball", "nuclear_ball", "simplex"} <= set(sets.available())
    assert sets.load("nuclear-ball") is sets.load("nuclear_ball")
    with pytest.raises(
        ValueError, match="unknown name 'cube'.*Known are: .*l2_ball, .*nuclear_ball, .*simplex"
    ):
        sets.load("cube")


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
