"""One step of NFWU: ``OMP_NUM_THREADS=1 python benchmarks/bench_nfwu.py [--large]``.

The setting of the paper's last column: 200×200, n = 4,000 observed entries, |S| = n/50, 20 epochs of 50 steps
of reading R1, no metrics. Each row is the median of whole runs that take turns; the share of the linear
minimisation (LO) is of the clock inside the oracles. Then the scaled instance of the probe ``step_costs`` at
a reduced size, with ``--large`` at 20,000² and 10^7 entries too (a few minutes, 2 GB).
"""

from __future__ import annotations

import statistics
import sys
from time import process_time
from types import SimpleNamespace

import numpy as np
from threadpoolctl import threadpool_limits

from projfree import sets, solvers
from projfree.engine.oracles.constrained import Oracles
from projfree.problems import matrix_completion
from referee.common import rooms
from referee.data import generators
from referee.study.models.base import Named

EPOCH, STEPS, TURNS = 50, 1000, 5
LIMIT_MS, LIMIT_SHARE = 0.4, 0.6
FULL = 10_000_000  # entries of the full size; at less, the interpreter's own memory counts
ESTIMATORS = ("full", "sg", "svrg", "spider", "casvrg", "caspider")
KINDS = ("observed", "array", "atoms")
LOSS = {"loss": "cil", "sigma": 1.0, "weight": "mean"}


def last_column():
    """Problem and set of figure 1, as papers/nfwu has them."""
    arrays = generators.generate(
        "low_rank_outliers", np.random.default_rng(0), paper="nfwu", shape=200, rank=5, noise=10
    )
    return matrix_completion.Problem(arrays, **LOSS), sets.load("nuclear_ball")(100.0)


def one_run(problem, ball, params):
    """CPU milliseconds a step, the share of it in the LO, and products a LO."""
    oracles = Oracles(problem, ball, np.random.default_rng(1), lmo_tol=1e-4)
    solver, rng = solvers.make("nfwu", {"epoch": EPOCH, **params}), np.random.default_rng(2)
    began = process_time()
    state = solver.start(oracles, rng)
    for _ in range(STEPS):
        state = solver.step(oracles, state, rng)
    spent = process_time() - began
    return 1e3 * spent / STEPS, oracles.seconds["lmo"] / spent, oracles.counts["matvec"] / STEPS


def paper_size():
    problem, ball = last_column()
    rows = [{"estimator": name, "iterate": kind} for kind in KINDS for name in ESTIMATORS]
    one_run(problem, ball, rows[0])
    turns = [[one_run(problem, ball, params) for params in rows] for _ in range(TURNS)]
    print(f"{'one step, 200×200, |S| = n/50':<34}{'ms':>8}{'LO':>8}{'products':>10}")
    for params, runs in zip(rows, zip(*turns, strict=True), strict=True):
        spent, share, products = (statistics.median(column) for column in zip(*runs, strict=True))
        kept = "kept" if spent <= LIMIT_MS and share <= LIMIT_SHARE else "NOT KEPT"
        label = f"{params['estimator']}, {params['iterate']}"
        print(f"{label:<34}{spent:>8.3f}{100 * share:>7.0f}%{products:>10.1f}   {kept}")


def scaled(size, observed):
    """Step against one pair of products times Lanczos steps (≤ 3); peak bytes an entry (≤ 40 at full)."""
    given = {"problem": {"name": "matrix_completion", **LOSS}, "set": {"name": "nuclear_ball", "radius": 1e4}}
    job = SimpleNamespace(**{part: Named(**values) for part, values in given.items()})
    ball, measure = sets.load("nuclear_ball")(1e4), rooms.load("nfwu", "probes", "step_costs").measure
    for name in ESTIMATORS:
        rng, shape = np.random.default_rng(0), {"shapes": [size], "observed": observed}
        rows = [row.metrics for row in measure(job, None, ball, rng, estimator=name, **shape)]
        ratio = statistics.median(row["seconds_ratio"] for row in rows)
        step = statistics.median(row["seconds_step"] for row in rows)
        memory = rows[0]["memory_per_entry"]
        kept = "kept" if ratio <= 3 and (memory <= 40 or observed < FULL) else "NOT KEPT"
        label = f"{name}, {size:,}², {observed:,}"
        print(f"{label:<34}{1e3 * step:>8.1f} ms a step{ratio:>6.2f}{memory:>8.1f} bytes   {kept}")


def main():
    paper_size()
    print(f"{'a step, matrix never formed':<34}{'':>18}{'ratio':>6}{'an entry':>14}")
    scaled(2_000, 100_000)
    if "--large" in sys.argv:
        scaled(20_000, FULL)


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
