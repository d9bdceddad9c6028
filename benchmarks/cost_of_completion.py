"""What a gradient of completion costs: ``OMP_NUM_THREADS=1 python benchmarks/cost_of_completion.py``.

Fits the model of `Cost` to the measurements that are kept in `cost_of_completion.csv`, and prints its errors
and what it predicts for 10¹⁰ ratings on 32 machines; ``--svg PATH`` draws that. ``--measure 1e6 1e7`` first
measures what the table lacks at so many ratings, and adds each as it comes: CPU seconds of this process with
ratings in memory and from disk, in turn; wall seconds with 1, 2, 4 workers of Dask. Keep the machine quiet.
"""

from __future__ import annotations

import argparse
import csv
import os
import tempfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
from bench_beyond_memory import RANKS, gradient, made, seconds, whole
from distributed import Client, LocalCluster
from threadpoolctl import threadpool_limits

from projfree.completion.prepared import Prepared
from projfree.distributed.engine import SHARE, Distributed

TABLE = Path(__file__).with_suffix(".csv")
COLUMNS = ("ratings", "users", "items", "rank", "where", "seconds")
WORKERS = (1, 2, 4)
NETWORK, CORES = 1.25e9, 16  # what is predicted for: bytes a second (10 Gbit/s), cores of a machine


@dataclass
class Cost:
    """Seconds of a gradient: n(entry + column·k + decode from disk)/cores + a trip + a byte · bytes moved."""

    entry: float
    column: float
    decode: float
    trip: float
    byte: float

    def compute(self, n, k, cores=1, disk=False):
        """Of value and both products."""
        return n * (self.entry + self.column * k + self.decode * disk) / cores

    def whole(self, n, users, items, k, workers, cores):
        """The same with workers on so many cores in all."""
        return self.compute(n, k, cores) + self.trip + self.byte * moved(users, items, k, workers)

    def predicted(self, n, users, items, k, machines):
        """(seconds of computing, of moving bytes, of trips), who rated what included: two sweeps more.

        These take two thirds of the gradient's time and move as much again. A byte takes what it takes here,
        to be packed and unpacked, and the network's time.
        """
        bytes_ = 2 * moved(users, items, k, machines)
        computing = 5 / 3 * self.compute(n, k, machines * CORES)
        return computing, bytes_ * (self.byte + 1 / NETWORK), 3 * self.trip


def moved(users, items, k, workers):
    """Bytes over the client's link: left factor and product, the right factor once, sums of each group."""
    return 4 * k * (2 * users + items) + 8 * k * items * SHARE * workers


def kept():
    """Rows of the table, numbers as numbers."""
    if not TABLE.exists():
        return []
    with open(TABLE, newline="") as file:
        return [
            {name: cell if name == "where" else float(cell) for name, cell in row.items()}
            for row in csv.DictReader(file)
        ]


def key(row):
    """What is measured once."""
    return row["ratings"], row["rank"], row["where"]


def measure(n):
    """Add what the table lacks at about n ratings."""
    parts, users, items = made(n)
    known = set(map(key, kept()))
    size = users * parts[0].cols.size // (parts[0].indptr.size - 1)

    def lacking(where):
        return [k for k in RANKS if (size, k, where) not in known]

    if not any(map(lacking, ("memory", "disk", *map(str, WORKERS)))):
        return
    ratings = whole(parts, users, items)
    del parts
    with tempfile.TemporaryDirectory(prefix="ratings-", dir=".") as folder:
        prepared = Prepared.write(folder, ratings.blocks(), ratings.users, ratings.items)
        places = {"memory": ratings.sweeps(), "disk": prepared.sweeps()}
        for k in RANKS:
            factors, sought = sides(users, items, k), [where for where in places if k in lacking(where)]
            found = seconds(process_time, *(partial(gradient, places[where], *factors) for where in sought))
            for where, taken in zip(sought, found, strict=True):
                add(size, users, items, k, where, taken)
        for workers in WORKERS:
            ranks = lacking(str(workers))
            for k, taken in zip(ranks, by_workers(prepared, workers, ranks), strict=True):
                add(size, users, items, k, str(workers), taken)


def by_workers(prepared, workers, ranks):
    """Wall seconds at each rank."""
    if not ranks:
        return
    how = {"n_workers": workers, "threads_per_worker": 1, "dashboard_address": None}
    with LocalCluster(**how) as local, Client(local, direct_to_workers=True) as client:
        sweeps = Distributed(prepared, client).sweeps()
        for k in ranks:
            yield seconds(perf_counter, partial(gradient, sweeps, *sides(*prepared.shape, k)))[0]


def sides(users, items, k):
    """Factors of that rank."""
    return tuple(np.full((side, k), 0.1, np.float32) for side in (users, items))


