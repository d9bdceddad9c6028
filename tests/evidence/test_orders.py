import numpy as np
import pytest

from referee.evidence.orders import cost_order, interval, log_slope

N = 2.0 ** np.arange(3, 9)


@pytest.mark.parametrize("exponent", [-1.5, -0.5, 0.0, 2.0])
def test_slope_of_a_power(exponent):
    assert log_slope(N, 3 * N**exponent) == pytest.approx(exponent)
    bent = np.where(N < 64, 1.0, N**exponent)
    assert log_slope(N, bent, last=3) == pytest.approx(exponent), "only the last points count"


def test_slope_needs_two_positive_points():
    assert np.isnan(log_slope([1, 1], [1, 2]))
    assert np.isnan(log_slope([1, 2, 3], [0, np.nan, 1]))
    assert log_slope([1, 2, 4], [0, 2, 4]) == pytest.approx(1)


def test_order_of_cost():
    assert cost_order(N**-0.5, N) == pytest.approx(2)
    assert cost_order(np.ones(6), N) == np.inf, "no progress at more cost"
    assert cost_order(N**0.5, N) == np.inf, "getting worse is not a good order"
    assert np.isnan(cost_order(np.zeros(6), N))
    assert cost_order(np.append(N**-1.0, 0.0), np.append(N, 1e9), last=4) == pytest.approx(1), "without ε = 0"


def test_interval_is_deterministic_and_covers():
    rng = np.random.default_rng(3)
    eps = N**-1.0 * np.exp(0.1 * rng.standard_normal((10, 6)))
    samples = np.stack([eps, np.broadcast_to(N, eps.shape)], axis=2)
    low, high = interval(samples, cost_order)
    assert (low, high) == interval(samples, cost_order)
    measured = cost_order(eps.mean(axis=0), N)
    assert low < measured < high < low + 0.2 and measured == pytest.approx(1, abs=0.05)
    assert interval(samples, cost_order, seed=1) != (low, high)


def test_interval_of_one_seed_draws_points():
    noisy = N**-1.0 * np.array([1, 1.1, 0.9, 1.05, 1, 0.95])
    low, high = interval(np.stack([noisy, N], axis=1)[None], cost_order)
    assert low < cost_order(noisy, N) < high
    exact = np.stack([N**-1.0, N], axis=1)[None]
    assert interval(exact, cost_order) == pytest.approx((1, 1))
    assert np.isnan(interval(np.ones((1, 3, 2)), log_slope)).all()
