"""The projection onto a simplex against sorting, at sizes where entries are left out unread."""

import numpy as np
import pytest

from projfree.linalg.projections import LARGE, project_simplex, simplex_threshold


@pytest.mark.parametrize("size", [15, 16, 17, 256, 300, LARGE - 1, LARGE, LARGE + 5])
@pytest.mark.parametrize("total", [1e-3, 1.0, 700.0, 1e5])
@pytest.mark.parametrize("order", ["as drawn", "ascending", "rounded"])
def test_simplex_by_sorting(size, total, order):
    """Sizes around those of the groups and blocks that are left out below the threshold."""
    y = np.random.default_rng(size).standard_normal(size)
    y = {"as drawn": y, "ascending": np.sort(y), "rounded": np.round(y, 1)}[order]
    down = np.sort(y)[::-1]
    bounds = (np.cumsum(down) - total) / np.arange(1, size + 1)
    tau = bounds[np.count_nonzero(down > bounds) - 1]
    np.testing.assert_allclose(project_simplex(y, total), np.maximum(y - tau, 0.0), rtol=0, atol=1e-10)
    assert simplex_threshold(y, total) == pytest.approx(tau, abs=1e-10)
