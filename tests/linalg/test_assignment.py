"""Assignments against SciPy's: the same least sum, on ties, near ties, few values and all scales."""

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from projfree import sets
from projfree.linalg.assignment import columns

KINDS = {
    "normal": lambda rng, n: rng.standard_normal((n, n)),
    "whole numbers": lambda rng, n: rng.integers(0, 4, (n, n)).astype(float),
    "products": lambda rng, n: np.outer(np.arange(n), np.arange(n)) / n,
    "near ties": lambda rng, n: 1.0 + 1e-15 * rng.integers(0, 4, (n, n)),
    "low rank": lambda rng, n: rng.standard_normal((n, 2)) @ rng.standard_normal((2, n)),
    "one column is best for all": lambda rng, n: rng.random((n, n)) - 10.0 * (np.arange(n) == n // 2),
    "equal rows": lambda rng, n: np.tile(rng.random(n), (n, 1)),
    "sizes that differ": lambda rng, n: np.exp(10 * rng.standard_normal((n, n))),
    "zero": lambda rng, n: np.zeros((n, n)),
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_least_sum_is_scipys(kind, long):
    rng = np.random.default_rng(0)
    for number in range(2000 if long else 60):
        C = KINDS[kind](rng, int(rng.integers(1, 40)) if number else 150)
        found, rows = columns(C), np.arange(len(C))
        assert sorted(found) == rows.tolist(), "each column once"
        best, rounding = C[linear_sum_assignment(C)].sum(), 1e-13 * np.abs(C).max() * len(C)
        assert abs(C[rows, found].sum() - best) <= rounding


def test_the_birkhoff_polytope_at_the_ends_of_the_floats():
    C = np.random.default_rng(0).standard_normal((20, 20))
    want = sets.Birkhoff().lmo(C)
    for G in (np.ldexp(C, 1021), np.ldexp(C, -1000), np.asfortranarray(C), C[::-1][::-1]):
        np.testing.assert_array_equal(sets.Birkhoff().lmo(G), want)
    assert sets.Birkhoff().support(np.ldexp(C, -1000)) == np.ldexp(sets.Birkhoff().support(C), -1000)
