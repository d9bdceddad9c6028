"""Full gradient of figure 2, right: ``OMP_NUM_THREADS=1 python benchmarks/bench_gradient.py``.

900,000 samples of 300 features and a constant in float32, 300 tasks. Time against the two bare NumPy products
a task (X_t θ_t and X_tᵀ s_t), in turn in one run; and the peak memory of a process that loads the instance
and takes a gradient, against the size of its data. Writes 1.3 GB into the temporary folder, needs 1.5 GB.
"""

from __future__ import annotations

import json
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

import h5py
import numpy as np
from threadpoolctl import threadpool_limits

from referee.jobs.instance import load_problem

TASKS, SAMPLES, HELD, COLUMNS = 300, 3000, 600, 301
PROBLEM = {"name": "multi_task", "loss": "sig2"}
TURNS = 5
LIMIT_TIME, LIMIT_MEMORY = 1.5, 1.3


def write_instance(path):
    """An instance file as `projfree instance` makes it, filled task by task."""
    rng = np.random.default_rng(0)
    with h5py.File(path, "w") as handle:
        handle.attrs["spec"] = json.dumps({"problem": PROBLEM})
        group = handle.create_group("seed-0")
        group.attrs["constants"] = json.dumps({"L_full": 1.0, "L_vr": 1.0, "L_max": 1.0, "l_lower": 1.0})
        for prefix, count in (("", SAMPLES), ("test_", HELD)):
            rows = group.create_dataset(f"{prefix}features", (TASKS * count, COLUMNS), dtype="f4")
            for first in range(0, len(rows), count):
                rows[first : first + count] = rng.standard_normal((count, COLUMNS), dtype=np.float32)
            group[f"{prefix}labels"] = rng.integers(0, 2, len(rows), dtype=np.int8)
        group["task_ptr"] = np.arange(TASKS + 1) * SAMPLES
        group["test_ptr"] = np.arange(TASKS + 1) * HELD


def bare_products(features, theta, slopes):
    """X_t θ_t and X_tᵀ s_t for every task, in the precision of the features."""
    return [
        (block @ row, s @ block)
        for block, row, s in zip(
            features.reshape(TASKS, SAMPLES, COLUMNS), theta, slopes.reshape(TASKS, SAMPLES), strict=True
        )
    ]


def seconds(function, *arguments):
    began = perf_counter()
    function(*arguments)
    return perf_counter() - began


def measure(path):
    """In a process of its own: memory first, then times."""
    before = peak_bytes()
    problem = load_problem(path, 0, PROBLEM)
    x = 0.01 * np.random.default_rng(1).standard_normal(problem.shape)
    problem.gradient(x)
    peak = peak_bytes()
    data = sum(array.nbytes for array in (problem.features, problem.labels, *problem.test))
    theta = np.ascontiguousarray(x.T, dtype=np.float32)
    slopes = np.random.default_rng(2).standard_normal(problem.n).astype(np.float32)
    times = [
        (seconds(problem.gradient, x), seconds(bare_products, problem.features, theta, slopes))
        for _ in range(TURNS)
    ]
    print(json.dumps({"times": times, "before": before, "peak": peak, "data": data}))


def peak_bytes():
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "instance.h5"
        write_instance(path)
        done = subprocess.run(
            [sys.executable, __file__, str(path)], stdout=subprocess.PIPE, text=True, check=True
        )
    found = json.loads(done.stdout)
    own, peer = (statistics.median(column) for column in zip(*found["times"], strict=True))
    ratio = statistics.median(a / b for a, b in found["times"])
    print(f"{'':<34}{'projfree':>12}{'peer':>12}{'ratio':>9}")
    print(
        f"{'full gradient 900,000×301':<34}{1e3 * own:>9.0f} ms{1e3 * peer:>9.0f} ms{ratio:>9.2f}"
        f"   against two products a task; limit {LIMIT_TIME}: {verdict(ratio, LIMIT_TIME)}"
    )
    memory = found["peak"] / found["data"]
    print(
        f"{'peak memory of load + gradient':<34}{found['peak'] / 1e6:>9.0f} MB{found['data'] / 1e6:>9.0f} MB"
        f"{memory:>9.2f}   against the data; limit {LIMIT_MEMORY}: {verdict(memory, LIMIT_MEMORY)};"
        f" {found['before'] / 1e6:.0f} MB of it are Python and its libraries"
    )


def verdict(ratio, limit):
    return "kept" if ratio <= limit else "NOT KEPT"


if __name__ == "__main__":
    with threadpool_limits(1):
        measure(sys.argv[1]) if len(sys.argv) > 1 else main()
