"""The nuclear-norm ball by optimality conditions and against CVXPY."""

import cvxpy as cp
import numpy as np
import pytest

from projfree.linalg.atoms import Atom
from projfree.linalg.sampled import ObservedAtoms, Pattern, SparseOnPattern
from projfree.sets.nuclear_ball import Set

METHODS = ("full", "gram", "partial")


@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (9, 1), (30, 20), (20, 30)])
def test_lmo_attains_minus_r_sigma_1(shape):
    rng = np.random.default_rng(0)
    G = rng.standard_normal(shape)
    atom = Set(3.0).lmo(G, rng=rng, tol=1e-8)
    assert isinstance(atom, Atom) and atom.scale == -3.0 and atom.matvecs > 0
    assert atom.inner(G) == pytest.approx(-3.0 * np.linalg.norm(G, 2), rel=1e-12)
    assert Set(3.0).contains(atom.toarray())


def test_lmo_with_ties_and_low_rank():
    rng = np.random.default_rng(1)
    Q, P = np.linalg.qr(rng.standard_normal((12, 12)))[0], np.linalg.qr(rng.standard_normal((9, 9)))[0]
    for spectrum in ([2, 2, 1], [2, 2, 2, 2], [1]):
        G = (Q[:, : len(spectrum)] * np.array(spectrum, float)) @ P[:, : len(spectrum)].T
        assert Set(1.5).lmo(G, rng=rng).inner(G) == pytest.approx(-1.5 * spectrum[0], rel=1e-6)


def test_lmo_of_a_zero_gradient_is_feasible():
    atom = Set(2.0).lmo(np.zeros((4, 3)), rng=np.random.default_rng(0))
    assert atom.inner(np.zeros((4, 3))) == 0.0 and Set(2.0).contains(atom.toarray())


