"""Sets from models of other packages, and oracles with bounds and tolerances of their own."""

import itertools

import cvxpy as cp
import highspy
import numpy as np
import pytest
from feasible import knapsack
from scipy import sparse
from scipy.optimize import Bounds, LinearConstraint

import projfree as pf


def packed(kind, folder):
    """`knapsack` in this form: the model, or a file of it, and the variable."""
    if kind == "cvxpy":
        x, whole = cp.Variable(4), cp.Variable(3, integer=True)
        limits = [x[:3] == whole, x >= 0, x <= 2, np.array([3.0, 2.0, 4.0, 2.5]) @ x <= 9]
        return cp.Problem(cp.Maximize(x[0]), limits), x
    if kind == "scipy":
        return knapsack(), None
    highs = highspy.Highs()
    highs.silent()
    a, b, c = (highs.addIntegral(0, 2) for _ in range(3))
    highs.addConstr(3 * a + 2 * b + 4 * c + 2.5 * highs.addVariable(0, 2) <= 9)
    if kind == "highspy":
        return highs, None
    highs.writeModel(str(folder / f"plan.{kind}"))
    return folder / f"plan.{kind}", None


@pytest.mark.parametrize("kind", ["highspy", "cvxpy", "scipy", "mps", "lp"])
def test_a_model_is_the_hull_of_its_points(kind, tmp_path):
    found = pf.sets.FromModel(*packed(kind, tmp_path))
    rng, grid = np.random.default_rng(0), np.array(list(itertools.product((0.0, 1.0, 2.0), repeat=3)))
    left = 9 - grid @ [3, 2, 4]
    grid, left = grid[left >= 0], np.minimum(left[left >= 0] / 2.5, 2)
    points = np.vstack([np.c_[grid, 0 * left], np.c_[grid, left]])
    for scale in (1e-9, 1.0, 1e9):
        for G in scale * rng.standard_normal((10, 4)):
            best, v = (points @ G).min(), found.lmo(G)
            assert abs(G @ v - best) <= 1e-9 * scale and np.array_equal(v[:3], np.round(v[:3]))
            assert best - 1e-8 * scale <= -found.support(-G) <= best  # a bound, and a close one
    assert 4.0**0.5 <= found.norm_bound <= 4.0 + 1e-8 and found.contains([0, 0, 0, 1.5])
    assert not found.contains([2, 1, 0, 0.9])  # it is in the relaxation, and so not in the hull
    aim = np.array([1.3, 0.4, 0.9, 0.2])
    run = pf.minimize(lambda x: (0.5 * (x - aim) @ (x - aim), x - aim), found, x0=np.zeros(4), tol=1e-5)
    assert run.success and run.method == "quadratic-corrective-fw"
    assert np.sum((run.x - pf.sets.ConvexHull(points).project(aim)) ** 2) <= 2 * run.gap + 1e-12


def test_whole_numbers_of_cvxpy_are_the_assignments():
    x = cp.Variable((4, 4), boolean=True)
    found = pf.sets.FromModel(cp.Problem(cp.Minimize(0), [cp.sum(x, axis=0) == 1, cp.sum(x, axis=1) == 1]))
    G, birkhoff = np.random.default_rng(1).standard_normal((4, 4)), pf.sets.Birkhoff()
    assert np.array_equal(found.lmo(G), birkhoff.lmo(G))
    assert 0 <= found.support(G) - birkhoff.support(G) < 1e-8


def test_without_whole_numbers_the_bound_is_that_of_a_polytope():
    row = LinearConstraint(sparse.csr_array([[1.0, 2.0, 3.0]]), -1.0, 4.0)
    rows = [row, LinearConstraint(np.eye(3), -1, 1)]
    found = pf.sets.FromModel({"constraints": rows, "bounds": Bounds(-1.0, np.inf)})
    A, b = np.vstack([[1, 2, 3], [-1, -2, -3], np.eye(3), -np.eye(3)]), [4, 1, 1, 1, 1, 1, 1, 1]
    same = pf.sets.Polytope(A=A, b=b, lower=-1.0)
    for G in np.random.default_rng(2).standard_normal((10, 3)):
        assert np.allclose(found.lmo(G), same.lmo(G), atol=1e-12)
        assert found.support(G) == pytest.approx(same.support(G), abs=1e-12)


