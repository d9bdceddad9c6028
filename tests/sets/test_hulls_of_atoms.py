"""Oracles of sets that are hulls of atoms, against enumeration and other formulas.

Each on 300 random inputs, on 10⁴ every night.
"""

import itertools

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.linalg import aslinearoperator

import projfree as pf
from projfree import sets
from projfree.linalg.projections import project_l1, project_l2
from projfree.sets._nearest import nearest
from projfree.solvers.inner.active_set import Vertex

POINTS = np.random.default_rng(3).standard_normal((9, 4))
VALUES, WEIGHTS = np.array([2.0, -1.0, 0.5, 0.5, 3.0]), np.array([3.0, 1.0, 1.0, 0.25])
FORM = np.random.default_rng(4).standard_normal((5, 5))
FORM = FORM @ FORM.T + 0.1 * np.eye(5)
CENTRE = np.array([1.0, -2.0, 0.0, 0.5, 0.0])


def chosen(n, sizes):
    return [
        np.isin(np.arange(n), places).astype(float)
        for k in sizes
        for places in itertools.combinations(range(n), k)
    ]


def signed(n, weights):
    """Equal sizes on some entries, with signs, and zeros elsewhere."""
    for signs in itertools.product((-1.0, 0.0, 1.0), repeat=n):
        if any(signs):
            yield np.array(signs) / weights[: np.count_nonzero(signs)].sum()


SIGNS = np.array(list(itertools.product((-1.0, 0.0, 1.0), repeat=5)))

#: Name → (set, its vertices): none has others.
ENUMERATED = {
    "l1": (sets.L1Ball(1.5), 1.5 * SIGNS[np.abs(SIGNS).sum(axis=1) == 1]),
    "l∞": (sets.LinfBall(0.5), 0.5 * SIGNS[np.abs(SIGNS).sum(axis=1) == 5]),
    "k-sparse": (sets.KSparse(2.0, 2), 2.0 * SIGNS[np.abs(SIGNS).sum(axis=1) == 2]),
    "simplex": (sets.Simplex(2.0), 2.0 * np.eye(5)),
    "box": (
        sets.Box([-1.0, 0.0, 2.0], [0.5, 0.0, 3.0]),
        np.array(list(itertools.product((-1.0, 0.5), (0.0,), (2.0, 3.0)))),
    ),
    "hypersimplex": (sets.Hypersimplex(1.5, 3), 1.5 * np.array(chosen(6, [3]))),
    "hypersimplex, all": (sets.Hypersimplex(1.0, 4), np.ones((1, 4))),
    "unit hypersimplex": (sets.UnitHypersimplex(1.5, 3), 1.5 * np.array(chosen(6, range(4)))),
    "owl": (sets.OwlBall(2.0, WEIGHTS), 2.0 * np.array(list(signed(4, WEIGHTS)))),
    "owl, l1": (sets.OwlBall(2.0, [1.0, 1.0, 1.0]), 2.0 * np.array(list(signed(3, np.ones(3))))),
    "permutahedron": (
        sets.Permutahedron(VALUES),
        np.array([VALUES[list(p)] for p in itertools.permutations(range(5))]),
    ),
    "convex hull": (sets.ConvexHull(POINTS), POINTS),
    "convex hull, sparse": (sets.ConvexHull(csr_array(np.eye(5)[:4])), np.eye(5)[:4]),
    "from lmo": (sets.FromLmo(lambda G: POINTS[np.argmin(POINTS @ G)], 5.0), POINTS),
}
over_enumerated = pytest.mark.parametrize("name", ENUMERATED)


@pytest.fixture
def inputs(long):
    """Random vectors of a size, of very different lengths."""

    def of(n, share=1.0):
        rng = np.random.default_rng(0)
        return (10.0 ** rng.uniform(-2, 2) * rng.standard_normal(n) for _ in range(int(count * share)))

    count = 10_000 if long else 300
    return of