def test_lmo_on_a_sparse_gradient_warm_from_an_atom():
    rng = np.random.default_rng(2)
    flat = rng.choice(40 * 30, 200, replace=False)
    G = SparseOnPattern(Pattern(flat // 30, flat % 30, (40, 30)), rng.standard_normal(200))
    first = Set(5.0).lmo(G, rng=rng)
    again = Set(5.0).lmo(G, start=first, rng=rng)
    assert again.inner(G) == pytest.approx(-5.0 * np.linalg.norm(G.toarray(), 2), rel=1e-5)
    assert again.matvecs <= first.matvecs


def test_certified_value_bounds_the_optimum():
    rng = np.random.default_rng(3)
    G = rng.standard_normal((60, 50))
    atom = Set(1.0).lmo(G, rng=rng, tol=1e-2)
    assert atom.sigma <= np.linalg.norm(G, 2) <= atom.sigma * (1 + atom.residual)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("shape, radius", [((30, 20), 5.0), ((120, 150), 12.0), ((6, 5), 0.1), ((1, 4), 1.0)])
def test_projection_by_its_optimality_conditions(method, shape, radius):
    rng = np.random.default_rng(4)
    X, ball = rng.standard_normal(shape), Set(radius)
    before = X.copy()
    P = ball.project(X, method)
    assert np.array_equal(X, before)
    assert ball.contains(P) and ball.gauge(P) == pytest.approx(radius)
    # ⟨X − P, Y − P⟩ ≤ 0 for all Y in the ball: the worst Y is that of the linear minimisation.
    worst = ball.lmo(P - X, rng=rng, tol=1e-10)
    assert worst.inner(X - P) - np.sum((X - P) * P) <= 1e-9 * np.linalg.norm(X) * radius


@pytest.mark.parametrize("noise, radius", [(0.0, 3.0), (0.01, 3.0), (0.01, 8.0), (0.05, 30.0), (0.01, 0.2)])
def test_full_gram_and_partial_agree(noise, radius):
    rng = np.random.default_rng(5)
    U, V = np.linalg.qr(rng.standard_normal((210, 8)))[0], np.linalg.qr(rng.standard_normal((160, 8)))[0]
    X = (U * np.linspace(2, 1, 8)) @ V.T + noise * rng.standard_normal((210, 160))
    for matrix in (X, np.ascontiguousarray(X.T)):
        full, gram, partial = (Set(radius).project(matrix, method) for method in METHODS)
        assert np.linalg.norm(full - gram) <= 1e-8
        assert np.linalg.norm(full - partial) <= 1e-8


def test_projection_by_cvxpy():
    Y, radius = np.random.default_rng(6).standard_normal((6, 5)), 2.5
    X = cp.Variable((6, 5))
    cp.Problem(cp.Minimize(cp.sum_squares(X - Y)), [cp.normNuc(X) <= radius]).solve(solver=cp.CLARABEL)
    for method in METHODS:
        np.testing.assert_allclose(Set(radius).project(Y, method), X.value, atol=1e-5)


@pytest.mark.parametrize("method", METHODS)
def test_inside_the_ball_the_matrix_itself_comes_back(method):
    rng = np.random.default_rng(7)
    low_rank = np.outer(rng.standard_normal(120), rng.standard_normal(110)) / 120
    for X in (rng.standard_normal((7, 6)) / 100, low_rank, np.zeros((3, 3))):
        radius = 1.01 * np.linalg.norm(X, "nuc")
        assert Set(radius).project(X, method) is X


@pytest.mark.parametrize("method", METHODS)
def test_radius_zero(method):
    rng = np.random.default_rng(8)
    X, point = rng.standard_normal((4, 3)), Set(0.0)
    assert not point.project(X, method).any()
    atom = point.lmo(X, rng=rng)
    assert atom.sq_norm == 0.0 and not atom.toarray().any()
    assert point.diameter == point.norm_bound == 0.0 and point.contains(np.zeros((2, 2)))


def test_gauge_of_arrays_and_sums_of_atoms():
    rng = np.random.default_rng(9)
    X = ObservedAtoms(Pattern([0, 1], [0, 2], (4, 5)))
    for _ in range(3):
        X.toward(Set(2.0).lmo(rng.standard_normal((4, 5)), rng=rng), 0.4)
    assert Set(2.0).gauge(X) == pytest.approx(Set(2.0).gauge(X.toarray()))
    assert Set(2.0).contains(X) and not Set(0.1).contains(X)
    assert Set(2.0).diameter == 4.0 and Set(2.0).norm_bound == 2.0


def test_the_slack_of_contains():
    X = np.diag([1.0, 1.0])
    assert Set(2.0).contains(X) and Set(2.0 * (1 - 1e-10)).contains(X)
    assert not Set(2.0 * (1 - 1e-8)).contains(X) and Set(1.9).contains(X, slack=0.1)


def test_bad_parameters():
    for radius in (-1.0, np.nan, np.inf):
        with pytest.raises(ValueError, match="radius"):
            Set(radius)
    with pytest.raises(ValueError, match="unknown projection method 'fast'.*Known are: full, gram, partial"):
        Set(1.0).project(np.eye(2), "fast")
    for method in METHODS:
        with pytest.raises(ValueError, match="not finite"):
            Set(1.0).project(np.array([[1.0, np.nan]]), method)


@pytest.mark.parametrize("shape", [(1, 1), (9, 1), (40, 6), (6, 40), (5, 5)])
def test_lmo_by_gram_matrix_is_the_dense_svd(shape):
    rng, ball = np.random.default_rng(0), Set(3.0, linear="gram")
    Q, P = (np.linalg.qr(rng.standard_normal((side, min(shape))))[0] for side in shape)
    tied = Q @ P.T
    for G in (
        rng.standard_normal(shape),
        np.outer(Q[:, 0], P[:, 0]),
        tied,
        1e-9 * rng.standard_normal(shape),
    ):
        atom = ball.lmo(G)
        assert atom.inner(G) == pytest.approx(-3.0 * np.linalg.norm(G, 2), rel=1e-12)
        assert np.linalg.norm(atom.toarray(), "nuc") == pytest.approx(3.0, rel=1e-12)
        assert ball.support(G) == pytest.approx(3.0 * np.linalg.norm(G, 2), rel=1e-12)
    zero = ball.lmo(np.zeros(shape))
    assert zero.inner(np.zeros(shape)) == 0.0 and ball.contains(zero.toarray())
    with pytest.raises(ValueError, match="not finite"):
        ball.lmo(np.full(shape, np.nan))


@pytest.mark.parametrize("method", METHODS)
def test_projections_at_all_scales(method):
    rng = np.random.default_rng(10)
    for X in (np.ones((6, 5)), rng.standard_normal((30, 12)), rng.standard_normal((12, 30))):
        P = Set(0.4).project(X, "full")
        for e in range(-950, 1001, 50):
            found = Set(float(np.ldexp(0.4, e))).project(np.ldexp(X, e), method)
            np.testing.assert_allclose(np.ldexp(found, -e), P, atol=1e-12)
    found = Set(1e-180).project(np.full((4, 3), 1e-170), method)
    np.testing.assert_allclose(found * 1e180, np.full((4, 3), 12**-0.5), rtol=1e-12)
    X = np.full((4, 3), 1e-200)
    assert Set(1e200).project(X, method) is X
    np.testing.assert_allclose(Set(1e-200).project(1e200 * np.ones((2, 2)), method), np.full((2, 2), 5e-201))


@pytest.mark.parametrize("linear", ["lanczos", "gram"])
def test_support_bounds_at_all_scales(linear):
    rng, ball = np.random.default_rng(11), Set(2.0, linear=linear)
    pattern = Pattern(*np.nonzero(rng.random((40, 30)) < 0.3), (40, 30))
    G = SparseOnPattern(pattern, rng.standard_normal(pattern.n))
    exact = 2.0 * np.linalg.norm(G.toarray(), 2)
    for e in range(-1000, 1001, 100):
        for H in (SparseOnPattern(pattern, np.ldexp(G.values, e)), np.ldexp(G.toarray(), e)):
            assert np.ldexp(ball.support(H), -e) == pytest.approx(exact, rel=1e-9)
            assert ball.lmo(H, tol=1e-8).inner(H) == pytest.approx(-np.ldexp(exact, e), rel=1e-12)
    assert ball.support(G) >= exact * (1 - 1e-14)


@pytest.mark.parametrize("bad", [np.empty((0, 3)), np.empty((3, 0)), np.ones(3), np.ones((2, 2), complex)])
def test_what_is_no_matrix_is_refused(bad):
    for linear in ("lanczos", "gram"):
        ball = Set(1.0, linear=linear)
        for use in (ball.lmo, ball.support, ball.project):
            with pytest.raises(ValueError, match="must be (a matrix|real numbers)"):
                use(bad)


@pytest.mark.parametrize("least", [0.0, 1e-6, 0.3])
@pytest.mark.parametrize("share", [0.01, 0.5, 1 - 1e-9, 1 + 1e-9])
def test_the_default_is_as_exact_as_the_full_decomposition(least, share):
    rng = np.random.default_rng(8)
    U, V = (np.linalg.qr(rng.standard_normal((side, 30)))[0] for side in (50, 40))
    s = np.linspace(1.0, least, 30)
    X = (U * s) @ V.T
    ball = Set(share * s.sum())
    np.testing.assert_allclose(ball.project(X), ball.project(X, "full"), rtol=0, atol=1e-12)


def test_a_partial_decomposition_gives_up_before_it_costs_more_than_a_full_one(monkeypatch):
    """Where the answer has a large rank, the products with X are a tenth of those of a Gram matrix."""
    from projfree.linalg import partial

    X, widths = np.random.default_rng(9).standard_normal((400, 400)), []
    monkeypatch.setattr(
        partial,
        "ritz_triplets",
        lambda images, V, f=partial.ritz_triplets: widths.append(V.shape[1]) or f(images, V),
    )
    ball = Set(0.5 * np.linalg.norm(X, "nuc"))
    np.testing.assert_allclose(ball.project(X, "partial"), ball.project(X, "full"), atol=1e-9)
    assert max(widths) <= 40
