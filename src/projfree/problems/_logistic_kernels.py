"""The half logistic loss over all known links in one pass."""

import math

import numpy as np

from ..linalg.compiled import njit

BLOCK = 512  # factors of at most 2, whose product overflows beyond 1023


def half_logistic(margins, signs):
    """(Σ ½ log(1 + e^{−yt}), its slopes (n,)) for t (n,) and signs y (n,) of ±1: ``losses.LOGH``, faster.

    The logarithm of a product stands for a sum of logarithms: each term is right to rounding in units of 1,
    which a small one alone is not.
    """
    slopes = np.empty(margins.size)
    return _half_logistic(margins, signs, slopes), slopes


# Sums may be done in any order, several at a time. They stand apart from what is written: with both in one
# loop the order depends on where in memory the arrays lie, and with it the last bit.
@njit(fastmath={"reassoc", "contract"})
def _half_logistic(t, y, slopes):
    total, tails = 0.0, np.empty(BLOCK)
    for first in range(0, t.size, BLOCK):
        size = min(BLOCK, t.size - first)
        for i in range(size):  # apart from the rest, which is done several at a time
            tails[i] = math.exp(-abs(t[first + i]))
        for i in range(size):
            sign, tail = y[first + i], tails[i]
            slopes[first + i] = -0.5 * sign * (tail if sign * t[first + i] > 0.0 else 1.0) / (1.0 + tail)
        product, linear = 1.0, 0.0
        for i in range(size):
            margin = y[first + i] * t[first + i]
            linear -= margin if margin < 0.0 else 0.0
            product *= 1.0 + tails[i]
        total += linear + math.log(product)
    return 0.5 * total
