"""Projections of vectors against brute force and CVXPY."""

import itertools

import cvxpy as cp
import numpy as np
import pytest

from projfree.linalg.projections import (
    LARGE,
    norm_l2,
    of_length,
    project_l1,
    project_l2,
    project_simplex,
    project_spectrum,
    simplex_threshold,
)


def simplex_by_faces(y, total):
    """Nearest point over all faces of the simplex."""
    best = None
    for size in range(1, len(y) + 1):
        for face in map(list, itertools.combinations(range(len(y)), size)):
            x = np.zeros(len(y))
            x[face] = y[face] - (y[face].sum() - total) / size
            if x.min() >= 0 and (best is None or np.linalg.norm(x - y) < np.linalg.norm(best - y)):
                best = x
    return best


@pytest.mark.parametrize("total", [0.3, 1.0, 7.0])
def test_simplex_by_brute_force(total):
    rng = np.random.default_rng(0)
    for y in [*(2 * rng.standard_normal((15, 6))), np.zeros(6), np.full(6, 3.0), np.r_[5.0, np.zeros(5)]]:
        x = project_simplex(y, total)
        np.testing.assert_allclose(x, simplex_by_faces(y, total), atol=1e-14)
        assert x.min() >= 0 and x.sum() == pytest.approx(total)


@pytest.mark.parametrize("size", [15, 16, 17, 256, 300, LARGE - 1, LARGE, LARGE + 5])
@pytest.mark.parametrize("total", [1e-3, 1.0, 700.0, 1e5])
@pytest.mark.parametrize("order", ["as drawn", "ascending", "rounded"])
def test_simplex_by_sorting(size, total, order):
    """Sizes around those of the groups and blocks that are left out below the threshold."""
    y = np.random.default_rng(size).standard_normal(size)
    y = {"as drawn": y, "ascending": np.sort(y), "rounded": np.round(y, 1)}[order]
    down = np.sort(y)[::-1]
    bounds = (np.cumsum(down) - total) / np.arange(1, size + 1)
    tau = bounds[np.count_nonzero(down > bounds) - 1]
    np.testing.assert_allclose(project_simplex(y, total), np.maximum(y - tau, 0.0), rtol=0, atol=1e-10)
    assert simplex_threshold(y, total) == pytest.approx(tau, abs=1e-10)


@pytest.mark.parametrize(
    "project, constraint",
    [
        (project_spectrum, lambda x, r: [x >= 0, cp.sum(x) <= r]),
        (project_l1, lambda x, r: [cp.norm1(x) <= r]),
        (project_l2, lambda x, r: [cp.norm2(x) <= r]),
    ],
)
@pytest.mark.parametrize("radius", [0.5, 3.0, 50.0])
def test_balls_by_cvxpy(project, constraint, radius):
    y = np.random.default_rng(1).standard_normal(8) * 2
    x = cp.Variable(8)
    cp.Problem(cp.Minimize(cp.sum_squares(x - y)), constraint(x, radius)).solve(solver=cp.CLARABEL)
    np.testing.assert_allclose(project(y, radius), x.value, atol=1e-5)


@pytest.mark.parametrize("project", [project_spectrum, project_l1, project_l2])
def test_inside_stays(project):
    y = np.array([0.2, 0.0, 0.3])
    assert np.array_equal(project(y, 0.5), y)


@pytest.mark.parametrize("project", [project_simplex, project_spectrum, project_l1, project_l2])
def test_radius_zero_and_bad_input(project):
    assert np.array_equal(project(np.array([1.0, -2.0]), 0.0), [0.0, 0.0])
    for y, size in (([1.0, np.nan], 1.0), ([np.inf], 1.0), ([], 1.0), ([1.0], -1.0), ([1.0], np.nan)):
        with pytest.raises(ValueError):
            project(np.array(y), size)


def test_a_huge_vector_and_a_tiny_total():
    x = project_simplex(np.array([1e16, 1e16 - 2, 0.0]), 1.0)
    assert x.sum() == pytest.approx(1.0) and x.min() >= 0


def test_squares_that_are_no_floats_do_not_decide():
    np.testing.assert_allclose(project_l2(np.array([3e200, 4e200]), 1.0), [0.6, 0.8], rtol=1e-15)
    np.testing.assert_allclose(project_l2(np.array([3e-200, 4e-200]), 1e-210), [6e-211, 8e-211], rtol=1e-15)
    np.testing.assert_allclose(project_l2(np.full(2, 1.7e308), 1e308), np.full(2, 1e308 / 2**0.5), rtol=1e-15)
    np.testing.assert_allclose(project_l1(np.full(3, 1.7e308), 1e308), np.full(3, 1e308 / 3), rtol=1e-15)
    for scale in (1e-300, 1e-160, 1e160, 1e300):
        np.testing.assert_allclose(project_simplex([2 * scale, scale], scale) / scale, [1, 0], atol=1e-15)
        np.testing.assert_allclose(project_simplex([1, 1], scale) / scale, [0.5, 0.5], rtol=1e-15)


def test_lengths_at_the_ends_of_the_floats():
    for y in (np.array([3e200, 4e200]), np.array([3e-200, 4e-200]), np.array([15e-323, 2e-322])):
        np.testing.assert_allclose(of_length(y, 5.0), [3, 4], rtol=1e-15)
        assert norm_l2(y) == pytest.approx(1.25 * y[1], rel=1e-15)
    assert norm_l2(np.full(2, 1.7e308)) == np.inf and norm_l2(np.zeros(2)) == 0.0
    assert np.isnan(norm_l2(np.array([1.0, np.nan])))
