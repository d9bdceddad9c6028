"""Proximal points against rationals and skglm."""

from fractions import Fraction

import hard_vectors
import numpy as np
import pytest
from skglm.penalties import SLOPE

from projfree.linalg.ordering import descending_order
from projfree.penalties import oscar

TRIALS = 1000


def descending(rng, size):
    """Weights: with ties, with zeros at the end, or of OSCAR."""
    w = np.sort(np.round(rng.random(size), int(rng.integers(1, 9))))[::-1].copy()
    if rng.random() < 0.3:
        w[size // 2 :] = 0.0
    return w if rng.random() < 0.6 else rng.random() + rng.random() * np.arange(size - 1, -1, -1.0)


def exact_prox(weights, p, gamma):
    """By pooling in rationals."""
    order = sorted(range(len(p)), key=lambda i: -abs(p[i]))
    groups = []
    for j, i in enumerate(order):
        groups.append([Fraction(abs(p[i])) - Fraction(gamma) * Fraction(weights[j]), 1])
        while len(groups) > 1 and groups[-2][0] * groups[-1][1] <= groups[-1][0] * groups[-2][1]:
            total, count = groups.pop()
            groups[-1] = [groups[-1][0] + total, groups[-1][1] + count]
    levels = [max(total / count, 0) for total, count in groups for _ in range(count)]
    x = dict(zip(order, levels, strict=True))
    return [x[i] if p[i] >= 0 else -x[i] for i in range(len(p))]


@pytest.mark.parametrize("method", ["pava", "igm_pass"])
def test_sorted_l1_by_rationals_at_all_scales(method):
    rng = np.random.default_rng(0)
    for _ in range(TRIALS):
        p, scale = hard_vectors.extreme(rng)
        scale = min(scale, 1e300)
        p, w = np.clip(p, -scale, scale), descending(rng, p.size)
        w, gamma = w * (scale if scale > 1e-290 else 1.0), float(10.0 ** rng.uniform(-2, 1))
        gamma *= 1.0 if scale > 1e-290 else scale
        if gamma == 0.0:
            continue
        found = oscar.Penalty(w).prox(p, gamma, method=method).x
        room = Fraction(1e-15) * p.size * Fraction(max(scale, 0.0)) * 12 + p.size * Fraction(5e-324)
        right = exact_prox(w.tolist(), p.tolist(), gamma)
        assert all(abs(Fraction(x) - r) <= room for x, r in zip(found.tolist(), right, strict=True)), (p, w)


@pytest.mark.parametrize("size", [3000, 50_000, 200_000])
def test_large_points_by_skglm(size):
    rng = np.random.default_rng(2)
    w = 0.01 + 0.01 / size * np.arange(size)[::-1]
    for p in (
        rng.standard_normal(size),
        1e-2 * rng.standard_normal(size),
        np.round(rng.standard_normal(size), 2),
        1.0 + 1e-13 * rng.standard_normal(size),
        10.0 ** rng.uniform(-300, 2, size),
        -np.zeros(size),
    ):
        peer = SLOPE(w).prox_vec(p, 1.0)
        np.testing.assert_allclose(oscar.Penalty(w).prox(p, 1.0).x, peer, atol=1e-12)
        np.testing.assert_array_equal(descending_order(p), np.argsort(-np.abs(p), kind="stable"))