@over_enumerated
def test_the_atom_is_the_best_of_all_and_one_of_them(name, inputs):
    feasible, vertices = ENUMERATED[name]
    for G in inputs(vertices.shape[1]):
        products, v = vertices @ G, feasible.lmo(G)
        assert G @ v == pytest.approx(products.min(), rel=1e-12, abs=1e-12)
        assert feasible.support(G) == pytest.approx(products.max(), rel=1e-12, abs=1e-12)
        assert np.abs(vertices - v).max(axis=1).min() <= 1e-15
    tie = feasible.lmo(np.zeros(vertices.shape[1]))
    assert np.abs(vertices - tie).max(axis=1).min() <= 1e-15, "all are as good, and one is the answer"
    assert name != "simplex" or tie.argmax() == 0, "the first of ties"


@pytest.mark.parametrize("k", [1, 2, 5, 7, 9])
def test_the_nearest_point_of_the_k_support_ball_by_its_conditions_of_optimality(k, inputs):
    """p is feasible and ⟨x − p, v − p⟩ ≤ 0 for all v: on sizes with ties and zeros, and small radii."""
    rng = np.random.default_rng(2)
    for x in inputs(7):
        x = np.rint(x) if rng.random() < 0.3 else x * rng.integers(0, 2, 7) if rng.random() < 0.3 else x
        ball = sets.KSupportBall(10.0 ** rng.uniform(-6, 2), k)
        p, outside = ball.project(x), ball.gauge(x) > ball.radius
        assert ball.gauge(p) == pytest.approx(ball.radius, rel=1e-12) if outside else p is x
        assert ball.support(x - p) - (x - p) @ p <= 1e-14 * ball.radius * np.linalg.norm(x)


def test_the_nearest_point_of_the_k_support_ball_at_all_scales():
    x, ball = np.r_[np.random.default_rng(0).standard_normal(6), 3.0, 3.0, -3.0, 0.0], sets.KSupportBall
    tiny = np.ldexp(ball(2.0**-60, 4).project(x), 60)
    for e in (-100, -500, -1000):  # from some radius on only the direction of the answer counts
        np.testing.assert_allclose(np.ldexp(ball(2.0**e, 4).project(x), -e), tiny, rtol=1e-12)
    # Sizes that differ in the last digit: the larger one is the answer, not one of both.
    twins = np.array([1.0, 1.0 + 2.0**-52])
    np.testing.assert_array_equal(ball(2.0**-100, 1).project(twins), [0.0, 2.0**-100])


@pytest.mark.parametrize("A", [FORM, np.diag(FORM)], ids=["matrix", "diagonal"])
def test_the_ellipsoid_by_solving_with_its_matrix(A, inputs):
    ellipsoid, M = sets.Ellipsoid(1.5, A, CENTRE), A if A.ndim == 2 else np.diag(A)
    for G in inputs(5):
        step = np.linalg.solve(M, G)
        v, size = ellipsoid.lmo(G), np.sqrt(G @ step)
        np.testing.assert_allclose(v, CENTRE - 1.5 * step / size, rtol=1e-9, atol=1e-9)
        assert ellipsoid.support(G) == pytest.approx(G @ CENTRE + 1.5 * size, rel=1e-10)
        assert ellipsoid.gauge(G) == pytest.approx(np.sqrt((G - CENTRE) @ M @ (G - CENTRE)), rel=1e-10)
        p = ellipsoid.project(G)  # by the conditions of optimality: G − p is a multiple ≥ 0 of A(p − c)
        normal = M @ (p - CENTRE)
        along = (G - p) @ normal / (normal @ normal)
        assert along >= 0 and ellipsoid.contains(p) and ellipsoid.contains(v)
        assert along == 0 or ellipsoid.gauge(p) == pytest.approx(1.5, rel=1e-10)
        np.testing.assert_allclose(G - p, along * normal, atol=1e-9 * (1 + np.abs(G).max()))


