"""The prox of sorted-l1 norms by pooling adjacent violators, O(N) after one sort.

With p sorted by descending absolute value and descending weights w, the proximal point has the same order and
signs, and |x| minimises ½Σ(z_j − q_j)² over z_1 ≥ … ≥ z_N ≥ 0 with q = |p|_(·) − γw (Bogdan et al. 2015,
Proposition 2.2): the decreasing isotonic regression of q, cut off at 0.
"""

from __future__ import annotations

import numpy as np

from projfree.linalg.compiled import njit
from projfree.linalg.ordering import descending_order

from . import Prox, check_finite


def prox(weights, p, gamma: float) -> Prox:
    """The exact proximal point of h(x) = Σ w_j |x|_(j)."""
    return by_groups(weights, p, gamma, pool)


def by_groups(weights, p, gamma: float, merge) -> Prox:
    """Sort, merge groups of q by `merge(sorted, weights, gamma, z) -> passes`, undo order and signs."""
    check_finite(p, gamma)
    size = np.abs(p)
    order = descending_order(size)
    z = np.empty(p.size)
    passes = merge(size[order], weights, gamma, z)
    x, value = _undo(p, order, z, weights)
    return Prox(x, value, passes=int(passes))


@njit
def _undo(p, order, z, weights):
    x, value = np.empty(p.size), 0.0
    for j in range(p.size):
        k = order[j]
        x[k] = z[j] if p[k] > 0.0 else -z[j] if p[k] < 0.0 else 0.0
        value += weights[j] * abs(x[k])
    return x, value


@njit
def pool(size, weights, gamma, z):
    """Fill z (N,) with the cut-off decreasing regression of size − γ·weights; one pass."""
    totals, counts = np.empty(z.size), np.empty(z.size, dtype=np.int64)
    groups = 0
    for j in range(z.size):
        total, count = size[j] - gamma * weights[j], 1
        while groups > 0 and totals[groups - 1] * count <= total * counts[groups - 1]:
            groups -= 1
            total += totals[groups]
            count += counts[groups]
        totals[groups], counts[groups] = total, count
        groups += 1
    j = 0
    for group in range(groups):
        mean = max(totals[group] / counts[group], 0.0)
        for _ in range(counts[group]):
            z[j] = mean
            j += 1
    return 1
