"""Decompositions, sets and penalties of hard matrices against NumPy's dense ones and exact rationals."""

from fractions import Fraction

import numpy as np
import pytest

from projfree.linalg.low_rank import LowRankPlusSparse, orthonormal
from projfree.linalg.partial import partial_svd
from projfree.linalg.sampled import Pattern, SparseOnPattern
from projfree.linalg.singular import gram_pair, leading_pair
from projfree.linalg.spectral import economy_svd, gram_svd
from projfree.penalties import rank as rank_penalty
from projfree.penalties import trace_norm
from projfree.sets.nuclear_ball import Set

COUNT = 1001
#: Exponents of two: from entries of 1e-300 to 1e300.
EXPONENTS = [0, 0, 0, -997, -700, -530, -400, -270, -140, 140, 270, 400, 530, 700, 990]


def matrices(seed: int, count: int, side: int = 40):
    """`count` pairs (X, e): an array X whose entries are those of an ordinary matrix A times 2^e, and A."""
    rng = np.random.default_rng(seed)
    for k in range(count):
        shape = rng.integers(1, side, 2)
        A = KINDS[k % len(KINDS)](rng, *shape)
        e = EXPONENTS[k % len(EXPONENTS)]
        yield LAYOUTS[k % len(LAYOUTS)](np.ldexp(A, e)), e, A


def of_values(values):
    def kind(rng, m, n):
        U, V = (np.linalg.qr(rng.standard_normal((side, min(m, n))))[0] for side in (m, n))
        return (U * values(rng, min(m, n))) @ V.T

    return kind