@pytest.mark.parametrize("n, k", [(200, 3), (60, 3), (5, 4), (5, 5)])
def test_the_fantope_asks_a_sparse_or_an_unknown_gradient_for_products_only(n, k):
    rng = np.random.default_rng(0)
    S = rng.standard_normal((n, n)) * (rng.random((n, n)) < 0.2)
    S = S + S.T
    want = sets.Fantope(k).lmo(S)
    for G in (csr_array(S), aslinearoperator(csr_array(S))):
        np.testing.assert_allclose(sets.Fantope(k).lmo(G, tol=1e-12), want, atol=1e-8)
        assert sets.Fantope(k).support(G) == pytest.approx(sets.Fantope(k).support(S), rel=1e-10)
    uneven = csr_array(np.triu(S) + np.eye(n, k=1))
    half = (uneven + uneven.T).toarray() / 2  # a sparse matrix has a symmetric part, an operator has none
    np.testing.assert_allclose(sets.Fantope(k).lmo(uneven, tol=1e-12), sets.Fantope(k).lmo(half), atol=1e-8)
    with pytest.raises(ValueError, match="fantope: an operator G must be symmetric"):
        sets.Fantope(k).lmo(aslinearoperator(uneven))


def test_the_spectraplex_asks_a_sparse_or_an_unknown_gradient_for_products_only():
    rng, n = np.random.default_rng(0), 200
    S = rng.standard_normal((n, n)) * (rng.random((n, n)) < 0.1)
    S, feasible = S + S.T, sets.Spectraplex(2.0)
    want, most = feasible.lmo(S, tol=1e-12).toarray(), feasible.support(S)
    uneven = csr_array(2 * np.triu(S) - np.diag(np.diag(S)))  # its symmetric part is S
    for G, e in ((uneven, 0), (aslinearoperator(S), 0), (csr_array(np.ldexp(S, 600)), 600)):
        found = feasible.lmo(G, start=feasible.lmo(G), tol=1e-12)
        np.testing.assert_allclose(found.toarray(), want, atol=1e-8)
        assert np.ldexp(feasible.support(G), -e) == pytest.approx(most, rel=1e-10)
    for given, said in (
        (aslinearoperator(np.triu(S)), "an operator G must be symmetric"),
        (csr_array((n, n - 1)), "must be square, not 200×199"),
        (aslinearoperator(np.full((n, n), np.nan)), "products of the operator G are not finite"),
    ):
        with pytest.raises(ValueError, match=f"spectraplex: .*{said}"):
            feasible.lmo(given)
    zero = csr_array((n, n))
    assert feasible.support(zero) == 0 and feasible.contains(feasible.lmo(zero).toarray())


def test_the_nearest_point_of_a_polytope_and_of_a_ball_by_their_vertices_alone(inputs):
    for x in inputs(6):
        found = nearest(sets.L1Ball(1.5).lmo, x)
        np.testing.assert_allclose(found, project_l1(x, 1.5), atol=1e-9 * (1 + np.abs(x).max()))
    for x in inputs(6, 0.1):
        np.testing.assert_allclose(nearest(sets.L2Ball(1.5).lmo, x), project_l2(x, 1.5), atol=1e-6)


@pytest.mark.parametrize("scale", [1e-30, 1.0, 1e30])
def test_the_nearest_point_at_all_scales_and_far_from_zero(scale):
    x, corners = scale * np.array([2.0, 2.0, 0.0]), scale * np.eye(3)
    for shift in (0.0, 1e6 * scale):
        hull, best = sets.ConvexHull(corners + shift), scale * np.array([0.5, 0.5, 0]) + shift
        np.testing.assert_allclose(hull.project(x + shift), best, atol=scale * 1e-9)
        assert hull.diameter >= np.linalg.norm(corners[0] - corners[1])
        assert hull.contains(corners.mean(axis=0) + shift) and not hull.contains(3 * x + shift)


