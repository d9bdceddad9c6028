"""Tall matrices by blocks of rows, against NumPy."""

import numpy as np
import pytest

from projfree.linalg import tall


def test_triangular_factors_over_blocks(monkeypatch):
    monkeypatch.setattr(tall, "ROWS", 16)
    rng = np.random.default_rng(0)
    for shape in ((100, 7), (7, 9), (64, 1)):
        X = rng.standard_normal(shape)
        R = tall.triangular_factor(X)
        np.testing.assert_allclose(R.T @ R, X.T @ X, atol=1e-12)
        assert (np.diagonal(R) >= 0).all()


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
