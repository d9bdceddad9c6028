"""Decompositions against LAPACK: partial, of factors, of tall matrices by blocks of rows."""

import numpy as np
import pytest
from peaks import peak_of

from projfree.linalg import tall
from projfree.linalg.factored import balanced
from projfree.linalg.partial import partial_svd
from projfree.linalg.spectral import economy_svd, gram_svd, nuclear_norm


def low_rank_and_noise(rng, m, n, rank, noise):
    U, V = np.linalg.qr(rng.standard_normal((m, rank)))[0], np.linalg.qr(rng.standard_normal((n, rank)))[0]
    return (U * np.linspace(2, 1, rank)) @ V.T + noise * rng.standard_normal((m, n))


@pytest.mark.parametrize("shape, margin", [((200, 200), 1e-6), ((220, 180), 0.05), ((180, 220), 0.05)])
def test_partial_finds_the_values_above_the_threshold_if_barely(shape, margin):
    X = low_rank_and_noise(np.random.default_rng(3), *shape, 6, 0.01)
    exact = np.linalg.svd(X, compute_uv=False)
    U, s, Vt = partial_svd(X, lambda ritz: exact[4] * (1 - margin), max_rank=150)
    np.testing.assert_allclose(s, exact[:5], rtol=1e-9)
    assert np.linalg.norm(X.T @ U - Vt.T * s) <= 1e-9 * s[0]


def test_partial_gives_up_where_too_much_is_wanted():
    X = np.random.default_rng(4).standard_normal((150, 150))
    assert partial_svd(X, lambda ritz: 0.1) is None
    assert partial_svd(np.ones((3, 3)), lambda ritz: 0.1) is None


def test_partial_stops_when_a_low_rank_matrix_is_spent():
    X = low_rank_and_noise(np.random.default_rng(5), 200, 190, 7, 0.0)
    U, s, Vt = partial_svd(X, lambda ritz: None)
    np.testing.assert_allclose((U * s) @ Vt, X, atol=1e-10)


DECOMPOSITIONS = [economy_svd, gram_svd, nuclear_norm, lambda X: partial_svd(X, lambda ritz: 0.5)]


@pytest.mark.parametrize("svd", DECOMPOSITIONS)
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


@pytest.mark.parametrize("columns", [3, 6, 9, 3000])
def test_balanced_factors_are_of_the_same_matrix(columns):
    rng = np.random.default_rng(columns)
    U, V = rng.standard_normal((9, columns)), rng.standard_normal((6, columns))
    (left, right, sigma), peak = peak_of(lambda: balanced(U, V))
    np.testing.assert_allclose(left @ right.T, U @ V.T, atol=1e-10 * np.abs(U @ V.T).max())
    known = np.linalg.svd(U @ V.T, compute_uv=False)
    np.testing.assert_allclose(sigma[:6], known[: sigma.size], atol=1e-10 * known[0])
    for side in (left, right):
        np.testing.assert_allclose((side**2).sum(axis=0), sigma, atol=1e-10 * known[0])
    assert peak < 8 * 40 * (columns + 200), "a few copies of the factors; columns squared are 72 MB"


@pytest.mark.parametrize("rank", [1, 4, 8])
def test_row_spaces_at_all_scales(rank):
    rng = np.random.default_rng(rank)
    X, Y = rng.standard_normal((8, rank)) @ rng.standard_normal((rank, 30)), rng.standard_normal((5, 30))
    for e in (-1000, -500, 0, 500, 990):
        coordinates, to_coordinates = tall.row_space(np.ldexp(X, e))
        coordinates = np.ldexp(coordinates, -e)
        assert coordinates.shape == (8, rank)
        np.testing.assert_allclose(coordinates @ coordinates.T, X @ X.T, atol=1e-10)
        np.testing.assert_allclose(to_coordinates(Y) @ coordinates.T, Y @ X.T, atol=1e-10)
    assert tall.row_space(np.zeros((3, 5)))[0].shape == (3, 0)
