"""The fused loss of link prediction against the loss entry by entry."""

import numpy as np
import pytest

from projfree import losses
from projfree.problems._logistic_kernels import BLOCK, half_logistic


@pytest.mark.parametrize("size", [0, 1, BLOCK, 3 * BLOCK + 7])
@pytest.mark.parametrize("scale", [0.0, 1.0, 1e3])
def test_sum_and_slopes_are_those_of_the_loss(size, scale):
    rng, loss = np.random.default_rng(size), losses.make("logh")
    t, y = scale * rng.standard_normal(size), np.where(rng.random(size) < 0.3, -1.0, 1.0)
    total, slopes = half_logistic(t, y)
    assert total == pytest.approx(np.sum(loss.value(t, y)), rel=1e-13, abs=1e-15 * size)
    np.testing.assert_allclose(slopes, loss.slope(t, y), rtol=1e-13, atol=0)


def test_a_value_that_is_not_a_number_shows():
    total, slopes = half_logistic(np.array([1.0, np.nan]), np.ones(2))
    assert np.isnan(total) and np.isnan(slopes[1])
