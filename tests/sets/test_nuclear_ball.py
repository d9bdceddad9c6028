"""The nuclear-norm ball by optimality conditions and against the full decomposition."""

import numpy as np
import pytest

from projfree.engine.oracles.saddle import Oracles
from projfree.linalg import partial
from projfree.linalg.observed import ObservedAtoms
from projfree.linalg.sampled import Pattern, SparseOnPattern
from projfree.problems.robust_multiclass import Problem, tiny_arrays
from projfree.sets import nuclear_ball
from projfree.sets._gram_projection import project_by_gram
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


def test_gauge_of_arrays_and_sums_of_atoms_and_the_slack():
    rng = np.random.default_rng(9)
    X = ObservedAtoms(Pattern([0, 1], [0, 2], (4, 5)))
    for _ in range(3):
        X.toward(Set(2.0).lmo(rng.standard_normal((4, 5)), rng=rng), 0.4)
    assert Set(2.0).gauge(X) == pytest.approx(Set(2.0).gauge(X.toarray()))
    assert Set(2.0).contains(X) and not Set(0.1).contains(X)
    assert Set(1.9).contains(np.eye(2), slack=0.1) and not Set(1.9).contains(np.eye(2), slack=0.01)


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


def test_a_threshold_below_what_squares_can_tell_is_left_to_others():
    X = np.diag([1.0, 1e-3, 1e-9])
    assert project_by_gram(X, 1.001 - 1e-8) is None
    projected = Set(1.001 - 1e-8).project(X, "gram")
    assert np.linalg.norm(projected, "nuc") == pytest.approx(1.001 - 1e-8, abs=1e-10)


def test_full_decomposes_inside_the_ball_too_and_is_counted(monkeypatch):
    done = []
    true = nuclear_ball._SVD["full"]
    monkeypatch.setitem(nuclear_ball._SVD, "full", lambda X, radius: done.append(1) or true(X, radius))
    problem = Problem(tiny_arrays(np.random.default_rng(0)))
    oracles = Oracles(problem, Set(1e6), np.random.default_rng(0))
    X = np.random.default_rng(1).standard_normal(problem.shape)
    for method in ("full", "gram", "partial", "full"):
        assert oracles.project(X, method=method) is X
    oracles.dual.project(np.ones(problem.n))
    assert len(done) == oracles.tally["svd"] == 2 and oracles.counts["PO"] == 5


@pytest.mark.parametrize("copies", [1, 4])
@pytest.mark.parametrize("side", [1, 2, 7, 60])
def test_as_many_vectors_as_the_rank_of_the_answer(side, copies):
    """Each rank, so that each way to find vectors is taken; copies of a value have any vectors."""
    rng = np.random.default_rng(2)
    U, V = (np.linalg.qr(rng.standard_normal((n, side)))[0] for n in (side, side + 3))
    s = np.linspace(1.0, 0.2, -(-side // copies)).repeat(copies)[:side]
    for rank in {*range(copies, side, copies), side}:
        theta = 0.5 * (s[rank - 1] + (s[rank] if rank < side else 0.1))
        kept = np.maximum(s - theta, 0.0)
        for X, best in (((U * s) @ V.T, (U * kept) @ V.T), ((V * s) @ U.T, (V * kept) @ U.T)):
            found = project_by_gram(X, kept.sum(), exact=True)
            np.testing.assert_allclose(found, best, rtol=0, atol=1e-12)
