"""Linear minimisation, gauges and projections against enumeration, linear programs and other formulas.

The facts that FrankWolfe.jl and copt test their oracles by, on cases of our own.
"""

import itertools

import numpy as np
import pytest
from scipy.optimize import linprog

from projfree import sets
from projfree.sets import polytope

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
    for oracle in ("lmo", "project"):
        one, other = getattr(rows, oracle)(G), getattr(labelled, oracle)(G.ravel())
        np.testing.assert_allclose(one.ravel(), other, atol=1e-15)
    assert rows.gauge(G) == pytest.approx(np.linalg.norm(G, axis=1).sum())
    assert labelled.gauge(1e-200 * G.ravel()) == pytest.approx(1e-200 * rows.gauge(G))


def test_groups_of_very_different_size_keep_theirs():
    for sizes in ([1.0, 1e-150], [1e200, 1.0], [1e-300, 1e-310], [0.0, 1.0]):
        G = np.outer(sizes, [3.0, 4.0])
        norms = sets.GroupBall(1.0).norms(G)
        for norm, size in zip(norms, sizes, strict=True):
            assert norm == 5 * size == 0 or norm / size == pytest.approx(5) or norms.max() > 1e100 * norm
        assert norms.max() / max(sizes) == pytest.approx(5)


def variation_program(G, radius):
    """min ⟨G, x⟩ over Σx = 0, Σ|x_i − x_j| ≤ R as a linear program in (x, t), t ≥ |differences|."""
    places = np.moveaxis(np.indices(G.shape), 0, -1).reshape(-1, G.ndim)
    apart = np.abs(places[:, None] - places).sum(axis=2)
    pairs = np.argwhere(np.triu(apart == 1))
    n, m, unit = G.size, len(pairs), np.eye(G.size)
    D, slack = unit[pairs[:, 0]] - unit[pairs[:, 1]], np.eye(m)
    A = np.block([[D, -slack], [-D, -slack], [np.zeros((1, n)), np.ones((1, m))]])
    b, E = np.r_[np.zeros(2 * m), radius], np.r_[np.ones(n), np.zeros(m)][None]
    bounds = [(None, None)] * n + [(0, None)] * m
    return linprog(np.r_[G.ravel(), np.zeros(m)], A, b, E, [0], bounds).fun


@pytest.mark.parametrize("shape", [(9,), (2,), (4, 5), (1, 6), (3, 2, 3)])
def test_total_variation_by_a_linear_program(shape):
    for _ in range(10):
        G = RNG.standard_normal(shape)
        v = sets.TotalVariation(1.7).lmo(G)
        assert np.vdot(G, v) == pytest.approx(variation_program(G, 1.7), rel=1e-6)
        assert sets.TotalVariation(1.7).contains(v)


def test_the_support_of_total_variation_is_a_bound_to_rounding(long):
    """Flows are of whole numbers: all 2¹² pieces of a grid show what that loses."""
    pieces = np.array(list(itertools.product((0.0, 1.0), repeat=12)))[1:-1]
    grid = pieces.reshape(-1, 4, 3)
    boundary = sum(np.abs(np.diff(grid, axis=axis)).sum(axis=(1, 2)) for axis in (1, 2))
    for seed in range(2000 if long else 100):
        rng = np.random.default_rng(seed)
        near = rng.integers(-2, 3, (4, 3)) + 1e-10 * rng.standard_normal((4, 3))  # ties but for that
        G = 2.0 ** rng.integers(-30, 31) * (near if seed % 2 else rng.standard_normal((4, 3)))
        exact = 1.7 * (np.abs(pieces @ (G - G.mean()).ravel()) / boundary).max()
        lost = 1e-15 * np.abs(G).sum()
        assert exact - lost <= sets.TotalVariation(1.7).support(G) <= exact * (1 + 1e-9) + lost
    assert not sets.TotalVariation(1.0).lmo(np.ones(1)).any()


def test_a_polytopes_vertex_where_entries_of_the_gradient_differ_by_little():
    """The certificate of `minimize` is ⟨G, x − v⟩, so that a vertex near the best is not good enough."""
    simplex, G = sets.Polytope(E=np.ones((1, 3)), f=[1.0]), 1.0 + 1e-9 * np.array([2.0, 0.0, 1.0])
    np.testing.assert_array_equal(simplex.lmo(G), [0.0, 1.0, 0.0])


