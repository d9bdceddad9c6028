"""A method from a user's file, run in an experiment of a paper in a process of its own.

The file has a class `Solver` as in `solvers`, or a generator function ``method``. Its process sends points
and CPU seconds; the points are measured in this process, which never runs the file.
"""

import importlib.util
import inspect
import io
import itertools
import json
import math
import multiprocessing
import os
import pickle
import re
import resource
import time
import traceback
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import SimpleNamespace

from projfree.common.atomic_io import atomic_write
from projfree.common.hashes import file_sha256
from projfree.common.names import unknown
from projfree.common.parameters import call
from projfree.engine.budget import OVERRUN
from projfree.engine.clock import Clock
from projfree.engine.cpu_pinning import lane
from projfree.engine.metrics.constrained import dense
from projfree.engine.oracles.base import Oracles
from projfree.families import composite, saddle
from projfree.trace.format import write_trace

from ...jobs import instance
from ...jobs.compiled import without_compiling
from ...jobs.instance import trace_attrs
from ...jobs.job import make_setting, run_solver

#: Of a file to begin with; ``{name}`` is what it is called.
TEMPLATE = Path(__file__).with_name("my_method.py.j2").read_text(encoding="utf-8")

#: What is measured of a tried method at each record: 1 where its iterate is not in the set, else 0.
OUTSIDE = "outside"
SLACK = 1e-6  # relative: more than rounding, and less than anything to be gained outside


