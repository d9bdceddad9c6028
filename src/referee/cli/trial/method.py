"""A method from a user's file, and its run in an experiment of a paper as a job of the workflow.

The file has a class `Solver` as in `solvers`, or a generator function ``method``.
"""

import hashlib
import importlib.util
import inspect
import itertools
import json
import math
import os
import traceback
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from projfree.engine.lane import lane
from projfree.engine.metrics.constrained import dense
from projfree.engine.oracles.base import Oracles
from projfree.families import composite, saddle
from projfree.ground.hashes import file_sha256
from projfree.ground.names import unknown
from projfree.ground.parameters import call
from projfree.ground.sealed import atomic_write
from projfree.trace.format import write_trace

from ...evidence.tidy import tidy
from ...jobs import instance
from ...jobs.attributes import trace_attrs
from ...jobs.compiled import without_compiling
from ...jobs.job import make_setting, run_solver

#: Of a file to begin with; ``{name}`` is what it is called.
TEMPLATE = Path(__file__).with_name("my_method.py.j2").read_text(encoding="utf-8")

#: What is measured of a tried method at each record: 1 where its iterate is not in the set, else 0.
OUTSIDE = "outside"
SLACK = 1e-6  # relative: more than rounding, and less than anything to be gained outside


@dataclass(frozen=True)
class Method:
    """The method in a file: its name, the function or class that makes a solver, the hash of the file."""

    name: str
    maker: object
    sha256: str

    def make(self, params: dict):
        """A solver with its parameters, checked as far as they have annotations."""
        if isinstance(self.maker, type):
            return call(self.maker, params)
        known = dict(list(inspect.signature(self.maker).parameters.items())[2:])
        return Walk(self.maker, call(_named(known), params))


@dataclass
class Steps:
    """The state of a generator."""

    generator: object
    x: object
    t: int = 0  # steps
    converged: bool = False

    @property
    def iterate(self):
        """Its last yielded value."""
        return self.x


@dataclass(frozen=True)
class Walk:
    """A generator function as a solver: each step runs it to its next yield; its end is convergence."""

    function: object
    params: dict

    def start(self, oracles, rng):
        """To the first yield."""
        generator = self.function(oracles, rng, **self.params)
        return Steps(generator, next(generator))

    def step(self, oracles, s, rng):
        """To the next yield."""
        try:
            s.x, s.t = next(s.generator), s.t + 1
        except StopIteration:
            s.converged = True
        return s


def read(path) -> Method:
    """The method of a Python file.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        For a file that Python cannot load, or that has neither `Solver` (with `start` and `step`) nor a
        generator function `method`.
    """
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(f"{path}: no such file; write a template with: projfree try {path} --new")
    if path.suffix != ".py":
        raise ValueError(f"{path}: not a Python file (*.py)")
    spec = importlib.util.spec_from_file_location(f"tried_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise ValueError(f"{path}{_line(error, path)}: {type(error).__name__}: {error}") from error
    maker = getattr(module, "Solver", None) or getattr(module, "method", None)
    walks = inspect.isgeneratorfunction(maker)
    if not (walks or (isinstance(maker, type) and hasattr(maker, "start") and hasattr(maker, "step"))):
        raise ValueError(
            f"{path}: no method found. Define a generator function `method(oracles, rng, …)` or a class "
            "`Solver` with `start` and `step`; write a template with: projfree try NEW.py --new"
        )
    return Method(path.stem.replace("_", "-"), maker, file_sha256(path))


def _line(error, path):
    """`", line 3"`: the line of the file in which an error was raised, if it is known."""
    if isinstance(error, SyntaxError):
        return ""  # its message has the line
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(path)]
    return f", line {lines[-1]}" if lines else ""


def write_template(path) -> None:
    """Write a template of a method; an existing file is left alone."""
    path = Path(path)
    if os.path.lexists(path):
        raise ValueError(f"{path} is there already; choose another name for the template")
    atomic_write(path, TEMPLATE.format(name=path.name))


def _named(known):
    """A function of these parameters that gives them back: names are checked against it."""

    def given(**params):
        return params

    parameters = [p.replace(kind=p.KEYWORD_ONLY) for p in known.values()]
    given.__signature__ = inspect.Signature(parameters)
    given.__annotations__ = {name: p.annotation for name, p in known.items() if p.annotation is not p.empty}
    return given


def run_mine(method: Method, params: dict, job, instance_path, output) -> None:
    """Run a method on all seeds of a job, instead of the job's solver, and write the trace."""
    job = in_place(job, method, params)
    about, traces = instance.instance_attrs(instance_path), []
    for seed, repetition in job.runs:
        problem = instance.load_problem(instance_path, seed, job.problem.plain())
        traces.append(_run(method, params, job, problem, seed))
        traces[-1].repetition = repetition
    job = job.model_copy(update={"metrics": [*job.metrics, OUTSIDE]})
    write_trace(output, trace_attrs(job, about), traces)


