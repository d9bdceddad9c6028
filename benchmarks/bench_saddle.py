"""Saddle-point problems at news20's size: ``OMP_NUM_THREADS=1 python benchmarks/bench_saddle.py``.

15,935 samples × 62,061 features × 20 classes: the full gradient of mpcgs (both blocks) against the two
sparse-dense products in it, the linear minimisation against that gradient, what a method keeps beside its
state, and the peak memory of runs of figure 1(c) as the study has them, each in a process of its own.
news20 itself if it lies in ``data/raw`` or the mirror (PROJFREE_MIRROR), else ``text_rows`` of its shape.
"""

from __future__ import annotations

import json
import pickle
import statistics
import subprocess
import sys
import tempfile
import tracemalloc
from pathlib import Path
from time import process_time

import numpy as np
from threadpoolctl import threadpool_limits

from projfree import solvers
from projfree.common.root import checkout
from projfree.engine.oracles.saddle import Oracles
from referee import study
from referee.data import generators, prepare
from referee.data.errors import Unavailable
from referee.jobs.build import build_instance
from referee.jobs.instance import load_problem, make_constraint
from referee.jobs.job import run_job, with_tuned
from referee.jobs.probes._peak_memory import resident
from referee.study.models.experiment import Budget

FIGURE = ("mpcgs", "fig1-c")
STAND_IN = {"rows": 15935, "features": 62061, "classes": 20, "length": 85}  # as the probe costs-news20
#: Parameters with which the first steps move x, and SVRE leaves the ball, so that it projects.
METHODS = {
    "mpcgs": {"fast_forward": True},
    "mpscgs": {"fast_forward": True},
    "spfw": {},
    "svre": {"rate": 1000},
}
TURNS, STEPS, SECONDS = 15, 8, 3
LIMIT_GRADIENT, LIMIT_LINEAR, LIMIT_FUSED, LIMIT_COPIES, LIMIT_PEAK = 1.3, 0.3, 0.8, 0.1, 2**30


def write_instance(folder):
    """The instance of figure 1(c), seed 0, in `folder`, and what its rows are."""
    prepared, about = Path(folder, "news20.h5"), "news20"
    try:
        prepare.prepare("news20", prepared, offline=True)
    except Unavailable:
        rows = generators.generate("text_rows", np.random.default_rng(0), **STAND_IN)
        prepared.write(prepared, rows["X"], rows["y"], {"stand_in": True})
        about = "text_rows of its shape, in place of news20"
    build_figure(FIGURE, prepared, Path(folder, "instance.h5"))
    return about


def build_figure(figure, prepared, path):
    """The instance of an experiment as the study makes it, seed 0 alone."""
    recipe = study.load(figure[0], root=checkout()).recipe(figure[1])
    build_instance(recipe.model_copy(update={"seeds": [0]}), path, prepared)


def load(path):
    """Problem and set of an instance file."""
    job = study.load(FIGURE[0], root=checkout()).job(FIGURE[1], "mpcgs")
    problem = load_problem(path, 0, job.problem.plain())
    return problem, make_constraint(job, problem)


def walk(problem, ball, method, **params):
    """Yield the state after each step."""
    rng = np.random.default_rng(0)
    oracles, solver = Oracles(problem, ball, rng), solvers.make(method, METHODS[method] | params)
    state = solver.start(oracles, rng)
    for _ in range(STEPS):
        state = solver.step(oracles, state, rng)
        yield state


def speed(problem, ball):
    """CPU seconds of the full gradient, of the two products in it, and of the linear minimisation."""
    *_, state = walk(problem, ball, "mpcgs")
    x, y = state.iterate.x, state.iterate.y
    slopes = problem.slopes(problem.scores(x))
    gradient = problem.gradient_x(slopes, y)

    def full():
        scores = problem.scores(x)
        problem.gradient_x(problem.slopes(scores), y)
        problem.gradient_y(problem.payoff(scores), y)

    def products():
        problem.matrix @ x
        problem.transposed @ slopes

    runs = (full, products, lambda: ball.lmo(gradient))
    turns = [[seconds(run) for run in runs] for _ in range(TURNS + 1)][1:]
    own, peer, linear = (statistics.median(column) for column in zip(*turns, strict=True))
    report("full gradient", own, peer, [a / b for a, b, _ in turns], LIMIT_GRADIENT, "the two products")
    report("linear minimisation", linear, own, [c / a for a, _, c in turns], LIMIT_LINEAR, "a full gradient")


