"""Projections of vectors against brute force and CVXPY."""

import itertools

import cvxpy as cp
import numpy as np
import pytest

from projfree.linalg.projections import project_l1, project_l2, project_simplex, project_spectrum


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