@dataclass(frozen=True)
class Method:
    """The method in a file: its name, its path, the hash of the file."""

    name: str
    path: Path
    sha256: str

    def make(self, params: dict):
        """A solver with its parameters, checked as far as they have annotations. This runs the file."""
        spec = importlib.util.spec_from_file_location(f"tried_{self.path.stem}", self.path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        maker = getattr(module, "Solver", None) or getattr(module, "method", None)
        if inspect.isgeneratorfunction(maker):
            return Walk(maker, params)
        if isinstance(maker, type) and hasattr(maker, "start") and hasattr(maker, "step"):
            return call(maker, params)
        raise ValueError(
            "no method found. Define a generator function `method(oracles, rng, …)` or a class `Solver` with "
            "`start` and `step`; write a template with: projfree try NEW.py --new"
        )


@dataclass(frozen=True)
class Walk:
    """A generator function as a solver: each step runs it to its next yield; its end is convergence."""

    function: object
    params: dict

    def start(self, oracles, rng):
        """To the first yield."""
        generator = call(self.function, self.params, oracles, rng)
        return SimpleNamespace(generator=generator, iterate=next(generator), converged=False)

    def step(self, oracles, s, rng):
        """To the next yield."""
        try:
            s.iterate = next(s.generator)
        except StopIteration:
            s.converged = True
        return s


class Whole(Clock):
    """CPU seconds of steps, and at any time of the process's other threads and of its ended children."""

    _threads = None

    def __enter__(self):
        super().__enter__()
        threads, self._children = _seconds()
        if self._threads is not None:
            self.cpu += threads - self._threads

    def __exit__(self, *_):
        super().__exit__()
        self._threads, children = _seconds()
        self.cpu += children - self._children


def _seconds():
    """CPU seconds of threads other than this one, and of ended children."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() - time.thread_time(), ended.ru_utime + ended.ru_stime


def read(path) -> Method:
    """The method of a Python file, which is not run; raises for a file or a name that is none."""
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(f"{path}: no such file; write a template with: projfree try {path} --new")
    if not re.fullmatch(r"\w[\w-]*\.py", path.name):
        raise ValueError(f"{path}: not the name of a Python file: letters, digits, - and _, then .py")
    return Method(path.stem.replace("_", "-"), path, file_sha256(path))


def write_template(path) -> None:
    """Write a template of a method; an existing file is left alone."""
    path = Path(path)
    if os.path.lexists(path):
        raise ValueError(f"{path} is there already; choose another name for the template")
    atomic_write(path, TEMPLATE.format(name=path.name))


def run_mine(method: Method, params: dict, job, instance_path, output) -> None:
    """Run a method on all seeds of a job, instead of the job's solver, and write the trace."""
    about, traces = instance.instance_attrs(instance_path), []
    for seed, repetition in job.runs:
        problem = instance.load_problem(instance_path, seed, job.problem.plain())
        traces.append(_run(method, params, job, problem, seed))
        traces[-1].repetition = repetition
    solver = type(job.solver)(name=method.name, params=params)
    job = job.model_copy(update={"metrics": list(traces[0].metrics), "solver": solver})
    write_trace(output, trace_attrs(job, about), traces)


def search(method: Method, params: dict, grid: dict, job, instance_path) -> tuple[dict, list]:
    """The parameters of a grid with the least criterion at the end, and (parameters, criterion) of all.

    Each combination runs on the one seed of an instance, with the whole budget.
    """
    (seed,) = json.loads(instance.instance_attrs(instance_path)["spec"])["seeds"]
    problem, tried = instance.load_problem(instance_path, seed, job.problem.plain()), []
    for values in itertools.product(*grid.values()):
        chosen = {**params, **dict(zip(grid, values, strict=True))}
        trace = _run(method, chosen, job, problem, seed)
        end, left = trace.metrics[job.metrics[0]][-1], any(trace.metrics[OUTSIDE])
        good = math.isfinite(end) and trace.end_status != "diverged" and not left
        tried.append((chosen, end if good else math.inf))
    return min(tried, key=lambda pair: pair[1])[0], tried


def in_place(job, method: Method, seconds: float):
    """The job of the method, not tuned before it: yields and calls are its own, so CPU seconds limit it."""
    budget = type(job.budget)(cpu_seconds=seconds, stop=job.budget.stop)
    return job.model_copy(
        update={"method": method.name, "search": None, "code": method.sha256, "budget": budget}
    )


def usable(instance_path: Path, recipe) -> bool:
    """Whether an instance file is there that the recipe, code included, has made, with all its seeds."""
    if not instance_path.exists():
        return False
    before, now = json.loads(instance.instance_attrs(instance_path)["spec"]), recipe.plain()
    return set(before.pop("seeds")) >= set(now.pop("seeds")) and before == now


def _run(method, params, job, problem, seed):
    """The trace of a run in a process of its own, with metrics from here."""
    made = make_setting(job, problem).metrics.items()
    metrics = {name: m for name, m in made if not (hasattr(m, "of_state") or hasattr(m, "of_tally"))}
    metrics[OUTSIDE] = _outside(problem, instance.make_constraint(job, problem))
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe()
    with lane() as shared:
        child = context.Process(target=_send, args=(there, method, params, job, problem, seed, list(metrics)))
        child.start()
        there.close()
        try:
            kind, values = "", []
            while kind != "end":
                kind, value = _received(here, method)
                if kind == "begin":
                    values = []
                elif kind == "point":
                    values.append({name: float(metric(value)) for name, metric in metrics.items()})
                    here.send(values[-1])
        finally:
            child.kill()
            child.join()
        trace = value
        trace.attrs |= {"constants": problem.constants, "lane": shared()}
    if len(trace.iteration) - len(values) not in (0, 1) or not values:
        raise ValueError(f"{method.path}: {len(values)} points for {len(trace.iteration)} records were sent")
    values += values[-1:] * (len(trace.iteration) - len(values))  # the budget ended inside a step
    for number, seconds in enumerate(trace.cpu_seconds):
        if number and seconds > OVERRUN * job.budget.cpu_seconds:  # a step that called no oracle in between
            values[number] = values[number - 1]
    trace.metrics = {name: [record[name] for record in values] for name in metrics}
    return trace


def _send(pipe, method, params, job, problem, seed, names):
    """In the process of the method: run it, send each point to be measured, and at the end the trace."""
    setting, values = make_setting(job, problem), {}

    def send(*message):
        pipe.send_bytes(pickle.dumps(message))

    def ask(name, point):
        if name == names[0]:
            send("point", point)
            values.update(pipe.recv())
        return values[name]

    def run():
        send("begin", None)
        return run_solver(method.make(params), job, problem, seed, setting)

    setting.clock, setting.metrics = Whole, {name: partial(ask, name) for name in names}
    try:
        trace = without_compiling(run)
        _, ended = _seconds()
        with suppress(ChildProcessError):  # until there is none that nobody waited for
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        trace.cpu_seconds = [seconds + _seconds()[1] - ended for seconds in trace.cpu_seconds]
        send("end", trace)
    except Exception as error:
        send("error", _message(error, method.path, job, problem))


def _message(error, path, job, problem):
    """What to say of an error in the method's process: its line in the file, and known oracles."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(path)]
    text = str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
    if isinstance(error, AttributeError) and isinstance(error.obj, Oracles):
        known = [name for name in dir(error.obj) if not name.startswith("_")]
        text = unknown("oracle", error.name, known, f"{job.paper}: {job.experiment} ({problem.family.name})")
    return f"{path}{f', line {lines[-1]}' if lines else ''}: {text}"


class _Points(pickle.Unpickler):
    """Arrays and points of projfree: what a file defines itself is not run in this process."""

    def find_class(self, module, name):
        if module.partition(".")[0] not in ("numpy", "projfree"):
            raise ValueError(f"a point is an array or a point of projfree, not {module}.{name}")
        return super().find_class(module, name)


def _received(pipe, method):
    try:
        kind, value = _Points(io.BytesIO(pipe.recv_bytes())).load()
    except (EOFError, ValueError) as error:
        raise ValueError(f"{method.path}: {error or 'its process ended within the run'}") from None
    if kind == "error":
        raise ValueError(value)
    return kind, value


def _outside(problem, constraint):
    """The metric `OUTSIDE`. A penalty allows all points but those where it is infinite."""
    if problem.family is saddle.FAMILY:
        return lambda z: not (constraint.contains(z.x, SLACK) and problem.dual_set.contains(z.y, SLACK))
    if problem.family.constraint == "set":
        return lambda x: not constraint.contains(dense(x), SLACK)
    if problem.family is composite.FAMILY:
        return lambda x: not math.isfinite(constraint.value(problem.raw(x)))
    return lambda x: False