def search(method: Method, params: dict, grid: dict, job, instance_path) -> tuple[dict, list]:
    """Try all combinations of a grid on the one seed of an instance, each with the whole budget.

    Returns
    -------
    tuple
        The parameters of the least criterion at the end, and (parameters, criterion) of all tries.
    """
    job = in_place(job, method, params)
    (seed,) = json.loads(instance.instance_attrs(instance_path)["spec"])["seeds"]
    problem, tried = instance.load_problem(instance_path, seed, job.problem.plain()), []
    for values in itertools.product(*grid.values()):
        chosen = {**params, **dict(zip(grid, values, strict=True))}
        trace = _run(method, chosen, job, problem, seed)
        end, left = trace.metrics[job.metrics[0]][-1], any(trace.metrics[OUTSIDE])
        good = math.isfinite(end) and trace.end_status != "diverged" and not left
        tried.append((chosen, end if good else math.inf))
    return min(tried, key=lambda pair: pair[1])[0], tried


def in_place(job, method: Method, params: dict):
    """The job with the method instead of its own; nothing is tuned before it."""
    solver = type(job.solver)(name=method.name, params=params)
    return job.model_copy(
        update={"method": method.name, "solver": solver, "search": None, "code": method.sha256}
    )


def usable(instance_path: Path, recipe) -> bool:
    """Whether an instance file is there that the recipe, code included, has made, with all its seeds."""
    if not instance_path.exists():
        return False
    made, wanted = json.loads(instance.instance_attrs(instance_path)["spec"]), recipe.plain()
    return set(made.pop("seeds")) >= set(wanted.pop("seeds")) and made == wanted


def table(traces, output) -> None:
    """The tidy table of all methods of the experiment."""
    output.parent.mkdir(parents=True, exist_ok=True)
    tidy(traces, output)


def _run(method, params, job, problem, seed):
    setting, before = make_setting(job, problem), _content(problem)
    setting.metrics[OUTSIDE] = _outside(problem, instance.make_constraint(job, problem))
    with lane() as shared:
        try:
            trace = without_compiling(lambda: run_solver(method.make(params), job, problem, seed, setting))
        except AttributeError as error:
            raise _clearer(error, job, problem) from error
        trace.attrs["lane"] = shared()
    after = _content(problem)
    if changed := [name for name, what in before.items() if after.get(name) != what]:
        raise ValueError(
            f"{method.name} writes into the problem that it is measured by ({', '.join(changed)} of "
            f"{job.paper}: {job.experiment}): take a copy of what you change"
        )
    return trace


def _outside(problem, constraint):
    """The metric `OUTSIDE`. A penalty allows all points but those where it is infinite."""
    if problem.family is saddle.FAMILY:
        return lambda z: not (constraint.contains(z.x, SLACK) and problem.dual_set.contains(z.y, SLACK))
    if problem.family.constraint == "set":
        return lambda x: not constraint.contains(dense(x), SLACK)
    if problem.family is composite.FAMILY:
        return lambda x: not math.isfinite(constraint.value(problem.raw(x)))
    return lambda x: False


def _content(problem) -> dict:
    """Hash by name of all arrays of a problem, and of its constants.

    They are compared after a run and not locked before it: compiled kernels copy arrays that are locked, so
    the tried method alone would pay for that.
    """
    found = {name: np.ascontiguousarray(array).ravel() for name, array in _arrays(problem, "", set())}
    found["constants"] = repr(problem.constants).encode()
    return {name.strip("."): hashlib.sha256(content).digest() for name, content in found.items()}


def _arrays(value, name, seen):
    """(name, array) of all that is public in a value: what is private is a problem's own memory."""
    if isinstance(value, np.ndarray):
        yield name, value
    elif id(value) not in seen:
        seen.add(id(value))
        parts = enumerate(value) if isinstance(value, list | tuple) else _fields(value).items()
        for key, part in parts:
            yield from _arrays(part, f"{name}.{key}", seen)


def _fields(value):
    named = value if isinstance(value, dict) else getattr(value, "__dict__", {})
    return {key: part for key, part in named.items() if not str(key).startswith("_")}


def _clearer(error, job, problem):
    """The same error, or for an oracle that such problems do not have one that lists those they have."""
    if not isinstance(error.obj, Oracles):
        return error
    known = [name for name in dir(error.obj) if not name.startswith("_")]
    where = f"{job.paper}: {job.experiment} ({problem.family.name})"
    return ValueError(unknown("oracle", error.name, known, where))
