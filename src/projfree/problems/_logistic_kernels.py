"""The half logistic loss over all known links in one pass."""

import math

import numpy as np

from ..linalg.compiled import njit

BLOCK = 16_384  # margins whose exponentials stay in the cache
FACTORS = 512  # of at most 2, whose product overflows beyond 1023


def half_logistic(margins, signs):
    """(Σ ½ log(1 + e^{−yt}), its slopes (n,)) for t (n,) and signs y (n,) of ±1: ``losses.LOGH``, faster.

    The logarithm of a product stands for a sum of logarithms: each term is right to rounding in units of 1,
    which a small one alone is not.
    """
    slopes, total = np.empty(margins.size), 0.0
    for first in range(0, margins.size, BLOCK):
        part = slice(first, first + BLOCK)
        tails = np.abs(margins[part])
        np.exp(np.negative(tails, out=tails), out=tails)  # NumPy's takes several at a time
        total += _half_logistic(margins[part], signs[part], tails, slopes[part])
    return total, slopes


# Sums may be done in any order, several at a time. They stand apart from what is written: with both in one
# loop the order depends on where in memory the arrays lie, and with it the last bit.
@njit(fastmath={"reassoc", "contract"})
def _half_logistic(t, y, tails, slopes):
    total = 0.0
    for i in range(t.size):
        slopes[i] = -0.5 * y[i] * (tails[i] if y[i] * t[i] > 0.0 else 1.0) / (1.0 + tails[i])
    for first in range(0, t.size, FACTORS):
        product, linear = 1.0, 0.0
        for i in range(first, min(first + FACTORS, t.size)):
            margin = y[i] * t[i]
            linear -= margin if margin < 0.0 else 0.0
            product *= 1.0 + tails[i]
        total += linear + math.log(product)
    return 0.5 * total
