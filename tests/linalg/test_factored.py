"""Factors with more columns than rows: what nobody may form is columns × columns."""

import tracemalloc

import numpy as np
import pytest

from projfree.linalg.factored import balanced


@pytest.mark.parametrize("columns", [3, 6, 9, 3000])
def test_balanced_factors_are_of_the_same_matrix(columns):
    rng = np.random.default_rng(columns)
    U, V = rng.standard_normal((9, columns)), rng.standard_normal((6, columns))
    tracemalloc.start()
    left, right, sigma = balanced(U, V)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    np.testing.assert_allclose(left @ right.T, U @ V.T, atol=1e-10 * np.abs(U @ V.T).max())
    known = np.linalg.svd(U @ V.T, compute_uv=False)
    np.testing.assert_allclose(sigma[:6], known[: sigma.size], atol=1e-10 * known[0])
    np.testing.assert_allclose((left**2).sum(axis=0), sigma, atol=1e-10 * known[0])
    np.testing.assert_allclose((right**2).sum(axis=0), sigma, atol=1e-10 * known[0])
    assert peak < 8 * 40 * (columns + 200), "a few copies of the factors; columns squared are 72 MB"