def add(*cells):
    """One row to the table."""
    new = not TABLE.exists()
    with open(TABLE, "a", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows([COLUMNS] * new + [[*cells[:-1], f"{cells[-1]:.4g}"]])
    print(*cells, flush=True)


def fitted(rows) -> Cost:
    """Least squares on relative errors: of computing first, then of what workers take beside it."""
    n, _, _, k, _, memory = columns(rows, "memory")
    entry, column = relative([n, n * k], memory, memory)
    cost = Cost(entry, column, decoding(rows), 0.0, 0.0)
    n, users, items, k, where, wall = columns(rows, *map(str, WORKERS))
    workers = where.astype(int)
    beside = wall - cost.compute(n, k, np.minimum(workers, os.cpu_count()))
    cost.trip, cost.byte = relative([np.ones(len(n)), moved(users, items, k, workers)], beside, wall)
    return cost


def columns(rows, *places):
    """The table's columns, of the rows of these places."""
    return (np.array([row[name] for row in rows if row["where"] in places]) for name in COLUMNS)


def relative(columns, wanted, measured):
    """Coefficients of `columns` for `wanted`: the least squares of errors over what was measured."""
    A = np.stack(columns, axis=1) / measured[:, None]
    return np.linalg.lstsq(A, wanted / measured, rcond=None)[0]


def decoding(rows):
    """Seconds that a rating takes more from disk than in memory, the median over sizes and ranks."""
    taken = {key(row): row["seconds"] for row in rows}
    sizes = [(n, k) for n, k, where in taken if where == "disk" and (n, k, "memory") in taken]
    return float(np.median([(taken[n, k, "disk"] - taken[n, k, "memory"]) / n for n, k in sizes]))


def error(cost, row):
    """The model's value over what was measured, less one."""
    size = row["ratings"], row["users"], row["items"], row["rank"]
    if row["where"].isdigit():
        workers = int(row["where"])
        found = cost.whole(*size, workers, min(workers, os.cpu_count()))
    else:
        found = cost.compute(size[0], size[-1], disk=row["where"] == "disk")
    return found / row["seconds"] - 1


def figure(cost, rows, path):
    """Measured seconds and the model's, and what it says of 10¹⁰ ratings."""
    import matplotlib.pyplot as plt

    from referee.report.style import MPLSTYLE

    with plt.style.context([MPLSTYLE, {"svg.fonttype": "none", "svg.hashsalt": "projfree"}]):
        drawn, (left, middle, right) = plt.subplots(1, 3, figsize=(11, 3.4), layout="constrained")
        one_process(left, cost, rows)
        by_number(middle, cost, rows)
        machines = 2 ** np.arange(10)
        parts = np.array([cost.predicted(1e10, 2e7, 1e6, 40, m) for m in machines.tolist()])
        for part, name in zip(parts.T, ("computing", "bytes", "trips"), strict=True):
            right.plot(machines, part, label=name)
        right.plot(machines, parts.sum(axis=1), color="black", linestyle="dashed", label="all")
        right.set(xscale="log", yscale="log", xlabel=f"machines of {CORES} cores")
        right.set_title("predicted: 10¹⁰ ratings, rank 40, seconds")
        right.legend()
        drawn.savefig(path, metadata={"Date": None})


def one_process(axis, cost, rows):
    """CPU seconds against ratings."""
    for k, colour in zip(RANKS, ("#0072B2", "#009E73", "#D55E00"), strict=True):
        for where, mark in (("memory", "o"), ("disk", "x")):
            points = sorted(
                (r["ratings"], r["seconds"]) for r in rows if (r["rank"], r["where"]) == (k, where)
            )
            axis.plot(
                *zip(*points, strict=True), mark, color=colour, label=f"rank {k}" if mark == "o" else None
            )
        n = np.array([n for n, _ in points])
        axis.plot(n, cost.compute(n, k), color=colour)
    axis.set(xscale="log", yscale="log", xlabel="ratings", title="a gradient: CPU seconds (× from disk)")
    axis.legend()


def by_number(axis, cost, rows):
    """Wall seconds at rank 40 against workers."""
    sizes = sorted({row["ratings"] for row in rows})
    for n, colour in zip(sizes, ("#0072B2", "#009E73", "#D55E00", "#CC79A7"), strict=False):
        here = sorted(
            (row for row in rows if (row["ratings"], row["rank"]) == (n, 40) and row["where"].isdigit()),
            key=lambda row: int(row["where"]),
        )
        workers = [int(row["where"]) for row in here]
        axis.plot(workers, [row["seconds"] for row in here], "o", color=colour, label=f"{n:,.0f} ratings")
        axis.plot(workers, [row["seconds"] * (1 + error(cost, row)) for row in here], color=colour)
    axis.set(yscale="log", xticks=WORKERS, xlabel=f"workers, on {os.cpu_count()} cores")
    axis.set_title("a gradient at rank 40: seconds")
    axis.legend()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--measure", nargs="+", type=float, default=())
    parser.add_argument("--svg")
    asked = parser.parse_args()
    for n in asked.measure:
        measure(int(n))
    rows = kept()
    if not rows:
        return print("nothing is measured yet: --measure 1e6 1e7")
    cost = fitted(rows)
    print(
        f"an entry {1e9 * cost.entry:.1f} ns, and {1e9 * cost.column:.3f} ns a column; from disk"
        f" {1e9 * cost.decode:.1f} ns more; with workers {1e3 * cost.trip:.0f} ms a trip,"
        f" {1e9 * cost.byte:.1f} ns a byte"
    )
    for places in (("memory", "disk"), tuple(map(str, WORKERS))):
        errors = [abs(error(cost, row)) for row in rows if row["where"] in places]
        print(f"the model is within {max(errors):.0%}, median {np.median(errors):.0%}: {', '.join(places)}")
    parts = zip(cost.predicted(1e10, 2e7, 1e6, 40, 32), ("computing", "bytes", "trips"), strict=True)
    told = ", ".join(f"{taken:.1f} s {name}" for taken, name in parts)
    print(f"predicted for 10¹⁰ ratings (2·10⁷ users, 10⁶ items), rank 40, 32 machines: {told}")
    if asked.svg:
        figure(cost, rows, asked.svg)


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
