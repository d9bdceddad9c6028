"""Beyond one memory: ``OMP_NUM_THREADS=1 python benchmarks/bench_beyond_memory.py [RATINGS] [--svg PATH]``.

Sweeps over made-up ratings, 10⁵ to RATINGS = 10⁷ of them, in memory and from disk, at three ranks; the round
trip of a sweep by two workers of Dask on this machine. From these the model of `Cost`, its error, and what it
predicts for 10¹⁰ ratings on 32 machines; with a path its figure. CPU seconds, in turn in one run. Then a
gradient on two threads against one, by the wall clock. With ``--memory 2GB`` something else: a few iterations
of a fit of so many ratings from disk, and whether that bound of memory was kept (`bounded_memory`).
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from dataclasses import dataclass
from functools import partial
from time import perf_counter, process_time

import bounded_memory
import numpy as np
from distributed import Client, LocalCluster
from threadpoolctl import threadpool_limits

from projfree.completion import blocks
from projfree.completion.blocks import Block
from projfree.completion.prepared import BLOCKS, Prepared
from projfree.completion.ratings import Ratings
from projfree.distributed.engine import SHARE, Distributed
from projfree.linalg.partition import LEAST

RANKS, TURNS, A_USER = (8, 40, 80), 5, 150
NETWORK, CORES = 1.25e9, 16  # what is predicted for: bytes a second (10 Gbit/s), cores of a machine


@dataclass
class Cost:
    """Seconds of a gradient: n(entry + column·k + decode from disk)/cores, round trips, bytes moved.

    A gradient with who rated what is three sweeps: Pᵀ V, the errors with both products, P R. Over the link of
    the client go, in single precision, the left factor down and up twice and the right factor down twice,
    which workers hand on to each other; and twice the right product of each group, in double precision.
    """

    entry: float
    column: float
    decode: float
    trip: float

    def compute(self, n, k, cores=1.0, disk=False):
        """Of one sweep that gives value and both products."""
        return n * (self.entry + self.column * k + self.decode * disk) / cores

    def gradient(self, n, k, users, items, machines):
        """(seconds of computing, of bytes, of trips) with `machines` of `CORES`, who rated what included."""
        moved = 4 * k * (4 * users + 2 * items) + 8 * k * 2 * SHARE * machines * items
        return (
            5 / 3 * self.compute(n, k, machines * CORES),
            moved / NETWORK,
            3 * self.trip,
        )


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


def measured(most):
    """(n, k, seconds in memory, from disk) of value and both products."""
    n = 100_000
    while n <= most:
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
                yield ratings.n, k, *found
        n *= 10


def trip():
    """Wall seconds of a sweep that computes nothing, by two workers."""
    parts, users, items = made(100_000)
    ratings = whole(parts, users, items)
    how = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with tempfile.TemporaryDirectory() as folder, LocalCluster(**how) as local, Client(local) as client:
        prepared = Prepared.write(folder, ratings.blocks(), ratings.users, ratings.items)
        sweeps = Distributed(prepared, client).sweeps()
        return seconds(perf_counter, lambda: sweeps.run(blocks.counts, (), (), items))[0]


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


def fitted(rows, trip) -> Cost:
    """Least squares on relative errors."""
    n, k, memory, disk = np.array(rows).T
    A = np.column_stack([n, n * k]) / memory[:, None]
    entry, column = np.linalg.lstsq(A, np.ones(len(n)), rcond=None)[0]
    return Cost(entry, column, float(np.median((disk - memory) / n)), trip)


def figure(cost, rows, path):
    """Measured seconds and the model's, and what it says of 10¹⁰ ratings."""
    import matplotlib.pyplot as plt

    from projfree.report.style import MPLSTYLE

    with plt.style.context([MPLSTYLE, {"svg.fonttype": "none", "svg.hashsalt": "projfree"}]):
        drawn, (left, right) = plt.subplots(1, 2, figsize=(8, 3.2), layout="constrained")
        for k, colour in zip(RANKS, ("#0072B2", "#009E73", "#D55E00"), strict=True):
            n, _, memory, disk = np.array([row for row in rows if row[1] == k]).T
            left.plot(n, memory, "o", color=colour, label=f"rank {k}")
            left.plot(n, disk, "x", color=colour)
            left.plot(n, cost.compute(n, k), color=colour)
        left.set(xscale="log", yscale="log", xlabel="ratings", title="a gradient: CPU seconds (× from disk)")
        left.legend()
        machines = 2 ** np.arange(10)
        parts = np.array([cost.gradient(1e10, 40, 2e7, 1e6, m) for m in machines.tolist()])
        for part, name in zip(parts.T, ("computing", "bytes", "round trips"), strict=True):
            right.plot(machines, part, label=name)
        right.plot(machines, parts.sum(axis=1), color="black", linestyle="dashed", label="all")
        right.set(xscale="log", yscale="log", xlabel=f"machines of {CORES} cores")
        right.set_title("predicted: 10¹⁰ ratings, rank 40, seconds")
        right.legend()
        drawn.savefig(path, metadata={"Date": None})


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ratings", nargs="?", type=float, default=1e7)
    parser.add_argument("--svg")
    parser.add_argument("--memory", type=lambda size: int(float(size.removesuffix("GB")) * 1e9))
    asked = parser.parse_args()
    if asked.memory:
        return bounded_memory.within(int(asked.ratings), asked.memory)
    rows = list(measured(int(asked.ratings)))
    cost = fitted(rows, trip())
    worst = max(abs(cost.compute(n, k) / memory - 1) for n, k, memory, _ in rows)
    print(
        f"an entry {1e9 * cost.entry:.1f} ns, and {1e9 * cost.column:.3f} ns a column; from disk"
        f" {1e9 * cost.decode:.1f} ns more; a trip {1e3 * cost.trip:.0f} ms; the model is within {worst:.0%}"
    )
    parts = cost.gradient(1e10, 40, 2e7, 1e6, 32)
    told = ", ".join(
        f"{s:.1f} s {name}" for s, name in zip(parts, ("computing", "bytes", "trips"), strict=True)
    )
    print(f"predicted for 10¹⁰ ratings (2·10⁷ users, 10⁶ items), rank 40, 32 machines: {told}")
    if asked.svg:
        figure(cost, rows, asked.svg)
    on_two_threads(min(int(asked.ratings), 10_000_000))


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
