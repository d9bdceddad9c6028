"""Golden section: unimodal functions of known minimisers, and the number of values it asks for."""

import pytest

from projfree.linalg.golden_section import RATIO, search, shrink


@pytest.mark.parametrize("best", [-2.0, -0.3, 1.7, 5.0])
def test_the_least_value_is_found(best):
    x, value = search(lambda x: abs(x - best), -2.0, 5.0, 60)
    assert x == pytest.approx(best, abs=1e-11) and value == abs(x - best)


def test_a_step_leaves_a_golden_share_around_the_minimiser_for_one_value():
    asked = []

    def f(x):
        asked.append(x)
        return (x - 0.3) ** 2

    (low, high), *inside = shrink(f, 0.0, 1.0, 20)
    assert low < 0.3 < high and high - low == pytest.approx(RATIO**20)
    assert len(asked) == 22 and all(low < x < high and value == f(x) for x, value in inside)
