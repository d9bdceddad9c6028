"""The nuclear-norm ball by optimality conditions and against the full decomposition."""

import numpy as np
import pytest

from projfree.linalg import partial
from projfree.linalg.observed import ObservedAtoms
from projfree.linalg.sampled import Pattern, SparseOnPattern
from projfree.sets.nuclear_ball import Set

METHODS = ("full", "gram", "partial")


def test_lmo_on_a_sparse_gradient_warm_from_an_atom():
    rng = np.random.default_rng(2)
    flat = rng.choice(40 * 30, 200, replace=False)
    G = SparseOnPattern(Pattern(flat // 30, flat % 30, (40, 30)), rng.standard_normal(200))
    first = Set(5.0).lmo(G, rng=rng)
    again = Set(5.0).lmo(G, start=first, rng=rng)
    assert again.inner(G) == pytest.approx(-5.0 * np.linalg.norm(G.toarray(), 2), rel=1e-5)
    assert again.matvecs <= first.matvecs


@pytest.mark.parametrize("noise, radius", [(0.0, 3.0), (0.01, 3.0), (0.01, 8.0), (0.05, 30.0), (0.01, 0.2)])
def test_full_gram_and_partial_agree(noise, radius):
    rng = np.random.default_rng(5)
    U, V = np.linalg.qr(rng.standard_normal((210, 8)))[0], np.linalg.qr(rng.standard_normal((160, 8)))[0]
    X = (U * np.linspace(2, 1, 8)) @ V.T + noise * rng.standard_normal((210, 160))
    for matrix in (X, np.ascontiguousarray(X.T)):
        full, *others = (Set(radius).project(matrix, method) for method in METHODS)
        assert max(np.linalg.norm(full - other) for other in others) <= 1e-8


@pytest.mark.parametrize("method", [*METHODS, None])
def test_inside_the_ball_the_matrix_itself_comes_back(method):
    rng = np.random.default_rng(7)
    low_rank = np.outer(rng.standard_normal(120), rng.standard_normal(110)) / 120
    for X in (rng.standard_normal((7, 6)) / 100, low_rank, np.zeros((3, 3))):
        assert Set(1.01 * np.linalg.norm(X, "nuc")).project(X, method) is X
        assert not Set(0.0).project(X, method).any()


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


@pytest.mark.parametrize("least", [0.0, 1e-6, 0.3])
@pytest.mark.parametrize("share", [0.01, 0.5, 1 - 1e-9, 1 + 1e-9])
def test_the_default_is_as_exact_as_the_full_decomposition(least, share):
    rng = np.random.default_rng(8)
    U, V = (np.linalg.qr(rng.standard_normal((side, 30)))[0] for side in (50, 40))
    s = np.linspace(1.0, least, 30)
    X, ball = (U * s) @ V.T, Set(share * s.sum())
    np.testing.assert_allclose(ball.project(X), ball.project(X, "full"), rtol=0, atol=1e-12)


def test_a_partial_decomposition_gives_up_before_it_costs_more_than_a_full_one(monkeypatch):
    """Where the answer has a large rank, the products with X are a tenth of those of a Gram matrix."""
    X, widths, ritz = np.random.default_rng(9).standard_normal((400, 400)), [], partial.ritz_triplets
    counted = lambda images, V: widths.append(V.shape[1]) or ritz(images, V)  # noqa: E731
    monkeypatch.setattr(partial, "ritz_triplets", counted)
    ball = Set(0.5 * np.linalg.norm(X, "nuc"))
    np.testing.assert_allclose(ball.project(X, "partial"), ball.project(X, "full"), atol=1e-9)
    assert max(widths) <= 40


@pytest.mark.parametrize("linear", ["lanczos", "gram"])
def test_what_is_no_matrix_is_told_by_name(linear):
    ball = Set(1.0, linear)
    for argument, oracle in (("G", ball.lmo), ("G", ball.support), ("X", ball.project)):
        for bad, words in ((np.ones(3), "a matrix"), (np.ones((0, 2)), "a matrix"), (np.eye(2) * 1j, "real")):
            with pytest.raises(ValueError, match=f"^nuclear_ball: {argument} must be {words}"):
                oracle(bad)