def test_active_sets_keep_their_atoms_by_non_zeros():
    sparse = sets.ConvexHull(csr_array(([3.0, 4.0], ([0, 1], [5, 90])), shape=(2, 100)))
    owl = sets.OwlBall(1.0, np.linspace(2, 1, 100))
    for feasible in (sets.Hypersimplex(1.0, 3), sets.KSupportBall(1.0, 3), owl, sparse):
        G = np.random.default_rng(0).standard_normal(100)
        vertex = Vertex.of(feasible.lmo(np.where(np.arange(100) < 5, 10 * G, 1e-3 * G)))
        assert vertex.places is not None and vertex.values.size <= 5


@pytest.mark.parametrize(
    "given, said",
    [
        (lambda: sets.Hypersimplex(1.0, 4).lmo(np.ones(3)), "k = 4 for points of 3"),
        (lambda: sets.Hypersimplex(1.0, 4).project(np.ones(3)), "k = 4 for points of 3"),
        (lambda: sets.OwlBall(1.0, [1.0, 2.0]), "owl_ball: weights must not rise"),
        (lambda: sets.OwlBall(1.0, [0.0, 0.0]), "the first must be > 0"),
        (lambda: sets.OwlBall(1.0, [1.0]).lmo(np.ones(3)), "owl_ball: G must be a vector of 1"),
        (lambda: sets.Ellipsoid(1.0, [1.0, 0.0]), "positive definite"),
        (lambda: sets.Ellipsoid(1.0, [[1.0, 1.0], [0.0, 1.0]]), "A must be symmetric"),
        (lambda: sets.Ellipsoid(1.0, [1.0], [0.0, 0.0]), "ellipsoid: centre must be a vector of 1"),
        (lambda: sets.Fantope(1).lmo(csr_array(np.ones((2, 3)))), "G must be square, not 2×3"),
        (lambda: sets.Fantope(3).lmo(np.eye(2)), "k = 3 for matrices of 2"),
        (lambda: sets.ConvexHull([[np.nan]]).lmo(np.ones(1)), "convex_hull: points has entries"),
        (lambda: sets.FromLmo(lambda G: G[:1]).lmo(np.ones(2)), r"shape \(1,\), G \(2,\)"),
        (lambda: sets.FromLmo(lambda G: G * np.inf).lmo(np.ones(2)), "the answer has entries that are not"),
        (lambda: sets.FromLmo(lambda G: -G).diameter, "give a bound of ‖x‖ as `radius`"),
        (lambda: sets.FromLmo(lambda G: (-G, 9.0)).lmo(np.ones(2)), "the bound 9.0 is not below the value"),
        (lambda: sets.FromLmo(3), "oracle must be of type Callable"),
    ],
)
def test_errors_of_hulls_name_the_set(given, said):
    with pytest.raises(ValueError, match=said):
        given()


def test_an_inexact_oracle_of_ones_own_may_give_its_bound():
    """1 % off, with a true bound: the certificate stays above the suboptimality, and none is below zero."""

    def inexact(G):
        values = POINTS @ G
        near = int(np.argmax(values <= values.min() + 0.01 * abs(values.min())))
        return POINTS[near], values.min()

    hull, exact = sets.FromLmo(inexact, 5.0), sets.ConvexHull(POINTS)
    slope = -np.array(exact.lmo(np.array([0.3, -0.2, 0.9, 0.1])))
    for point in POINTS:
        G = slope + 0.01 * point
        assert hull.support(G) == pytest.approx(exact.support(G), rel=1e-14)
        found = pf.certificate(lambda x, G=G: (float(G @ x), G), hull, hull.lmo(G))
        assert found.value >= max(0.0, G @ hull.lmo(G) + exact.support(-G))
    pair = sets.FromLmo(lambda G: (0.0, 1.0) if G[0] > G[1] else (1.0, 0.0))  # an array of two, no bound
    assert pair.support([2.0, 1.0]) == 2.0 and pair.lmo([2.0, 1.0]).tolist() == [0.0, 1.0]
