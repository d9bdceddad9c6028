"""Sets and penalties on singular values against NumPy's decomposition and exact rationals."""

from fractions import Fraction

import numpy as np
import pytest
from peer_matrices import matrices

from projfree.linalg.low_rank import LowRankPlusSparse
from projfree.linalg.sampled import Pattern, SparseOnPattern
from projfree.penalties import rank as rank_penalty
from projfree.penalties import trace_norm
from projfree.sets.nuclear_ball import Set

COUNT = 1001


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
    """κ of factors, as they are and balanced."""
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
    """A as low rank plus sparse, all of it sparse."""
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
