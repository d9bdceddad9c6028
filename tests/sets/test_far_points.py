"""Projections of points far outside, and deep inside, of every set that has one.

`pytest --long` makes twenty times as many cases.
"""

import itertools
import math

import numpy as np
import pytest
from feasible import MADE, make

from projfree import sets
from projfree.sets import spectraplex

NAMES = [name for name in MADE if hasattr(sets.load(name), "project")]
METHODS = [(name, None) for name in NAMES] + [("nuclear_ball", way) for way in ("full", "gram", "partial")]
FORMS = {
    "normal": lambda x, rng: x,
    "ties": lambda x, rng: rng.choice(x.ravel()[:2], x.shape),
    "whole": lambda x, rng: rng.integers(-3, 4, x.shape).astype(float),
    "shifted": lambda x, rng: x + 5.0,
    "sparse": lambda x, rng: np.where(rng.random(x.shape) < 0.7, 0.0, x),
}


@pytest.mark.parametrize("name, method", METHODS)
def test_a_projection_lies_in_its_set_however_far_the_point(name, method, long):
    rng = np.random.default_rng([*name.encode()])
    for case, power, form in itertools.product(range(20 if long else 1), range(-16, 17, 2), FORMS):
        feasible, shape = make(name, 2.0 ** float(rng.integers(-8, 9)))
        x = 10.0**power * feasible.norm_bound * FORMS[form](rng.standard_normal(shape), rng)
        x = x + x.T if name in ("spectraplex", "fantope") else x
        p = feasible.project(x) if method is None else feasible.project(x, method=method)
        told = f"case {case}, {form}, 1e{power}"
        assert feasible.contains(p), told
        # ⟨x − p, v − p⟩ ≤ 0 for all points v of the set.
        beyond = feasible.support(x - p) - float(np.vdot(x - p, p))
        room = feasible.norm_bound * (feasible.norm_bound + np.linalg.norm(x))
        assert math.isfinite(beyond) and beyond <= 1e-7 * room, (told, beyond / room)
        assert feasible.lmo(p - x).shape == shape


def test_a_least_eigenvalue_that_one_routine_does_not_find_is_found_by_another(monkeypatch):
    G = np.diag([3.0, -2.0, 1.0])
    monkeypatch.setattr(spectraplex, "dsyevr", lambda S, **_: (np.zeros(3), np.zeros((3, 3)), 0, None, 7))
    np.testing.assert_allclose(spectraplex.Set().lmo(G).toarray(), np.diag([0.0, 1.0, 0.0]), atol=1e-15)
