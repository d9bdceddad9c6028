"""Peak memory of a few steps on a stored instance, measured in a process of its own (Linux).

``python -m referee.jobs.probes._peak_memory FOLDER``: FOLDER holds the arrays of the instance as
``<name>.npy``, and ``task.json`` with ``problem``, ``set``, ``solver``, ``params``, ``steps``, ``lmo_tol``.
Prints the bytes by which the largest resident set exceeds that before the instance was read.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from projfree import problems, sets, solvers
from projfree.engine.oracles.constrained import Oracles


def peak_bytes(arrays: dict, task: dict) -> int:
    """The memory that the module declares for these arrays.

    Raises
    ------
    RuntimeError
        With the message of the other process, if it fails.
    """
    with tempfile.TemporaryDirectory() as folder:
        for name, array in arrays.items():
            np.save(Path(folder, f"{name}.npy"), array)
        Path(folder, "task.json").write_text(json.dumps(task), encoding="utf-8")
        command = [sys.executable, "-m", "referee.jobs.probes._peak_memory", folder]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise RuntimeError(f"measuring memory failed:\n{done.stderr}")
    return int(done.stdout)


def resident(which: str) -> int:
    """Bytes that this process holds (``VmRSS``), or has held at most (``VmHWM``): not those of its parent."""
    for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
        if line.startswith(f"{which}:"):
            return 1024 * int(line.split()[1])
    raise RuntimeError(f"/proc/self/status has no {which}")


def main(folder):
    """Warm up on a small instance, then read the one asked for and run."""
    task = json.loads(Path(folder, "task.json").read_text(encoding="utf-8"))
    small = np.arange(30)
    arrays = {"rows": small, "cols": small, "values": np.ones(30), "shape": np.array([30, 30])}
    _run({**task, "params": {**task["params"], "batch": None}}, arrays)
    before = resident("VmRSS")
    arrays = {path.stem: np.load(path) for path in Path(folder).glob("*.npy")}
    _run(task, arrays)
    print(resident("VmHWM") - before)


def _run(task, arrays):
    problem = problems.make(task["problem"], arrays)
    arrays.clear()  # as a job does: the problem keeps what it needs
    rng = np.random.default_rng(0)
    oracles = Oracles(problem, sets.make(task["set"]), rng, lmo_tol=task["lmo_tol"])
    method = solvers.make(task["solver"], task["params"])
    state = method.start(oracles, rng)
    for _ in range(task["steps"]):
        state = method.step(oracles, state, rng)


if __name__ == "__main__":
    main(sys.argv[1])
