"""Probes on small instances, with parameters that take a moment: what the tests of all papers share."""

import functools
import importlib
import json
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import instances
import numpy as np
from places import ROOT

from projfree.common import parameters
from projfree.trace.format import read_trace
from referee.common import rooms
from referee.jobs.build import build_instance
from referee.jobs.probe import run_probe
from referee.study.models.experiment import Job

ROOMS = ROOT / "papers"
COMPLETION = {
    "generator": {"name": "completion", "shape": [12, 12], "rank": 2, "radius": 2, "observe": 0.6}
    | {"corrupt": 0.2, "noise": 1.5, "mode": "A", "corruption": "add"},
    "problem": {"name": "matrix_completion", "loss": "sl0", "sigma": 1.0, "weight": "sum"},
    "set": {"name": "nuclear_ball", "radius": 2},
}


@dataclass(frozen=True)
class Tiny:
    """The probes of a paper made small: `TINY` of its papers/<name>/tests/tiny_<name>.py."""

    paper: str
    #: Probe → parameters that make it small.
    params: dict[str, dict]
    #: What all its probes are measured on, and what those that are named are.
    part: dict = field(default_factory=lambda: COMPLETION)
    parts: dict[str, dict] = field(default_factory=dict)
    #: Probe → what writes the prepared dataset of its instance into a folder.
    prepared: dict[str, Callable[[Path], Path]] = field(default_factory=dict)

    def job(self, name, params=None, **values) -> Job:
        """The job of a probe."""
        probe = {"name": name, "params": self.params[name] if params is None else params}
        return instances.job(**{**self.given(name), **values, "probe": probe})

    def given(self, name) -> dict:
        """What the job of a probe shares with its instance."""
        names = {"paper": self.paper, "experiment": "t", "instance_of": "t", "seeds": [0, 1]}
        return {**names, **self.parts.get(name, self.part)}

    def instance(self, name) -> Path:
        """The instance file of a probe, made once."""
        return made(json.dumps(self.given(name)), self.prepared.get(name))

    def measured(self, folder, name, params=None, **values) -> list:
        """The traces of a probe, one a seed."""
        output = folder / f"{name}.h5"
        run_probe(self.job(name, params, **values), self.instance(name), output)
        return read_trace(output)[1]


@functools.cache
def made(given, prepare) -> Path:
    """The instance file of what is given of a job, as JSON."""
    folder = Path(tempfile.mkdtemp())
    recipe = instances.recipe(instances.job(**json.loads(given)))
    build_instance(recipe, folder / "t.h5", prepare and prepare(folder))
    return folder / "t.h5"


def tiny(paper) -> Tiny | None:
    """The small probes of a paper, if it says how they are made small."""
    if not (ROOMS / paper / f"tests/tiny_{paper}.py").is_file():
        return None
    sys.path.append(str(ROOMS / paper / "tests"))
    try:
        return importlib.import_module(f"tiny_{paper}").TINY
    finally:
        sys.path.pop()


def rows(paper, name, problem=None, constraint=None, *, seed=0, job=None, **params) -> list:
    """The rows of a probe, without a file of its instance."""
    measure, rng = rooms.load(paper, "probes", name).measure, np.random.default_rng(seed)
    return list(parameters.call(measure, params, job or {}, problem, constraint, rng))


def column(traces, metric) -> list:
    """A metric over all records of all seeds."""
    return [value for trace in traces for value in trace.metrics[metric]]


def of_rows(found, metric) -> np.ndarray:
    """A metric of all rows that have it."""
    return np.array([row.metrics[metric] for row in found if metric in row.metrics])
