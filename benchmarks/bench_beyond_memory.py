"""Beyond one memory: ``OMP_NUM_THREADS=1 python benchmarks/bench_beyond_memory.py [RATINGS]``.

A gradient of made-up ratings in memory beside from disk, CPU seconds in turn in one run: 10⁵, 10⁶, … and
RATINGS = 10⁷ of them, at three ranks (2.5·10⁸ take 7 GB and some minutes). Then a gradient on two threads
against one, by the wall clock. With ``--memory 2GB`` something else: a few iterations of a fit of so many
ratings from disk, and whether that bound of memory was kept (`bounded_memory`). `cost_of_completion` makes a
model of such measurements.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from functools import partial
from time import perf_counter, process_time

import bounded_memory
import numpy as np
from threadpoolctl import threadpool_limits

from projfree.completion import blocks
from projfree.completion.blocks import Block
from projfree.completion.prepared import BLOCKS, Prepared
from projfree.completion.ratings import Ratings
from projfree.linalg.partition import LEAST

RANKS, TURNS, A_USER = (8, 40, 80), 5, 150


def made(n):
    """Blocks of n ratings in tenths of stars, items drawn with a skew; users and items."""
    rng = np.random.default_rng(0)
    users, items = n // A_USER, max(500, int(n**0.5) * 3)
    rows = max(LEAST, 8 * items) // A_USER + 1
    parts = []
    for first in range(0, users, rows):
        here = min(rows, users - first)
        cols = np.sort((items * rng.random((here, A_USER)) ** 2).astype(np.int32), axis=1).ravel()
        values = rng.integers(1, 11, cols.size).astype(np.float32) / 2
        parts.append(Block(np.arange(here + 1, dtype=np.int64) * A_USER, cols, values))
    return parts, users, items


def whole(parts, users, items):
    """The blocks as `Ratings`."""
    rows = np.repeat(np.arange(users, dtype=np.int32), A_USER)
    cols, values = (np.concatenate([getattr(part, name) for part in parts]) for name in ("cols", "values"))
    return Ratings(rows, cols, values, np.arange(users).astype(str), np.arange(items).astype(str))


def seconds(clock, *functions):
    """Median of each, in turn, after one call to warm up."""
    found = [[] for _ in functions]
    for turn in range(TURNS + 1):
        for function, times in zip(functions, found, strict=True):
            began = clock()
            function()
            if turn:
                times.append(clock() - began)
    return [statistics.median(times) for times in found]


def compared(most):
    """Print seconds of value and both products in memory and from disk, at 10⁵, 10⁶, … and `most` ratings."""
    for n in sorted({*(10**k for k in range(5, int(np.log10(most)) + 1)), most}):
        parts, users, items = made(n)
        ratings = whole(parts, users, items)
        with tempfile.TemporaryDirectory() as folder:
            prepared = Prepared.write(folder, ratings.blocks(), ratings.users, ratings.items)
            size = (prepared.folder / BLOCKS).stat().st_size / ratings.n
            memory, disk = ratings.sweeps(), prepared.sweeps()
            for k in RANKS:
                L, R = (np.full((side, k), 0.1, np.float32) for side in (users, items))
                found = seconds(
                    process_time,
                    partial(gradient, memory, L, R),
                    partial(gradient, disk, L, R),
                )
                ratio, limit = found[1] / found[0], 1.3
                verdict = "kept" if ratio <= limit else "NOT KEPT"
                print(
                    f"{ratings.n:>11,} ratings, rank {k:>2}: {1e3 * found[0]:>8.1f} ms in memory,"
                    f" {1e3 * found[1]:>8.1f} ms from disk, {size:.2f} bytes a rating;"
                    f" {ratio:.2f}×, limit {limit}: {verdict}",
                    flush=True,
                )


def on_two_threads(n):
    """Print wall seconds of value and both products at rank 40 on one thread and on two."""
    ratings = whole(*made(n))
    L, R = (np.full((side, 40), 0.1, np.float32) for side in ratings.shape)
    one, two = (ratings.sweeps(None, threads) for threads in (1, 2))
    single, double = seconds(perf_counter, *(partial(gradient, sweeps, L, R) for sweeps in (one, two)))
    ratio, limit = single / double, 1.5
    print(f"{ratings.n:,} ratings, rank 40, two threads against one: {ratio:.2f}×, limit {limit}:", end=" ")
    print("kept" if ratio >= limit else "NOT KEPT")


def gradient(sweeps, L, R):
    """Value and both products."""
    return sweeps.run(blocks.gradients, (L,), (R,))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ratings", nargs="?", type=float, default=1e7)
    parser.add_argument("--memory", type=lambda size: int(float(size.removesuffix("GB")) * 1e9))
    asked = parser.parse_args()
    if asked.memory:
        return bounded_memory.within(int(asked.ratings), asked.memory)
    compared(int(asked.ratings))
    on_two_threads(min(int(asked.ratings), 10_000_000))


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
