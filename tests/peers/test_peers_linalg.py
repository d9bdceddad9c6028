"""Leading pairs and decompositions against NumPy's dense ones at all scales, and SciPy's sparse ones."""

import numpy as np
import pytest
from peer_matrices import matrices
from scipy.sparse import csr_matrix
from scipy.sparse.linalg import svds

from projfree.linalg.low_rank import orthonormal
from projfree.linalg.partial import partial_svd
from projfree.linalg.sampled import Pattern, SparseOnPattern
from projfree.linalg.singular import gram_pair, leading_pair
from projfree.linalg.spectral import economy_svd, gram_svd

COUNT = 1001
BLIND = 1e-8  # relative to σ₁: what a Gram matrix does not see


def as_operator(X):
    """The same matrix on its pattern of entries that are not zero."""
    rows, cols = np.nonzero(X)
    return SparseOnPattern(Pattern(rows, cols, X.shape), np.asarray(X[rows, cols], dtype=float))


def check_pair(pair, e, A, exact, accuracy):
    sigma, bound = np.ldexp(pair.sigma, -e), np.ldexp(pair.bound, -e)
    assert exact * (1 - accuracy) <= sigma <= exact * (1 + 1e-12)
    assert exact * (1 - 1e-12) <= bound <= max(exact, sigma) * (1 + 2 * accuracy)
    assert abs(np.linalg.norm(pair.u) - 1) <= 1e-12 and abs(np.linalg.norm(pair.v) - 1) <= 1e-12
    assert np.linalg.norm(A @ pair.v - sigma * pair.u) <= 1e-11 * exact
    assert np.linalg.norm(A.T @ pair.u - sigma * pair.v) <= 1e-4 * exact


@pytest.mark.parametrize("form", ["array", "pattern", "gram"])
@pytest.mark.parametrize("side", [20, 70])
def test_leading_pairs(form, side):
    """By a dense decomposition up to a side of 24, by Lanczos beyond."""
    accuracy = 1e-12 if form == "gram" else 5e-5
    for X, e, A in matrices(1, COUNT // 2, side):
        exact = np.linalg.norm(A, 2)
        if form == "gram":
            pair = gram_pair(X)
        else:
            pair = leading_pair(X if form == "array" else as_operator(X), tol=1e-5, gap=1e-5)
        check_pair(pair, e, A, exact, accuracy)


@pytest.mark.parametrize("svd, blind", [(economy_svd, 1e-15), (gram_svd, BLIND)])
def test_whole_decompositions(svd, blind):
    for X, e, A in matrices(2, COUNT):
        U, s, Vt = svd(X)
        s, exact = np.ldexp(s, -e), np.linalg.svd(A, compute_uv=False)
        scale = exact[0] if exact[0] else 1.0
        atol = 10 * blind * scale
        np.testing.assert_allclose(np.r_[s, np.zeros(exact.size - s.size)], exact, rtol=1e-12, atol=atol)
        np.testing.assert_allclose((U * s) @ Vt, A, atol=10 * atol)
        np.testing.assert_allclose(U.T @ U, np.eye(s.size), atol=1e-10)
        np.testing.assert_allclose(Vt @ Vt.T, np.eye(s.size), atol=1e-10)


def test_partial_decompositions():
    """All triplets above half of σ₁."""
    for X, e, A in matrices(3, COUNT):
        found = partial_svd(X, lambda s: 0.5 * s[0], max_rank=80)
        exact = np.linalg.svd(A, compute_uv=False)
        if found is None or exact[0] == 0.0:
            continue
        s = np.ldexp(found[1], -e)
        assert np.count_nonzero(exact > 0.5 * exact[0] * (1 + 1e-9)) <= s.size
        np.testing.assert_allclose(s, exact[: s.size], rtol=1e-9)
        np.testing.assert_allclose(A @ found[2].T, found[0] * s, atol=1e-8 * exact[0])


def test_orthonormal_bases():
    for X, _, A in matrices(5, COUNT):
        if A.shape[0] < A.shape[1]:
            X, A = X.T, A.T
        Q = orthonormal(np.ascontiguousarray(X))
        np.testing.assert_allclose(Q.T @ Q, np.eye(A.shape[1]), atol=1e-11)
        np.testing.assert_allclose(Q @ (Q.T @ A), A, atol=1e-10 * max(1.0, np.abs(A).max()))


def test_denormal_numbers():
    """Integers times the least positive number are exact."""
    rng = np.random.default_rng(7)
    for _ in range(COUNT):
        A = rng.integers(-100, 101, rng.integers(1, 30, 2)).astype(float)
        X, exact = np.ldexp(A, -1074), np.linalg.norm(A, 2)
        for pair in (leading_pair(X, tol=1e-6), gram_pair(X), leading_pair(as_operator(X), tol=1e-6)):
            assert abs(np.ldexp(pair.sigma, 1074) - exact) <= 0.5 + 1e-9 * exact  # rounded to an integer
            assert abs(pair.u @ A @ pair.v - exact) <= 1e-9 * exact


@pytest.mark.parametrize("solver", ["arpack", "propack", "lobpcg"])
def test_sparse_peers(solver):
    """Where SciPy's solver is right, so are we; where it is not, our bound says so."""
    rng, agreed = np.random.default_rng(8), 0
    for _ in range(60):
        shape = rng.integers(50, 120, 2)
        A = csr_matrix(rng.standard_normal(shape) * (rng.random(shape) < 0.1))
        pair = leading_pair(as_operator(A.toarray()), tol=1e-8, gap=1e-8, rng=rng)
        theirs = svds(A, k=1, solver=solver, tol=0, maxiter=2000, rng=0, return_singular_vectors=False)[0]
        assert theirs <= pair.bound * (1 + 1e-9)
        agreed += abs(theirs - pair.sigma) <= 1e-7 * pair.sigma
    assert agreed >= 55
