"""Projections of vectors against exact rationals and decimals."""

from decimal import Context, Decimal
from fractions import Fraction

import hard_vectors
import numpy as np
import pytest

from projfree.linalg.projections import norm_l2, project_l1, project_l2, project_simplex, project_spectrum

TRIALS = 1000
DENORMAL = 5e-324
FIFTY = Context(prec=50, Emin=-(10**6), Emax=10**6)


def exact_simplex(y, total):
    """The projection in rationals, by sorting."""
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
        y, scale = hard_vectors.extreme(rng)
        total = min(scale * 10.0 ** rng.uniform(-3, 3), 1.7e308) or DENORMAL
        found, right = project(y, total).tolist(), exact(y.tolist(), total)
        room = Fraction(4e-16) * y.size * Fraction(total) + y.size * Fraction(DENORMAL)
        assert all(abs(Fraction(x) - r) <= room for x, r in zip(found, right, strict=True)), (y, total)


def test_the_euclidean_ball_by_decimals_at_all_scales():
    rng = np.random.default_rng(1)
    for _ in range(TRIALS):
        y, scale = hard_vectors.extreme(rng)
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
