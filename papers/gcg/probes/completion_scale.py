"""Time of an outer iteration and peak memory of gcg on generated ratings, from 10⁶ to 2.5·10⁸ of them."""

import json
import subprocess
import sys
from time import process_time

import numpy as np

from projfree.common import parameters
from projfree.common.parameters import Count
from projfree.trace.timers import belongs
from referee.jobs.probes import Row
from referee.jobs.probes._peak_memory import resident


def measure(
    job, problem, constraint, rng, *, sizes: list[dict], steps: Count = 3, params: dict | None = None
):
    """One row an outer iteration for each of `sizes`, a list of {users, items, ratings}.

    Each size has a process of its own, which makes the ratings too. Metrics: ``ratings``, ``users``;
    ``seconds_step`` CPU of the iteration, ``seconds_polar`` and ``seconds_reduce`` of its parts;
    ``seconds_gradient`` of one value and gradient of the factors at its end; ``rank``; ``memory_per_rating``,
    the largest resident set over that before, in bytes a rating, and ``memory_peak`` in MB.
    """
    row = 0
    for size in sizes:
        task = {"size": size, "steps": steps, "params": params or {}, "weight": constraint.weight}
        task["seed"] = int(rng.integers(2**31))
        command = [sys.executable, "-m", "referee.papers.gcg.probes.completion_scale", json.dumps(task)]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
        if done.returncode:
            raise RuntimeError(f"a run on {size} failed:\n{done.stderr}")
        for values in json.loads(done.stdout):
            yield Row(row, values)
            row += 1


def main(task):
    """Warm up on a small instance, then make and run the one asked for; print the measurements."""
    for _ in _steps({**task, "size": {"users": 40, "items": 30, "ratings": 300}, "steps": 2}):
        pass
    before, found = resident("VmRSS"), list(_steps(task))
    peak = resident("VmHWM") - before
    for values in found:
        values |= {"memory_peak": peak / 1e6, "memory_per_rating": peak / values["ratings"]}
    print(json.dumps(found))


def _steps(task):
    from projfree.engine.oracles.regularised import Oracles
    from projfree.penalties import trace_norm
    from projfree.solvers import gcg

    rng = np.random.default_rng(task["seed"])
    problem = _ratings(rng, **task["size"])
    oracles = Oracles(problem, trace_norm.Penalty(task["weight"]), rng)
    method = parameters.call(gcg.Solver, task["params"])
    state = method.start(oracles, rng)
    for _ in range(task["steps"]):
        before, began = dict(oracles.seconds), process_time()
        state = method.step(oracles, state, rng)
        spent = process_time() - began
        now = oracles.seconds
        parts = {f"seconds_{p}": _spent(before, now, p) for p in ("polar", "reduce")}
        began = process_time()
        problem.factor_gradients(state.x.U, state.x.V)
        gradient = process_time() - began
        about = {"ratings": problem.n, "users": problem.shape[0], "rank": state.x.rank}
        yield {**about, "seconds_step": spent, "seconds_gradient": gradient, **parts}


def _spent(before, now, phase):
    return sum(now[name] - before[name] for name in now if belongs(name, phase))


def _ratings(rng, users, items, ratings):
    """A problem of generated ratings on 1 to 5; what made it is forgotten on the way."""
    from projfree.problems import ratings_completion

    from ..generators import ratings_standin

    X = ratings_standin.generate(rng, users=users, items=items, ratings=ratings)["X"]
    rows = np.repeat(np.arange(users, dtype=np.int32), np.diff(X.indptr))
    arrays = {"rows": rows, "cols": X.indices, "values": X.data.astype(np.float32), "shape": (users, items)}
    return ratings_completion.Problem(arrays)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
