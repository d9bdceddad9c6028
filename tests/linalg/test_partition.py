"""Sums whose parts and order do not depend on who does which."""

import os
import signal

import numpy as np
import pytest

from projfree.linalg import partition
from projfree.linalg.partition import each, fold, row_ranges


@pytest.mark.parametrize("count", range(1, 18))
def test_folds_of_aligned_groups_fold_to_the_same(count):
    def add(one, other):
        return f"({one}+{other})"

    parts = [str(k) for k in range(count)]
    for size in (1, 2, 4, 8):
        groups = [fold(parts[k : k + size], add) for k in range(0, count, size)]
        assert fold(groups, add) == fold(parts, add)


def test_few_parts_wait():
    alive, most = set(), 0

    def part(k):
        nonlocal most
        alive.add(k)
        most = max(most, len(alive))
        return k

    def add(one, other):
        alive.discard(other)
        return one

    fold(map(part, range(256)), add)
    assert most == 9


def test_ranges_hold_all_rows_and_enough_entries(monkeypatch):
    monkeypatch.setattr(partition, "LEAST", 10)
    counts = np.random.default_rng(0).integers(0, 8, 100)
    indptr = np.concatenate([[0], np.cumsum(counts)])
    ranges = row_ranges(indptr, 1)
    assert [row for first, last in ranges for row in range(first, last)] == list(range(100))
    held = [int(counts[first:last].sum()) for first, last in ranges]
    assert min(held[:-1]) >= 10 and max(held) < 10 + 8
    assert len(row_ranges(indptr, 3)) < len(ranges) and row_ranges(np.zeros(5, int), 3) == [(0, 4)]


def test_results_come_in_order_and_few_items_are_under_way():
    started = []
    found = each(lambda item: started.append(item) or -item, range(40), 3)
    assert next(found) == 0 and len(started) <= 6
    assert list(found) == [-item for item in range(1, 40)]


def test_a_forked_process_has_threads_of_its_own():
    assert list(each(abs, [-1, -2, -3], 2)) == [1, 2, 3]
    child = os.fork()
    if not child:
        signal.alarm(20)  # threads that are not there would be waited for
        os._exit(list(each(abs, [-1, -2, -3], 2)) != [1, 2, 3])
    assert os.waitpid(child, 0)[1] == 0
