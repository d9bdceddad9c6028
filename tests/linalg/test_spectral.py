"""Decompositions against LAPACK."""

import numpy as np
import pytest

from projfree.linalg.partial import partial_svd
from projfree.linalg.spectral import economy_svd, gram_svd, nuclear_norm


def low_rank_and_noise(rng, m, n, rank, noise):
    U, V = np.linalg.qr(rng.standard_normal((m, rank)))[0], np.linalg.qr(rng.standard_normal((n, rank)))[0]
    return (U * np.linspace(2, 1, rank)) @ V.T + noise * rng.standard_normal((m, n))


@pytest.mark.parametrize("shape", [(220, 180), (180, 220)])
def test_partial_gives_exactly_the_triplets_above_the_threshold(shape):
    X = low_rank_and_noise(np.random.default_rng(2), *shape, 6, 0.01)
    exact = np.linalg.svd(X, compute_uv=False)
    U, s, Vt = partial_svd(X, lambda ritz: 0.7, max_rank=120)
    assert len(s) == np.count_nonzero(exact > 0.7) == 6
    np.testing.assert_allclose(s, exact[:6], rtol=1e-12)
    assert np.linalg.norm(X.T @ U - Vt.T * s) <= 1e-10 * s[0]
    assert np.linalg.norm(X @ Vt.T - U * s) <= 1e-12


def test_partial_finds_a_value_barely_above_the_threshold():
    X = low_rank_and_noise(np.random.default_rng(3), 200, 200, 6, 0.01)
    exact = np.linalg.svd(X, compute_uv=False)
    level = exact[4] * (1 - 1e-6)
    assert len(partial_svd(X, lambda ritz: level, max_rank=150)[1]) == 5


def test_partial_gives_up_where_too_much_is_wanted():
    X = np.random.default_rng(4).standard_normal((150, 150))
    assert partial_svd(X, lambda ritz: 0.1) is None
    assert partial_svd(np.ones((3, 3)), lambda ritz: 0.1) is None


def test_partial_stops_when_a_low_rank_matrix_is_spent():
    X = low_rank_and_noise(np.random.default_rng(5), 200, 190, 7, 0.0)
    U, s, Vt = partial_svd(X, lambda ritz: None)
    np.testing.assert_allclose((U * s) @ Vt, X, atol=1e-10)


def partial(X):
    return partial_svd(X, lambda ritz: 0.5)


@pytest.mark.parametrize("svd", [economy_svd, gram_svd, nuclear_norm, partial])
def test_entries_that_are_not_finite_are_refused(svd):
    X = np.ones((6, 5))
    X[2, 3] = np.nan
    with pytest.raises(ValueError, match="6×5"):
        svd(X)


@pytest.mark.parametrize("copies", [17, 20, 24])
def test_partial_sees_more_copies_than_a_block_has_columns(copies):
    rng = np.random.default_rng(8)
    Q, P = (np.linalg.qr(rng.standard_normal((side, 100)))[0] for side in (130, 120))
    for rest in (0.0, 0.1):
        X = (Q * np.r_[np.ones(copies), np.full(100 - copies, rest)]) @ P.T
        assert len(partial_svd(X, lambda ritz: 0.5, max_rank=110)[1]) == copies
