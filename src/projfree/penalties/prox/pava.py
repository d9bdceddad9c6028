"""The prox of sorted-l1 norms by pooling adjacent violators, O(N) after one sort.

With p sorted by descending absolute value and descending weights w, the proximal point has the same order and
signs, and |x| minimises ½Σ(z_j − q_j)² over z_1 ≥ … ≥ z_N ≥ 0 with q = |p|_(·) − γw (Bogdan et al. 2015,
Proposition 2.2): the decreasing isotonic regression of q, cut off at 0. Entries of at most γw_N end as zeros,
whatever the others are; if K are larger, those of at most γw_K end so too, and need no sorting.
"""

import numpy as np

from projfree.linalg.compiled import njit, prompt
from projfree.linalg.ordering import descending_order, select, sort
from projfree.linalg.validation import INFINITY, largest_bits, numbers, positive, vector

from . import Prox

HUGE = int(np.array(1e280).view(np.int64))  # bits of sizes whose sums over a group need another unit
ANOTHER = 2.0**-100


def prox(weights, p, gamma: float) -> Prox:
    """The exact proximal point of h(x) = Σ w_j |x|_(j).

    Parameters
    ----------
    weights : ndarray (N,), descending and not negative
    p : array (N,), finite
    gamma : float > 0, finite
    """
    weights = numbers("weights", weights)
    p = numbers("p", p, weights.size)
    x, value, finite = prompt(_prox, p.size)(weights, p, positive("gamma", gamma))
    if not finite:
        raise ValueError("p has entries that are not finite")
    return Prox(x, value)


def by_groups(weights, p, gamma: float, merge) -> Prox:
    """Sort, merge groups of q by `merge(sorted, weights, gamma, z) -> passes`, undo order and signs."""
    weights = vector("weights", weights)
    p, gamma = vector("p", p, weights.size), positive("gamma", gamma)
    order, unit = descending_order(p), 1.0 if largest_bits(p) < HUGE else ANOTHER
    z = np.empty(p.size)
    passes = merge(np.abs(p)[order] * unit, weights, gamma * unit, z)
    x = np.zeros(p.size)
    value = _undo(2 * order + (p < 0.0)[order], z, 1.0 / unit, weights, x)
    return Prox(x, value, passes=int(passes))


@njit
def _prox(weights, p, gamma):
    """The point, h there, and whether p is finite: else they mean nothing."""
    peak = largest_bits(p)
    unit = 1.0 if peak < HUGE else ANOTHER
    places, sizes, x = np.empty(p.size, np.int64), np.empty(p.size), np.zeros(p.size)
    if peak >= INFINITY:
        return x, 0.0, False
    gamma *= unit
    count = select(p, gamma * weights[-1], unit, places, sizes)
    count = _screen(weights, gamma, count, places, sizes)
    places, z = places[:count], sizes[:count]
    sort(p, unit, places, z)
    pool(z, weights, gamma, z)
    return x, _undo(places, z, 1.0 / unit, weights, x), True


@njit
def _screen(weights, gamma, count, places, sizes):
    """Drop sizes of at most γw_count while that drops many."""
    while count > 0:
        floor, left, survivors = gamma * weights[count - 1], 0, 0
        for j in range(count):
            left += sizes[j] > floor
        if left > 0.75 * count:
            break
        for j in range(count):
            places[survivors], sizes[survivors] = places[j], sizes[j]
            survivors += sizes[j] > floor
        count = survivors
    return count


@njit
def _undo(places, z, unit, weights, x):
    """Fill x, zero so far, with ±z·unit where that is not zero; return h(x)."""
    value = 0.0
    for j in range(z.size):
        size = z[j] * unit
        if not size > 0.0:
            break
        x[places[j] >> 1] = -size if places[j] & 1 else size
        value += weights[j] * size
    return value


@njit
def pool(size, weights, gamma, z):
    """Fill z (N,), which may be `size`, with the cut-off decreasing regression of size − γ·weights."""
    totals, counts = z, np.empty(z.size, dtype=np.int64)
    groups = 0
    for j in range(z.size):
        total, count = size[j] - gamma * weights[j], 1
        while groups > 0 and totals[groups - 1] * count <= total * counts[groups - 1]:
            groups -= 1
            total += totals[groups]
            count += counts[groups]
        totals[groups], counts[groups] = total, count
        groups += 1
    end = z.size
    for group in range(groups - 1, -1, -1):  # no total is overwritten before it is read
        mean = max(totals[group] / counts[group], 0.0)
        for _ in range(counts[group]):
            end -= 1
            z[end] = mean
    return 1
