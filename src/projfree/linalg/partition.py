"""Sums over the entries of a sparse matrix whose parts and order do not depend on who does which.

Rows are cut where enough entries have come, and the parts are added in pairs, pairs of pairs and so on:
threads, processes and machines that share the parts in any way find the same bits.
"""

import os
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np

LEAST = 1 << 18  # entries of a part
A_COLUMN = 8  # and at least so many for each column: adding up a part is as much work as one entry a column


def row_ranges(indptr, columns: int) -> list[tuple[int, int]]:
    """Ranges of rows, each with just enough entries to be a part; the last may have fewer."""
    least, last, bounds = max(LEAST, A_COLUMN * columns), indptr.size - 1, [0]
    while bounds[-1] < last:
        wanted = indptr[bounds[-1]] + least
        bounds.append(min(int(np.searchsorted(indptr, wanted)), last))
    return list(zip(bounds[:-1], bounds[1:], strict=True))


def fold(parts, add):
    """The sum of the parts, neighbours first; of parts that come one by one few wait.

    Folds of 2ᵏ parts each, the first, the next and so on, folded themselves, give the same.
    """
    waiting = []
    for part in parts:
        rank = 0
        while waiting and waiting[-1][0] == rank:
            part, rank = add(waiting.pop()[1], part), rank + 1
        waiting.append((rank, part))
    part = waiting.pop()[1]
    while waiting:
        part = add(waiting.pop()[1], part)
    return part


def each(function, items, threads: int):
    """map, by as many threads at a time; what they call should let go of the interpreter.

    Twice as many items are under way, so that no thread waits while results are taken.
    """
    if threads == 1 or len(items) == 1:
        yield from map(function, items)
        return
    pool, waiting = _pool(threads), deque()
    for item in items:
        if len(waiting) == 2 * threads:
            yield waiting.popleft().result()
        waiting.append(pool.submit(function, item))
    while waiting:
        yield waiting.popleft().result()


@cache
def _pool(threads):
    """Kept: to start threads takes as long as a part of the work."""
    return ThreadPoolExecutor(threads)


os.register_at_fork(after_in_child=_pool.cache_clear)  # a child has none of the threads
