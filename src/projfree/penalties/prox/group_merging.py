"""The prox of sorted-l1 norms by iterative group merging (Zhong and Kwok 2012), the exact prox of ipg.

Each entry of sorted |p| begins as a group of its own, whose value is the mean of q = |p|_(·) − γw over it;
a group merges with the next while its value is not larger; negative values become 0. The text of ipg
gives no pseudo-code, and its claims about time hang on how the next pair is found (deviation U6): `restart`
looks from the first group again after each merge, O(N²); `sweep` merges all disjoint violating pairs of a
pass; `interpreted` is `restart` in plain Python, as a Matlab loop would be. Same point as `pava`.
"""

import numpy as np

from projfree.linalg.compiled import njit

from .pava import by_groups


def restart(weights, p, gamma: float):
    """Group merging that begins again at the first group after each merge, compiled."""
    return by_groups(weights, p, gamma, _restart)


def sweep(weights, p, gamma: float):
    """Group merging in passes over all groups, compiled."""
    return by_groups(weights, p, gamma, _sweep)


def interpreted(weights, p, gamma: float):
    """As `restart`, in plain Python lists."""
    return by_groups(weights, p, gamma, _interpreted)


@njit
def _restart(size, weights, gamma, z):
    totals, counts = size - gamma * weights, np.ones(z.size, dtype=np.int64)
    following = np.arange(1, z.size + 1)
    scans, merged = 0, True
    while merged:
        scans, merged = scans + 1, False
        group = 0
        while following[group] < z.size:
            after = following[group]
            if totals[group] * counts[after] <= totals[after] * counts[group]:
                totals[group] += totals[after]
                counts[group] += counts[after]
                following[group] = following[after]
                merged = True
                break
            group = after
    group = 0
    while group < z.size:
        z[group : following[group]] = max(totals[group] / counts[group], 0.0)
        group = following[group]
    return scans


@njit
def _sweep(size, weights, gamma, z):
    totals, counts = size - gamma * weights, np.ones(z.size, dtype=np.int64)
    groups, passes, merged = z.size, 0, True
    while merged:
        passes, merged = passes + 1, False
        remaining, group = 0, 0
        while group < groups:
            total, count = totals[group], counts[group]
            group += 1
            if group < groups and total * counts[group] <= totals[group] * count:
                total, count = total + totals[group], count + counts[group]
                group += 1
                merged = True
            totals[remaining], counts[remaining] = total, count
            remaining += 1
        groups = remaining
    j = 0
    for group in range(groups):
        z[j : j + counts[group]] = max(totals[group] / counts[group], 0.0)
        j += counts[group]
    return passes


def _interpreted(size, weights, gamma, z):
    totals, counts = (size - gamma * weights).tolist(), [1] * z.size
    scans, merged = 0, True
    while merged:
        scans, merged = scans + 1, False
        for group in range(len(totals) - 1):
            if totals[group] * counts[group + 1] <= totals[group + 1] * counts[group]:
                totals[group] += totals.pop(group + 1)
                counts[group] += counts.pop(group + 1)
                merged = True
                break
    z[:] = np.repeat([max(total / count, 0.0) for total, count in zip(totals, counts, strict=True)], counts)
    return scans
