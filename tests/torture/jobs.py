"""Small real jobs: every solver, with its defaults and the options of the contract tests, as a job."""

import dataclasses
import inspect
import json
from dataclasses import dataclass, field
from pathlib import Path

import cases
import instances
import numpy as np

from projfree import penalties, problems
from projfree.common.atomic_io import atomic_h5
from projfree.common.hashes import digest
from projfree.engine import warmup
from referee.common import closure
from referee.study.models.experiment import Job

SEEDS = (0, 1)
ITERATIONS = 4


@dataclass
class Trial:
    """A job with its instance, and what an undisturbed run of it gave.

    `reference` is the trace of that run, `seconds` its duration.
    """

    job: Job
    instance: Path
    reference: Path | None = None
    seconds: float = 0.0
    name: str = field(init=False)

    def __post_init__(self):
        options = self.job.solver.params
        tail = f" {json.dumps(options, sort_keys=True)}" if options else ""
        self.name = f"{self.job.method} on {self.job.experiment}{tail}"


def make(folder) -> list[Trial]:
    """A job for every case of the contract tests; writes the instances into `folder`."""
    commons = {}
    for name in problems.available():
        for i, pair in enumerate(zip(*(_small(name, seed) for seed in SEEDS), strict=True)):
            commons[f"{name}-{i}"] = common = _common(name, f"{name}-{i}", pair[0])
            _write_instance(Path(folder) / f"{name}-{i}.h5", instances.job(**common), pair)
    return [
        Trial(
            instances.job(**commons[key], method=solver, solver={"name": solver, "params": params}),
            Path(folder) / f"{key}.h5",
        )
        for solver, params, key in cases.ALL
    ]


def _small(name, seed):
    """The small instances of a problem, each with what it was made of as `made_of`."""
    cls = problems.load(name)

    class Recorded(cls):
        def __init__(self, arrays, constants=None, **params):
            super().__init__(arrays, constants=constants, **params)
            self.made_of = arrays, params

    return list(Recorded.small(np.random.default_rng(seed)))


def _common(name, label, problem):
    """The part of the job that all methods on a problem share."""
    constraint = warmup.small_constraint(problem)
    kind, _, module = type(constraint).__module__.removeprefix("projfree.").partition(".")
    fields = {entry.name: getattr(constraint, entry.name) for entry in dataclasses.fields(constraint)}
    if kind == "penalties":
        known = inspect.signature(penalties.load(module).for_problem).parameters
        fields = {key: value for key, value in fields.items() if key in known}
    return {
        **{"paper": "torture", "experiment": label, "instance_of": label},
        "generator": {"name": "small"},
        "problem": {"name": name, **problem.made_of[1]},
        {"sets": "set", "penalties": "penalty"}[kind]: {"name": module, **fields},
        "budget": {"iterations": ITERATIONS},
        "metrics": ["objective"],
        "seeds": list(SEEDS),
        "code": closure.code_sha256("referee.jobs.job"),
    }


def _write_instance(path, job, pair):
    """What `jobs.build` writes, from arrays that no generator makes."""
    plain = instances.recipe(job).plain()
    with atomic_h5(path) as handle:
        handle.attrs.update(spec=json.dumps(plain), stand_in=False, stand_in_note="")
        handle.attrs.update(dataset_sha256="generated", digest=digest(plain))
        for seed, problem in zip(SEEDS, pair, strict=True):
            group = handle.create_group(f"seed-{seed}")
            for key, value in problem.made_of[0].items():
                group[key] = value
            group.attrs["constants"] = json.dumps(problem.constants)
