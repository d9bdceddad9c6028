"""Linear minimisation, gauges and projections against enumeration, linear programs and other formulas.

The facts that FrankWolfe.jl and copt test their oracles by, on cases of our own.
"""

import itertools

import numpy as np
import pytest
from scipy.optimize import linprog

from projfree import sets

RNG = np.random.default_rng(7)


def test_products_of_dual_norms_are_attained():
    """Hölder: ⟨G, v⟩ = −R ‖G‖_q for 1/p + 1/q = 1."""
    for p in (1.01, 1.5, 2.0, 3.0, 50.0):
        feasible, G = sets.LpBall(2.0, p), RNG.standard_normal(20)
        v, q = feasible.lmo(G), p / (p - 1)
        assert np.vdot(G, v) == pytest.approx(-2.0 * np.sum(np.abs(G) ** q) ** (1 / q))
        assert np.sum(np.abs(v) ** p) ** (1 / p) == pytest.approx(2.0)


def test_groups_by_rows_and_by_labels_agree():
    G, labels = RNG.standard_normal((4, 3)), np.repeat(np.arange(4), 3)
    rows, labelled = sets.GroupBall(1.5), sets.GroupBall(1.5, labels.tolist())
    for one, other in (
        (rows.lmo(G), labelled.lmo(G.ravel())),
        (rows.project(G), labelled.project(G.ravel())),
    ):
        np.testing.assert_allclose(one.ravel(), other, atol=1e-15)
    assert rows.gauge(G) == pytest.approx(np.linalg.norm(G, axis=1).sum())
    assert labelled.gauge(1e-200 * G.ravel()) == pytest.approx(1e-200 * rows.gauge(G))


def test_groups_of_very_different_size_keep_theirs():
    for sizes in ([1.0, 1e-150], [1e200, 1.0], [1e-300, 1e-310], [0.0, 1.0]):
        G = np.outer(sizes, [3.0, 4.0])
        norms = sets.GroupBall(1.0).norms(G)
        assert norms[0] == pytest.approx(5 * sizes[0]) or norms.max() > 1e100 * norms[0]
        assert norms.max() == pytest.approx(5 * max(sizes))


def variation_program(G, radius):
    """min ⟨G, x⟩ over Σx = 0, Σ|x_i − x_j| ≤ R as a linear program in (x, t), t ≥ |differences|."""
    places = np.arange(G.size).reshape(G.shape)
    pairs = [
        pair
        for axis in range(G.ndim)
        for pair in zip(np.delete(places, -1, axis).ravel(), np.delete(places, 0, axis).ravel(), strict=True)
    ]
    D = np.zeros((len(pairs), G.size))
    for row, (i, j) in enumerate(pairs):
        D[row, i], D[row, j] = 1, -1
    slack, n = np.eye(len(pairs)), G.size
    A = np.block([[D, -slack], [-D, -slack], [np.zeros((1, n)), np.ones((1, len(pairs)))]])
    b, E = np.r_[np.zeros(2 * len(pairs)), radius], np.r_[np.ones(n), np.zeros(len(pairs))][None]
    bounds = [(None, None)] * n + [(0, None)] * len(pairs)
    return linprog(np.r_[G.ravel(), np.zeros(len(pairs))], A, b, E, [0], bounds).fun


@pytest.mark.parametrize("shape", [(9,), (2,), (4, 5), (1, 6), (3, 2, 3)])
def test_total_variation_by_a_linear_program(shape):
    for _ in range(10):
        G = RNG.standard_normal(shape)
        v = sets.TotalVariation(1.7).lmo(G)
        assert np.vdot(G, v) == pytest.approx(variation_program(G, 1.7), rel=1e-6)
        assert sets.TotalVariation(1.7).contains(v)


def test_total_variation_of_what_is_constant_is_zero():
    assert not sets.TotalVariation(1.0).lmo(np.ones((3, 3))).any()
    assert not sets.TotalVariation(1.0).lmo(np.ones(1)).any()


