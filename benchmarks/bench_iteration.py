"""One iteration through the driver: ``OMP_NUM_THREADS=1 python benchmarks/bench_iteration.py``.

Frank-Wolfe on the matrix completion of figure 1, left (200×200, about 4,000 entries): time of an iteration,
and what the driver adds to the bare loop over `solver.step`. Both walk the same path and take turns; medians.
"""

from __future__ import annotations

import statistics
from time import perf_counter

import numpy as np
from threadpoolctl import threadpool_limits

from projfree import sets, solvers
from projfree.engine.budget import Budget
from projfree.engine.driver import Setting, drive
from projfree.engine.oracles.constrained import Oracles
from projfree.problems import matrix_completion
from referee.data import generators

ITERATIONS, TURNS = 400, 31
LIMIT_MS, LIMIT_OVERHEAD = 0.6, 0.05


def figure_1_left():
    """Problem and set of the panel, as papers/ncgs has them."""
    rng = np.random.default_rng(0)
    arrays = generators.generate("completion", rng, shape=[200, 200], rank=5, radius=5)
    return matrix_completion.Problem(arrays, loss="sl0", sigma=1.0), sets.load("nuclear_ball")(5.0)


def bare(problem, ball, solver):
    """Seconds of a loop over `step` that counts oracles and does nothing else."""
    method, oracle = np.random.SeedSequence(0).spawn(2)
    oracles = Oracles(problem, ball, generator(oracle))
    began = perf_counter()
    rng = generator(method)
    state = solver.start(oracles, rng)
    for _ in range(ITERATIONS):
        state = solver.step(oracles, state, rng)
    return perf_counter() - began


def driven(problem, ball, solver):
    """Seconds of the same steps through the driver: budget, clock, records, progress; no metrics."""
    setting = Setting(Budget({"cpu_seconds": 1e9, "iterations": ITERATIONS}))
    began = perf_counter()
    drive(problem, ball, solver, np.random.SeedSequence(0), 0, setting)
    return perf_counter() - began


def generator(child):
    return np.random.Generator(np.random.PCG64DXSM(child))


def row(label, rule):
    problem, ball = figure_1_left()
    solver = solvers.make("frank_wolfe", {"step_rule": rule})
    bare(problem, ball, solver), driven(problem, ball, solver)
    times = [(bare(problem, ball, solver), driven(problem, ball, solver)) for _ in range(TURNS)]
    alone, whole = (1e3 * statistics.median(column) / ITERATIONS for column in zip(*times, strict=True))
    overhead = statistics.median(b / a - 1 for a, b in times)
    print(
        f"{label:<28}{whole:>11.3f} ms{alone:>11.3f} ms{100 * overhead:>9.1f} %"
        f"   limits {LIMIT_MS} ms and {100 * LIMIT_OVERHEAD:.0f} %: "
        f"{'kept' if whole <= LIMIT_MS and overhead <= LIMIT_OVERHEAD else 'NOT KEPT'}"
    )


def main():
    print(f"{'one iteration':<28}{'driver':>14}{'bare loop':>14}{'overhead':>11}")
    for rule in ("gap", "short"):
        row(f"Frank-Wolfe 200×200, {rule}", rule)


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