def fused(problem, ball):
    """CPU seconds of a step of SVRE, fused and literal, both by the Gram matrix: the same batches in turn."""
    forms = ({"fused": True}, {})
    walks = [walk(problem, ball, "svre", projection="gram", **form) for form in forms]
    turns = [[seconds(lambda each=each: next(each)) for each in walks] for _ in range(STEPS)][2:]
    own, peer = (statistics.median(column) for column in zip(*turns, strict=True))
    report("SVRE, a step", own, peer, [a / b for a, b in turns], LIMIT_FUSED, "the literal one")


def report(label, own, peer, ratios, limit, against):
    ratio = statistics.median(ratios)
    print(
        f"{label:<34}{1e3 * own:>9.1f} ms{1e3 * peer:>9.1f} ms{ratio:>9.2f}"
        f"   against {against}; limit {limit}: {verdict(ratio <= limit)}"
    )


def seconds(function):
    began = process_time()
    function()
    return max(process_time() - began, 1e-9)


def copies(problem, ball, method):
    """In units of X: what the state names, what is held beside it after a step, and in a step at most."""
    held, most = [], []
    tracemalloc.start()
    for state in walk(problem, ball, method):
        current, peak = tracemalloc.get_traced_memory()
        named = named_bytes(state)
        held.append(current - named)
        most.append(peak - named)
        tracemalloc.reset_peak()
    tracemalloc.stop()
    unit = 8 * np.prod(problem.shape)
    beside = held[-1] / unit
    print(
        f"{f'{method}: state, in copies of X':<34}{named / unit:>12.2f}{beside:>12.2f} held beside it; limit"
        f" {LIMIT_COPIES}: {verdict(beside <= LIMIT_COPIES)} ({statistics.median(most) / unit:.1f} for the"
        " time of a step)"
    )


def named_bytes(state):
    """Bytes of all arrays that a state names, each once."""
    buffers = []
    pickle.dumps(state, protocol=5, buffer_callback=buffers.append)
    return sum(buffer.raw().nbytes for buffer in buffers)


def report_peak(figure, method, path, budget, params):
    """Peak memory of a job of the study, in a process of its own; `params` so that a short one does all."""
    arguments = [*figure, method, str(path), json.dumps(budget), json.dumps(params)]
    command = [sys.executable, __file__, *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    *_, message, peak = done.stdout.splitlines()
    print(
        f"{f'{method}: peak memory of its job':<34}{int(peak) / 2**20:>8.0f} MiB{'':>13}"
        f"limit {LIMIT_PEAK / 2**20:.0f}: {verdict(int(peak) <= LIMIT_PEAK)} ({message})"
    )


def run_here(paper, experiment, method, path, budget, params):
    """What `report_peak` asks its process for: the job's message and its peak bytes."""
    job = study.load(paper, root=checkout()).job(experiment, method)
    job = with_tuned(job, json.loads(params))
    job = job.model_copy(update={"seeds": [0], "budget": Budget(**json.loads(budget))})
    with tempfile.TemporaryDirectory() as folder, threadpool_limits(1):
        run_job(job, path, Path(folder, "trace.h5"))
    print(resident("VmHWM"))


def verdict(kept):
    return "kept" if kept else "NOT KEPT"


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "instance.h5")
        about = write_instance(folder)
        problem, ball = load(path)
        print(f"{about}: {problem.n} × {problem.shape[0]} × {problem.shape[1]}, {problem.matrix.nnz} entries")
        print(f"{'':<34}{'projfree':>12}{'peer':>12}{'ratio':>9}")
        with threadpool_limits(1):
            speed(problem, ball)
            fused(problem, ball)
            for method in METHODS:
                copies(problem, ball, method)
        for method, params in METHODS.items():
            report_peak(FIGURE, method, path, {"cpu_seconds": SECONDS}, params)


if __name__ == "__main__":
    run_here(*sys.argv[1:]) if len(sys.argv) > 1 else main()