def test_a_polytope_by_its_inequalities_is_the_set_they_name():
    """The simplex, and the l1 ball by its 2ⁿ faces."""
    G = RNG.standard_normal(4)
    simplex = sets.Polytope(E=np.ones((1, 4)), f=[2.0])
    np.testing.assert_allclose(simplex.lmo(G), sets.Simplex(2.0).lmo(G), atol=1e-12)
    faces = np.array(list(itertools.product((-1.0, 1.0), repeat=4)))
    ball = sets.Polytope(A=faces, b=np.ones(16), lower=None)
    np.testing.assert_allclose(ball.lmo(G), sets.L1Ball(1.0).lmo(G), atol=1e-9)
    assert ball.diameter == pytest.approx(4.0) and ball.contains([0.5, -0.5, 0, 0])
    assert not ball.contains([0.5, -0.6, 0, 0])


@pytest.mark.parametrize("seed", range(3))
def test_a_polytopes_vertex_is_the_best_of_all_whatever_the_size_of_the_gradient(seed):
    """All vertices of {x ≥ 0 : A x ≤ b} by enumeration of its bases."""
    rng = np.random.default_rng(seed)
    A, b = np.vstack([rng.random((3, 3)), np.ones(3)]), np.r_[rng.random(3) + 0.5, 2.0]
    rows, sides = np.vstack([A, -np.eye(3)]), np.r_[b, np.zeros(3)]
    bases = [list(chosen) for chosen in itertools.combinations(range(7), 3)]
    corners = np.array([np.linalg.solve(rows[c], sides[c]) for c in bases if np.linalg.det(rows[c])])
    corners = corners[(corners @ rows.T <= sides + 1e-12).all(axis=1)]
    polytope = sets.Polytope(A=A, b=b)
    for k in range(-40, 41, 2):
        G = rng.standard_normal(3)
        v = polytope.lmo(2.0**k * G)
        np.testing.assert_array_equal(v, polytope.lmo(G))
        assert G @ v == pytest.approx((corners @ G).min(), rel=1e-12)


def test_a_polytopes_vertex_where_entries_of_the_gradient_differ_by_little():
    """The certificate of `minimize` is ⟨G, x − v⟩, so that a vertex near the best is not good enough."""
    simplex, G = sets.Polytope(E=np.ones((1, 3)), f=[1.0]), 1.0 + 1e-9 * np.array([2.0, 0.0, 1.0])
    np.testing.assert_array_equal(simplex.lmo(G), [0.0, 1.0, 0.0])


@pytest.mark.parametrize(
    "given, said",
    [
        ({"A": [[1.0, 0.0]], "b": [1.0]}, "not solved.*unbounded"),
        ({"A": [[1.0, 1.0]], "b": [-1.0]}, "not solved.*infeasible"),
    ],
)
def test_polytopes_that_are_none(given, said):
    with pytest.raises(ValueError, match=f"polytope: .*(?i:{said})"):
        sets.Polytope(**given).lmo(-np.ones(2))


@pytest.mark.parametrize(
    "given, said",
    [
        (lambda: sets.Polytope(), "neither A nor E"),
        (lambda: sets.Polytope(A=[[1.0]]), "A goes with b"),
        (lambda: sets.Box(1.0, 0.0), "above that of upper"),
        (lambda: sets.KSparse(1.0, 5).lmo(np.ones(3)), "k = 5 for points of 3"),
        (lambda: sets.GroupBall(1.0).lmo(np.ones(3)), "a point is a matrix"),
        (lambda: sets.GroupBall(1.0, [0.5]), "whole numbers"),
        (lambda: sets.LpBall(1.0, 1.0), "p must be a finite number > 1"),
        (lambda: sets.LinfBall(1.0).diameter, "give it as `size`"),
        (lambda: sets.Birkhoff().lmo(np.ones((2, 3))), "must be square, not 2×3"),
        (lambda: sets.Spectraplex().lmo(np.ones((2, 3))), "must be square, not 2×3"),
        (lambda: sets.Product([{"name": "simplex"}], [2, 3]), "1 parts and 2 shapes"),
        (lambda: sets.Product([{"name": "simplx"}], [2]), "Did you mean 'simplex'"),
        (lambda: sets.Product([{"name": "simplex"}], [2]).lmo(np.ones(3)), "a vector of 2"),
    ],
)
def test_errors_name_the_set(given, said):
    with pytest.raises(ValueError, match=said):
        given()
