"""The linear assignment problem: one entry in each row and column of a square matrix, of the least sum.

Jonker and Volgenant, "A shortest augmenting path algorithm for dense and sparse linear assignment problems"
(1987). There are prices of columns, and each row that has a column has there its least entry less the price.
Most rows get theirs by two cheap sweeps, the rest by shortest augmenting paths.
"""

import numpy as np

from projfree.linalg.compiled import njit

SWEEPS = 2  # over rows that have no column yet, before paths are looked for
BIDS = 8  # of a sweep for each row, after which the others wait for paths: near ties can take many


@njit
def columns(C):
    """The column (n,) of each row of C (n, n), finite and contiguous, of an assignment of the least sum."""
    n, count = C.shape[0], 0
    prices, distance = np.empty(n), np.empty(n)
    row_of, column_of, free = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    before, remaining = np.empty(n, np.int64), np.empty(n, np.int64)
    _reduce_columns(C, prices, row_of, column_of, before, remaining)
    for i in range(n):
        if column_of[i] < 0:
            free[count] = i
            count += 1
    for _ in range(SWEEPS):
        if count > 0:
            count = _bid(C, prices, row_of, column_of, free, count)
    for k in range(count):
        _augment(C, prices, row_of, column_of, free[k], distance, before, remaining)
    return column_of


@njit
def _reduce_columns(C, prices, row_of, column_of, least, offers):
    """Price each column at its least entry, and offer it to that row; a row of one column pays its margin."""
    n = C.shape[0]
    for j in range(n):
        prices[j], least[j], offers[j], row_of[j], column_of[j] = C[0, j], 0, 0, -1, -1
    for i in range(1, n):
        for j in range(n):
            if C[i, j] < prices[j]:
                prices[j] = C[i, j]
                least[j] = i
    for j in range(n - 1, -1, -1):
        i = least[j]
        offers[i] += 1
        if column_of[i] < 0:
            column_of[i], row_of[j] = j, i
    for i in range(n):
        if offers[i] == 1 and n > 1:
            own, margin = column_of[i], np.inf
            for j in range(n):
                if j != own:
                    margin = min(margin, C[i, j] - prices[j])
            prices[own] -= margin


@njit
def _bid(C, prices, row_of, column_of, free, count):
    """Rows without a column take their best and lower its price to their second best; how many are left."""
    n, k, left, bids = C.shape[0], 0, 0, BIDS * count
    while k < count:
        i = free[k]
        k += 1
        bids -= 1
        first, second, best, next_best = np.inf, np.inf, 0, -1
        for j in range(n):
            value = C[i, j] - prices[j]
            if value < second:
                if value < first:
                    first, second, best, next_best = value, first, j, best
                else:
                    second, next_best = value, j
        owner, lower = row_of[best], prices[best] - (second - first)
        lowers = second < np.inf and lower < prices[best]
        if lowers:
            prices[best] = lower
        elif owner >= 0 and next_best >= 0:
            best, owner = next_best, row_of[next_best]
        column_of[i], row_of[best] = best, i
        if owner >= 0:
            column_of[owner] = -1
            if lowers and bids > 0:
                k -= 1
                free[k] = owner
            else:
                free[left] = owner
                left += 1
    return left


@njit
def _augment(C, prices, row_of, column_of, start, distance, before, remaining):
    """Give a row its column by a shortest path through rows that change theirs (Dijkstra), and set prices."""
    n = C.shape[0]
    for j in range(n):
        distance[j], before[j], remaining[j] = np.inf, start, j
    i, count, shift, end, least = start, n, 0.0, -1, 0.0
    while i >= 0:
        place, lowest, ends = 0, np.inf, False
        for k in range(count):
            j = remaining[k]
            value = C[i, j] - prices[j] - shift
            if value < distance[j]:
                distance[j], before[j] = value, i
            if distance[j] < lowest:
                place, lowest, ends = k, distance[j], row_of[j] < 0
            elif distance[j] == lowest and not ends and row_of[j] < 0:  # the path ends there
                place, ends = k, True
        end, least = remaining[place], lowest
        count -= 1
        remaining[place], remaining[count] = remaining[count], end  # those that are done stand at the end
        i = row_of[end]
        if i >= 0:
            shift = C[i, end] - prices[end] - least
    for k in range(count + 1, n):
        j = remaining[k]
        prices[j] += distance[j] - least
    while True:
        i = before[end]
        row_of[end] = i
        column_of[i], end = end, column_of[i]
        if i == start:
            break