def low_rank(rng, m, n):
    rank = rng.integers(1, max(2, min(m, n) // 2))
    return rng.integers(-3, 4, (m, rank)).astype(float) @ rng.integers(-3, 4, (rank, n))


def one_entry(rng, m, n):
    A = np.zeros((m, n))
    A[rng.integers(m), rng.integers(n)] = rng.standard_normal()
    return A


def blocks_of_zeros(rng, m, n):
    return rng.standard_normal((m, n)) * (rng.random((m, 1)) > 0.6) * (rng.random(n) > 0.6)


DENSE = lambda rng, m, n: rng.standard_normal((m, n))  # noqa: E731
TIED = of_values(lambda rng, k: np.ones(k))  # orthonormal rows or columns
KINDS = [
    DENSE,
    TIED,
    low_rank,
    of_values(lambda rng, k: np.geomspace(1, 1e-16, k)),
    of_values(lambda rng, k: 1 - 1e-5 * rng.random(k)),  # nearly tied
    lambda rng, m, n: rng.integers(-2, 3, (m, n)).astype(float),
    one_entry,
    blocks_of_zeros,
    lambda rng, m, n: rng.standard_normal((m, n)) * 10.0 ** -rng.uniform(0, 12, (m, n)),
    lambda rng, m, n: np.ones((m, n)),
    DENSE,
    lambda rng, m, n: np.zeros((m, n)),
    TIED,
]


def read_only(X):
    X = X.copy()
    X.flags.writeable = False
    return X


def every_other(X):
    wide = np.full((2 * X.shape[0], 3 * X.shape[1]), np.nan)
    wide[::2, ::3] = X
    return wide[::2, ::3]


#: The fourth goes backwards in memory.
LAYOUTS = [np.array, np.asfortranarray, read_only, lambda X: X[::-1, ::-1].copy()[::-1, ::-1], every_other]


def as_operator(X):
    rows, cols = np.nonzero(X)
    return SparseOnPattern(Pattern(rows, cols, X.shape), np.asarray(X[rows, cols], dtype=float))


@pytest.mark.parametrize("form", ["array", "pattern", "gram"])
@pytest.mark.parametrize("side", [20, 70])
def test_leading_pairs(form, side):
    """By a dense decomposition up to a side of 24, by Lanczos beyond."""
    accuracy = 1e-12 if form == "gram" else 5e-5
    for X, e, A in matrices(1, COUNT // 2, side):
        given, exact = as_operator(X) if form == "pattern" else X, np.linalg.norm(A, 2)
        pair = gram_pair(X) if form == "gram" else leading_pair(given, tol=1e-5, gap=1e-5)
        sigma, bound = np.ldexp(pair.sigma, -e), np.ldexp(pair.bound, -e)
        assert exact * (1 - accuracy) <= sigma <= exact * (1 + 1e-12)
        assert exact * (1 - 1e-12) <= bound <= max(exact, sigma) * (1 + 2 * accuracy)
        assert abs(np.linalg.norm(pair.u) - 1) <= 1e-12 and abs(np.linalg.norm(pair.v) - 1) <= 1e-12
        assert np.linalg.norm(A @ pair.v - sigma * pair.u) <= 1e-11 * exact
        assert np.linalg.norm(A.T @ pair.u - sigma * pair.v) <= 1e-4 * exact


@pytest.mark.parametrize("svd, blind", [(economy_svd, 1e-15), (gram_svd, 1e-8)])
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
    rng = np.random.default_rng(7)
    for _ in range(COUNT):
        A = rng.integers(-100, 101, rng.integers(1, 30, 2)).astype(float)
        X, exact = np.ldexp(A, -1074), np.linalg.norm(A, 2)
        for pair in (leading_pair(X, tol=1e-6), gram_pair(X), leading_pair(as_operator(X), tol=1e-6)):
            assert abs(np.ldexp(pair.sigma, 1074) - exact) <= 0.5 + 1e-9 * exact  # rounded to an integer
            assert abs(pair.u @ A @ pair.v - exact) <= 1e-9 * exact


def svd(A):
    return np.linalg.svd(A, full_matrices=False)


def exact_projection(s, radius):
    """Of descending s ≥ 0 onto {x ≥ 0, Σx ≤ radius}, in rationals."""
    s, radius, total = [Fraction(float(x)) for x in s], Fraction(radius), Fraction(0)
    if sum(s) <= radius:
        return np.array(s, dtype=float)
    for k, value in enumerate(s, start=1):
        total += value
        if k == len(s) or s[k] <= (total - radius) / k:
            break
    return np.array([float(max(x - (total - radius) / k, Fraction(0))) for x in s])


def share(k):
    """Radius, in units of the nuclear norm, of the instance of that number."""
    return [0.5, 0.01, 0.99, 1e-6, 1.5][k % 5]


@pytest.mark.parametrize("method", ["full", "gram", "partial", None])
def test_nuclear_projections(method):
    for k, (X, e, A) in enumerate(matrices(1, COUNT)):
        U, s, Vt = svd(A)
        radius = share(k) * (s.sum() or 1.0)
        found = Set(float(np.ldexp(radius, e))).project(X, method)
        expected = (U * exact_projection(s, radius)) @ Vt
        np.testing.assert_allclose(np.ldexp(found, -e), expected, atol=3e-8 * (s[0] or 1.0))
        assert np.linalg.norm(np.ldexp(found, -e), "nuc") <= radius * (1 + 1e-9)


@pytest.mark.parametrize("linear", ["lanczos", "gram"])
def test_linear_minimisation_support_and_gauge(linear):
    ball = Set(3.0, linear=linear)
    for X, e, A in matrices(2, COUNT):
        s = svd(A)[1]
        atom = ball.lmo(X, tol=1e-6)
        assert abs(-3.0 * (atom.u @ A @ atom.v) + 3.0 * s[0]) <= 1e-5 * s[0]
        assert atom.scale == -3.0 and np.isfinite(atom.sigma)
        assert np.ldexp(ball.support(X), -e) == pytest.approx(3.0 * s[0], rel=1e-11)
        assert np.ldexp(ball.gauge(X), -e) == pytest.approx(s.sum(), rel=1e-11)


def test_singular_value_thresholding():
    for k, (X, e, A) in enumerate(matrices(4, COUNT)):
        U, s, Vt = svd(A)
        threshold = share(k) * (s[0] or 1.0)
        found = trace_norm.Penalty(float(np.ldexp(threshold, e))).prox(X, 1.0)
        kept = np.maximum(s - threshold, 0.0)
        left, right = found.x
        np.testing.assert_allclose(np.ldexp(left @ right.T, -e), (U * kept) @ Vt, atol=1e-13 * (s[0] or 1.0))
        assert np.ldexp(found.value, -e) == pytest.approx(kept.sum(), rel=1e-9, abs=1e-13 * s[0])


def test_factors_of_the_trace_norm():
    rng, penalty = np.random.default_rng(5), trace_norm.Penalty(1.0)
    for _ in range(COUNT):
        m, n, k = rng.integers(1, 30, 3)
        U, V = rng.standard_normal((m, k)), rng.standard_normal((n, k)) * 10.0 ** rng.uniform(-6, 6, k)
        exact = np.linalg.norm(U @ V.T, "nuc")
        assert penalty.value(U, V) == pytest.approx(exact, rel=1e-11)
        left, right = penalty.rotate(U, V)
        np.testing.assert_allclose(left @ right.T, U @ V.T, atol=1e-11 * exact)
        assert penalty.bound(left, right) == pytest.approx(exact, rel=1e-11)
        assert penalty.value(U, V) <= penalty.bound(*penalty.balance(U, V)) * (1 + 1e-11)


def on_a_pattern(A):
    pattern = Pattern(*np.nonzero(np.ones(A.shape)), A.shape)
    empty = (np.zeros((side, 0)) for side in A.shape)
    return LowRankPlusSparse(*empty, SparseOnPattern(pattern, A.ravel()))


@pytest.mark.parametrize("method, count", [("dense", COUNT), ("propack", 260), ("arpack", 260)])
def test_rank_constraints(method, count):
    """By the distance, which is unique where the point is not."""
    for k, (X, e, A) in enumerate(matrices(6, count, 25)):
        if method != "dense":  # these take scales as they are
            X, e = A, 0
        s, r = svd(A)[1], 1 + k % 4
        found = rank_penalty.Penalty(r).prox(on_a_pattern(np.ascontiguousarray(X)), 1.0, method=method)
        left, right = found.x
        distance = np.linalg.norm(np.ldexp(left @ right.T, -e) - A)
        assert left.shape[1] <= r
        assert distance <= np.linalg.norm(s[r:]) * (1 + 1e-6) + 1e-6 * s[0]
