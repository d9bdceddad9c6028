"""Projections and proximal points of vectors against exact rationals, decimals and skglm."""

from decimal import Context, Decimal
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from skglm.penalties import SLOPE

from projfree.linalg.ordering import descending_order
from projfree.linalg.projections import norm_l2, project_l1, project_l2, project_simplex, project_spectrum
from projfree.penalties import oscar

TRIALS = 1000
DENORMAL = 5e-324
FIFTY = Context(prec=50, Emin=-(10**6), Emax=10**6)


def extreme(rng):
    """(vector, its scale): with ties and zeros, from 1e-300 to 1e300, denormal, or mixed."""
    x = rng.standard_normal(int(rng.integers(1, 13))) * 10.0 ** rng.integers(-2, 3)
    if rng.random() < 0.4:
        x = np.round(x, int(rng.integers(0, 2)))
    x[rng.random(x.size) < 0.15] = 0.0
    x = np.full(x.size, x[0]) if rng.random() < 0.1 else x
    kind = rng.integers(4)
    if kind == 0:
        return DENORMAL * rng.integers(-9, 10, x.size), 10 * DENORMAL
    x = x * 10.0 ** rng.uniform(-300, 300, x.size if kind == 1 else 1)
    return x, max(float(np.abs(x).max()), DENORMAL)


def exact_simplex(y, total):
    y, excess, tau = [Fraction(v) for v in y], -Fraction(total), None
    for count, v in enumerate(sorted(y, reverse=True), start=1):
        excess += v
        if v * count > excess:
            tau = excess / count
    return [max(v - tau, 0) for v in y]


def exact_spectrum(s, radius):
    positive = [max(Fraction(v), 0) for v in s]
    return positive if sum(positive) <= Fraction(radius) else exact_simplex(s, radius)


def exact_l1(y, radius):
    x = exact_spectrum([abs(v) for v in y], radius)
    return [v if sign >= 0 else -v for v, sign in zip(x, y, strict=True)]


@pytest.mark.parametrize(
    ("project", "exact"),
    [(project_simplex, exact_simplex), (project_spectrum, exact_spectrum), (project_l1, exact_l1)],
)
def test_projections_by_rationals_at_all_scales(project, exact):
    rng = np.random.default_rng(0)
    for _ in range(TRIALS):
        y, scale = extreme(rng)
        total = min(scale * 10.0 ** rng.uniform(-3, 3), 1.7e308) or DENORMAL
        found, right = project(y, total).tolist(), exact(y.tolist(), total)
        room = Fraction(4e-16) * y.size * Fraction(total) + y.size * Fraction(DENORMAL)
        assert all(abs(Fraction(x) - r) <= room for x, r in zip(found, right, strict=True)), (y, total)


def test_the_euclidean_ball_by_decimals_at_all_scales():
    rng = np.random.default_rng(1)
    for _ in range(TRIALS):
        y, scale = extreme(rng)
        radius = min(scale * 10.0 ** rng.uniform(-3, 1), 1.7e308)
        terms = [FIFTY.multiply(Decimal(v), Decimal(v)) for v in y.tolist()]
        norm = FIFTY.sqrt(sum(terms[1:], terms[0])) if y.any() else Decimal(0)
        assert norm_l2(y) == pytest.approx(float(norm), rel=1e-15, abs=DENORMAL)
        found = project_l2(y, radius)
        if norm <= Decimal(radius):
            np.testing.assert_allclose(found, y, rtol=1e-15)
            continue
        right = [float(FIFTY.divide(FIFTY.multiply(Decimal(v), Decimal(radius)), norm)) for v in y.tolist()]
        np.testing.assert_allclose(found, right, rtol=1e-15, atol=DENORMAL)


def test_a_huge_vector_and_a_tiny_total():
    x = project_simplex(np.array([1e16, 1e16 - 2, 0.0]), 1.0)
    assert x.sum() == pytest.approx(1.0) and x.min() >= 0


def descending(rng, size):
    """Weights: with ties, with zeros at the end, or of OSCAR."""
    w = np.sort(np.round(rng.random(size), int(rng.integers(1, 9))))[::-1].copy()
    if rng.random() < 0.3:
        w[size // 2 :] = 0.0
    return w if rng.random() < 0.6 else rng.random() + rng.random() * np.arange(size - 1, -1, -1.0)


def exact_prox(weights, p, gamma):
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
        p, scale = extreme(rng)
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


def test_the_value_of_oscar_by_its_pairs_in_rationals():
    rng = np.random.default_rng(4)
    for _ in range(TRIALS):
        x, (a, b) = extreme(rng)[0] * 1e-10, rng.random(2).tolist()
        pairs = sum(max(map(Fraction, pair)) for pair in combinations(np.abs(x).tolist(), 2))
        right = Fraction(a) * sum(map(Fraction, np.abs(x).tolist())) + Fraction(b) * pairs
        own = oscar.Penalty.for_problem(x, lambda1=a, lambda2=b, units="absolute").value(x)
        assert own == pytest.approx(float(right), rel=1e-13, abs=100 * DENORMAL)
