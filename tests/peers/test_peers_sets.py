"""Sets against exact rationals, decimals and copt: linear minimisation, support, membership."""

from decimal import Context, Decimal
from fractions import Fraction

import hard_vectors
import numpy as np
import pytest

from projfree.sets import l2_ball, nuclear_ball, simplex

TRIALS = 1000
DENORMAL = 5e-324
FIFTY = Context(prec=50, Emin=-(10**6), Emax=10**6)


def test_the_simplex_at_all_scales():
    rng = np.random.default_rng(0)
    for _ in range(TRIALS):
        G, _scale = hard_vectors.extreme(rng)
        chosen = simplex.Set(10.0 ** rng.uniform(-300, 300))
        v, right = chosen.lmo(G), min(Fraction(g) for g in G.tolist())
        assert np.count_nonzero(v) == 1 and v.sum() == chosen.total and Fraction(float(G[v > 0][0])) == right
        assert v.argmax() == G.tolist().index(float(right))  # the first of ties
        assert chosen.support(-G) == pytest.approx(float(-right) * chosen.total, rel=1e-15, abs=DENORMAL)
        assert chosen.contains(v) and chosen.contains(chosen.project(G), slack=1e-12)


def test_the_euclidean_ball_at_all_scales():
    rng = np.random.default_rng(1)
    for _ in range(TRIALS):
        G, scale = hard_vectors.extreme(rng)
        radius = 10.0 ** rng.uniform(-300, 300)
        chosen, v = l2_ball.Set(radius), l2_ball.Set(radius).lmo(G)
        if not G.any():
            assert not v.any()
            continue
        squares = [FIFTY.multiply(Decimal(g), Decimal(g)) for g in G.tolist()]
        norm = FIFTY.sqrt(sum(squares[1:], squares[0]))
        right = [-float(FIFTY.divide(FIFTY.multiply(Decimal(g), Decimal(radius)), norm)) for g in G.tolist()]
        np.testing.assert_allclose(v, right, rtol=1e-15, atol=DENORMAL)
        assert chosen.contains(v) and chosen.gauge(v) == pytest.approx(radius, rel=1e-15 * G.size)
        assert chosen.contains(chosen.project(np.minimum(scale, 1e300) * np.sign(G)))


@pytest.mark.parametrize("linear", ["lanczos", "gram"])
def test_what_is_no_matrix_is_told_by_name(linear):
    ball = nuclear_ball.Set(1.0, linear)
    for argument, oracle in (("G", ball.lmo), ("G", ball.support), ("X", ball.project)):
        for bad, words in ((np.ones(3), "a matrix"), (np.ones((0, 2)), "a matrix"), (np.eye(2) * 1j, "real")):
            with pytest.raises(ValueError, match=f"^nuclear_ball: {argument} must be {words}"):
                oracle(bad)