def test_a_gap_of_the_solver_is_in_the_certificate():
    """HiGHS that stops early gives a worse point, and a dual bound that holds."""
    rng = np.random.default_rng(3)
    weights = rng.integers(20, 90, (6, 30)).astype(float)
    model = {"constraints": LinearConstraint(weights, -np.inf, weights.sum(axis=1) / 3)}
    model |= {"bounds": Bounds(0, 1), "integrality": np.ones(30)}
    exact, early = pf.sets.FromModel(model), pf.sets.FromModel(model, gap=0.5)
    G = -rng.integers(20, 90, 30).astype(float)
    best, point = exact.support(-G), early.lmo(G)
    assert early.support(-G) >= best * (1 - 1e-9) and -G @ point <= best * (1 + 1e-9)
    assert early.support(-G) > -G @ point + 1.0  # what it leaves open is not hidden


@pytest.mark.parametrize(
    "model, said",
    [
        (3.0, "the model must be a path"),
        ("no.mps", "there is no file no.mps"),
        ({"bound": 1}, "not .'bound'."),
        ({"constraints": [[1.0, 2.0]]}, "LinearConstraint"),
        ({"integrality": [2, 0], "bounds": Bounds(0, 1)}, "semi-continuous"),
        ({"constraints": LinearConstraint([[1, 1]], 3), "bounds": Bounds(0, 1), "integrality": 1}, "empty"),
        ({"constraints": LinearConstraint([[1, -1]], 0, 1), "integrality": 1}, "unbounded"),
        (cp.Problem(cp.Minimize(0), [cp.norm(cp.Variable(2)) <= 1]), "as linear ones"),
        (cp.Problem(cp.Minimize(0), [cp.Variable(2) <= 1, cp.Variable(3) <= 1]), "several variables"),
        (cp.Problem(cp.Minimize(0), [cp.Variable((2, 2), symmetric=True) <= 1]), "CVXPY replaces"),
    ],
)
def test_a_model_that_is_none_is_an_error(model, said):
    with pytest.raises(ValueError, match=said):
        found = pf.sets.FromModel(model)
        found.lmo(-np.ones(found.shape))


def test_a_file_that_is_no_model_is_an_error(tmp_path):
    path = tmp_path / "plan.mps"
    path.write_text("nothing\n")
    with pytest.raises(ValueError, match="cannot read"):
        pf.sets.FromModel(path).lmo([1.0])


def test_the_tolerance_of_an_oracle_is_in_the_certificate():
    """An oracle of a relative error of 1 %: the gap is never below the true one."""
    ball, aim = pf.sets.L1Ball(2.0), np.array([3.0, 0.5, 0.1])
    near = lambda x: (0.5 * (x - aim) @ (x - aim), x - aim)  # noqa: E731
    loose = pf.sets.FromLmo(lambda G: 0.99 * ball.lmo(G), radius=2.0, is_polytope=True, tolerance=0.02)
    found = pf.minimize(near, loose, x0=np.zeros(3), budget=50)
    exact = pf.certificate(near, ball, found.x).value
    assert found.gap >= exact > 0 and found.gap <= 0.03 * 2 * np.abs(aim - found.x).max() + exact


def test_a_function_for_linear_minimisation_is_a_set():
    aim = np.array([0.2, 1.0, -0.5])

    def square(x):
        return 0.5 * (x - aim) @ (x - aim), x - aim

    found = pf.minimize(square, pf.sets.Simplex().lmo, x0=[1, 0, 0], tol=1e-3)
    assert found.success and np.sum((found.x - [0.1, 0.9, 0.0]) ** 2) <= 2 * found.gap

    class Half:
        lmo = staticmethod(pf.sets.Simplex().lmo)

    with pytest.raises(ValueError, match="`lmo` but no support, gauge, bound: give projfree.sets.FromLmo"):
        pf.minimize(square, Half(), x0=[1, 0, 0])
