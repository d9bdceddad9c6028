"""The exact proxes of OSCAR against each other, brute force over orders and signs, and CVXPY."""

import made
import numpy as np
import pytest

from projfree.linalg.ordering import descending_order
from projfree.penalties import oscar


def test_subgradients_support_the_penalty():
    rng = np.random.default_rng(5)
    for _ in range(200):
        penalty, x, _ = made.sorted_l1(rng)
        s, value = penalty.support(x)
        assert value == pytest.approx(penalty.value(x), rel=1e-12, abs=1e-14)
        assert float(s @ x) == pytest.approx(value, rel=1e-12, abs=1e-12)
        assert penalty.excess(s) <= 1e-9
        y = made.vector(rng, x.size)
        assert penalty.value(y) >= value + s @ (y - x) - 1e-9


def test_an_order_is_put_right_from_any_other_and_one_of_other_positions_is_not_followed():
    rng = np.random.default_rng(6)
    for size in (1, 8, 300):
        x, penalty = rng.standard_normal(size), oscar.Penalty(np.sort(rng.random(size))[::-1].copy())
        s, value = penalty.support(x)
        wrong = np.r_[10**9, 1:size], np.r_[0 : size - 1, -1]
        for order in (np.arange(size), np.argsort(np.abs(x)), rng.permutation(size), *wrong):
            same, its = penalty.support(x, order)
            np.testing.assert_array_equal(same, s)
            assert its == value


@pytest.mark.parametrize("method", [*oscar.EXACT, "dual_frank_wolfe"])
def test_no_kernel_is_reached_with_other_sizes(method):
    """Other kinds of arrays and steps: contract/test_metamorphic.py."""
    penalty = oscar.Penalty(np.full(3, 1e3))
    for p in (np.ones(2000), np.ones(2), np.ones((3, 1))):
        with pytest.raises(ValueError, match="^p must be a vector"):
            penalty.prox(p, 1.0, method=method)


def test_other_sizes_orders_and_weights_are_refused():
    penalty = oscar.Penalty(np.full(3, 1e3))
    for measure in (penalty.value, penalty.support, penalty.excess):
        with pytest.raises(ValueError, match="must be a vector of 3"):
            measure(np.ones(4))
    with pytest.raises(ValueError, match="order must be a vector of 3"):
        penalty.support(np.ones(3), np.arange(2))
    for bad in ([1.0, 2.0], [1.0, -1.0], [np.nan, 0.0], []):
        with pytest.raises(ValueError, match="weights"):
            oscar.Penalty(np.array(bad))


def test_numbers_that_all_but_tie_are_sorted_by_comparison():
    rng = np.random.default_rng(7)
    a = 1.0 + 1e-12 * rng.random(5000)
    a[0] = 1e-300  # so that the leading bits tell the others not apart
    np.testing.assert_array_equal(descending_order(a), np.argsort(-a, kind="stable"))
    np.testing.assert_array_equal(descending_order(-a), np.argsort(-a, kind="stable"))
