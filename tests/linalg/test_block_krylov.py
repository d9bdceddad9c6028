"""Leading triplets of a block Krylov space against dense decompositions."""

import numpy as np
import pytest

from projfree.linalg.block_krylov import deflated, leading_triplets
from projfree.linalg.low_rank import orthonormal
from projfree.linalg.sampled import Pattern, SparseOnPattern


def sparse(rng, shape, dtype=np.float64, share=0.3):
    rows, cols = np.nonzero(rng.random(shape) < share)
    low_rank = rng.standard_normal((shape[0], 5)) @ rng.standard_normal((5, shape[1]))
    values = low_rank[rows, cols] + 0.3 * rng.standard_normal(rows.size)
    return SparseOnPattern(Pattern(rows, cols, shape), values.astype(dtype))


@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (9, 2), (30, 24), (25, 60), (400, 300)])
def test_triplets_are_those_of_the_dense_matrix(shape):
    rng = np.random.default_rng(sum(shape))
    G = sparse(rng, shape, share=0.6)
    exact = np.linalg.svd(G.toarray(), compute_uv=False)[:5]
    U, s, V, products = leading_triplets(G, 5, rng=rng)
    assert s.size == min(5, *shape) and products > 0
    np.testing.assert_allclose(s, exact, rtol=1e-6, atol=1e-12)
    np.testing.assert_allclose(U.T @ G.toarray() @ V, np.diag(s), atol=1e-6 * max(exact[0], 1))
    np.testing.assert_allclose(V.T @ V, np.eye(s.size), atol=1e-9)


def test_no_value_exceeds_the_true_one_in_single_precision():
    rng = np.random.default_rng(0)
    for _ in range(10):
        G = sparse(rng, (300, 200), np.float32)
        exact = np.linalg.svd(G.toarray(), compute_uv=False)[:20]
        found = leading_triplets(G, 20, rng=rng)[1]
        assert np.all(found <= exact * (1 + 1e-5)) and found[0] >= 0.9999 * exact[0]


def test_a_warm_start_is_nearer():
    rng = np.random.default_rng(1)
    G = sparse(rng, (900, 700), share=0.05)
    changed = SparseOnPattern(G.pattern, G.values + 0.1 * rng.standard_normal(G.values.size))
    exact = np.linalg.svd(changed.toarray(), compute_uv=False)[:30]
    start = leading_triplets(G, 40, rng=rng)[2]
    cold, warm = (leading_triplets(changed, 30, rng=rng, start=v)[1] for v in (None, start))
    assert np.sum(exact - warm) < np.sum(exact - cold)
    few = leading_triplets(changed, 30, rng=rng, start=start[:, :3])[1]  # fewer columns than a block has
    np.testing.assert_allclose(few[:3], exact[:3], rtol=1e-6)


@pytest.mark.parametrize("rank", [1, 6, 20])
def test_deflation_leaves_what_is_orthogonal_to_the_spans(rank):
    rng = np.random.default_rng(rank)
    G = sparse(rng, (40, 30))
    P, Q = (orthonormal(rng.standard_normal((side, rank))) for side in (40, 30))
    dense = (np.eye(40) - P @ P.T) @ G.toarray() @ (np.eye(30) - Q @ Q.T)
    np.testing.assert_allclose(deflated(G.toarray(), P, Q), dense, atol=1e-12)
    operator = deflated(G, P, Q)
    np.testing.assert_allclose(operator.matmat(np.eye(30)), dense, atol=1e-12)
    np.testing.assert_allclose(operator.rmatmat(np.eye(40)), dense.T, atol=1e-12)
    U, s, V, _ = leading_triplets(operator, 4, rng=rng)
    np.testing.assert_allclose(s, np.linalg.svd(dense, compute_uv=False)[:4], rtol=1e-6)
    assert max(np.abs(P.T @ U).max(), np.abs(Q.T @ V).max()) < 1e-9


def test_zero_has_no_triplet_above_zero():
    pattern = Pattern(np.array([0, 2]), np.array([1, 3]), (4, 5))
    zero = SparseOnPattern(pattern, np.zeros(2))
    assert not leading_triplets(zero, 3, rng=np.random.default_rng(0))[1].any()
