"""The exact proxes of OSCAR against each other, brute force over orders and signs, and CVXPY."""

import made
import numpy as np
import pytest

from projfree.linalg.ordering import descending_order
from projfree.penalties import oscar

EXACT = list(oscar.EXACT)


def test_pooling_and_merging_agree():
    rng = np.random.default_rng(3)
    for _ in range(2000):
        penalty, p, gamma = made.sorted_l1(rng, largest=40)
        points = [penalty.prox(p, gamma, method=method).x for method in EXACT]
        for other in points[1:]:
            np.testing.assert_allclose(other, points[0], atol=1e-13 * (1 + np.abs(p).max()))


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


def test_an_order_is_put_right_from_any_other():
    rng = np.random.default_rng(6)
    for size in (1, 8, 300):
        x, w = rng.standard_normal(size), np.sort(rng.random(size))[::-1].copy()
        penalty = oscar.Penalty(w)
        for order in (np.arange(size), np.argsort(np.abs(x)), rng.permutation(size)):
            s, value = penalty.support(x, order)
            np.testing.assert_array_equal(s, penalty.support(x)[0])
            assert value == penalty.support(x)[1]


@pytest.mark.parametrize("method", [*EXACT, "dual_frank_wolfe"])
def test_no_kernel_is_reached_with_other_sizes(method):
    penalty = oscar.Penalty(np.full(3, 1e3))
    for p in (np.ones(2000), np.ones(2), np.ones((3, 1)), np.ones(3, complex), []):
        with pytest.raises(ValueError, match="^p must be "):
            penalty.prox(p, 1.0, method=method)
    for gamma in (0.0, -1.0, np.nan, np.inf, "1"):
        with pytest.raises(ValueError, match="^gamma must be a finite number > 0"):
            penalty.prox(np.ones(3), gamma, method=method)
    with pytest.raises(ValueError, match="p has entries that are not finite"):
        penalty.prox(np.array([1.0, np.inf, 0.0]), 1.0, method=method)
    for measure in (penalty.value, penalty.support, penalty.excess):
        with pytest.raises(ValueError, match="must be a vector of 3"):
            measure(np.ones(4))
    with pytest.raises(ValueError, match="order must be a vector of 3"):
        penalty.support(np.ones(3), np.arange(2))
    for bad in ([1.0, 2.0], [1.0, -1.0], [np.nan, 0.0], []):
        with pytest.raises(ValueError, match="weights"):
            oscar.Penalty(np.array(bad))
    for module in (oscar.pava.prox, oscar.group_merging.sweep):
        with pytest.raises(ValueError, match="p must be a vector of 2"):
            module(np.ones(2), np.ones(3), 1.0)


def test_an_order_of_other_positions_is_not_followed():
    penalty, x = oscar.Penalty(np.array([2.0, 1.0])), np.array([1.0, -3.0])
    for order in (np.array([0, 10**9]), np.array([-1, 0])):
        np.testing.assert_array_equal(penalty.support(x, order)[0], [1.0, -2.0])


def test_numbers_that_all_but_tie_are_sorted_by_comparison():
    rng = np.random.default_rng(7)
    a = 1.0 + 1e-12 * rng.random(5000)
    a[0] = 1e-300  # so that the leading bits tell the others not apart
    np.testing.assert_array_equal(descending_order(a), np.argsort(-a, kind="stable"))
    np.testing.assert_array_equal(descending_order(-a), np.argsort(-a, kind="stable"))