@pytest.mark.parametrize(
    "given, said",
    [
        (lambda: sets.Polytope(A=[[1.0, 0.0]], b=[1.0]).lmo(-np.ones(2)), "polytope: .*unbounded"),
        (lambda: sets.Polytope(A=[[1.0, 1.0]], b=[-1.0]).lmo(-np.ones(2)), "polytope: .*infeasible"),
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
    with pytest.raises(ValueError, match=f"(?i){said}"):
        given()


def bounded(rng, n):
    """A polytope of n variables and its vertices, by enumeration: rows, an equation or limits by chance."""
    A, b = np.vstack([rng.standard_normal((2, n)), np.ones(n)]), np.r_[rng.random(2) + 0.2, 1.0]
    upper = rng.random(n) + 0.1 if rng.random() < 0.5 else None
    E, f = (rng.random((1, n)), [0.05]) if rng.random() < 0.5 else (np.empty((0, n)), [])
    rows, sides = np.vstack([A, -np.eye(n)]), np.r_[b, np.zeros(n)]
    if upper is not None:
        rows, sides = np.vstack([rows, np.eye(n)]), np.r_[sides, upper]
    corners = []
    for chosen in itertools.combinations(range(len(rows)), n - len(E)):
        square = np.vstack([rows[list(chosen)], E])
        if abs(np.linalg.det(square)) > 1e-9:
            corners.append(np.linalg.solve(square, np.r_[sides[list(chosen)], f]))
    corners = np.array(corners)
    equation = (E, f) if f else (None, None)
    return (A, b, *equation, upper), corners[(corners @ rows.T <= sides + 1e-11).all(axis=1)]


def test_a_polytope_is_the_same_in_all_units(long):
    """Rows, limits and gradients times powers of two; the support is a bound, and tight."""
    for seed in range(600 if long else 40):
        rng = np.random.default_rng(seed)
        (A, b, E, f, upper), corners = bounded(rng, int(rng.integers(2, 5)))
        plain = sets.Polytope(A, b, E, f, upper=upper)
        k, e = rng.integers(-40, 41, len(b)), int(rng.integers(-40, 41))
        equation = (None, None) if E is None else (E * 2.0**-30, np.ldexp(f, e - 30))
        limits = {"upper": None if upper is None else np.ldexp(upper, e)}
        scaled = sets.Polytope(np.ldexp(A, k[:, None]), np.ldexp(b, k + e), *equation, **limits)
        for _ in range(3):
            G, i = rng.standard_normal(corners.shape[1]), int(rng.integers(-300, 300))
            best, size = (corners @ G).max(), np.abs(G).sum()
            np.testing.assert_array_equal(scaled.lmo(np.ldexp(G, i)), np.ldexp(plain.lmo(G), e))
            assert scaled.support(np.ldexp(G, i)) == np.ldexp(plain.support(G), e + i)
            assert best - 1e-14 * size <= plain.support(G) <= best + 1e-12 * size
            assert G @ plain.lmo(-G) == pytest.approx(best, rel=1e-12, abs=1e-12 * size)
            x = plain.lmo(G) + 0.01 * rng.standard_normal(G.size)
            assert scaled.gauge(np.ldexp(x, e)) == plain.gauge(x)
        assert plain.contains(corners.mean(axis=0)) and plain.contains(corners[0])


def test_the_bound_of_a_polytope_holds_for_any_multipliers(monkeypatch):
    """A solver that answers with a vertex and multipliers 1 % off: the support stays above the maximum."""
    exact = polytope._solved

    def rough(*program):
        found = exact(*program)
        rng = np.random.default_rng(0)
        for side in (found.ineqlin, found.eqlin) if found.status == 0 else ():
            side.marginals = side.marginals * (1 + 0.01 * rng.standard_normal(side.marginals.size))
        return found

    for seed in range(10):
        (A, b, E, f, upper), corners = bounded(np.random.default_rng(seed), 3)
        G = np.random.default_rng(seed).standard_normal(3)
        for lower in (0.0, np.zeros(3)):
            monkeypatch.setattr(polytope, "_solved", rough)
            assert sets.Polytope(A, b, E, f, lower, upper).support(G) >= (corners @ G).max()
            monkeypatch.undo()
    free = sets.Polytope(np.array(list(itertools.product((-1.0, 1.0), repeat=3))), np.ones(8), lower=None)
    assert free.support([1.0, -3.0, 2.0]) == pytest.approx(3.0, rel=1e-12) and free.diameter >= 2 * 3**0.5


def test_a_polytope_does_not_hand_on_a_vertex_that_is_outside(monkeypatch):
    simplex, exact = sets.Polytope(E=np.ones((1, 3)), f=[1.0]), polytope._solved
    _ = simplex.program

    def outside(*program):
        found = exact(*program)
        found.x = found.x + 1e-6
        return found

    monkeypatch.setattr(polytope, "_solved", outside)
    with pytest.raises(ArithmeticError, match="vertex of the linear program is outside"):
        simplex.lmo([1.0, 2.0, 3.0])
