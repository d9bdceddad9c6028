"""Instance files: what all solvers of an experiment see, one group a seed."""

import json
from functools import cache
from pathlib import Path

from .. import penalties, problems, sets
from ..engine.seeds import children
from ..ground.hashes import file_sha256
from ..ground.sealed import read_h5


def make_constraint(spec: dict, problem):
    """What stands beside the objective: a set or a penalty, as the problem's family says.

    A probe that makes its own problems has none yet, and a set.

    Raises
    ------
    ValueError
        Where the spec has no such key; the message lists what could stand there.
    """
    word = problem.family.constraint if problem else "set"
    if word not in spec:
        known = {"set": sets, "penalty": penalties}[word].available()
        place = f"{spec['paper']}: experiment {spec['experiment']}"
        kind = f"problem {spec['problem']['name']!r} ({problem.family.name})"
        raise ValueError(f"{place}: {kind} needs a `{word}`. Known are: {', '.join(known)}")
    return sets.make(spec["set"]) if word == "set" else penalties.make(spec["penalty"], problem)


def load_problem(path, seed: int, spec: dict):
    """The problem of one seed from an instance file, with its stored constants."""
    with read_h5(path) as handle:
        if f"seed-{seed}" not in handle:
            raise ValueError(f"{path} has no seed {seed}; it has {', '.join(handle)}")
        group = handle[f"seed-{seed}"]
        arrays = {name: group[name][()] for name in group}
        constants = json.loads(group.attrs["constants"]) if _same_problem(handle, spec) else None
    return problems.make(spec["problem"], arrays, constants)


def instance_attrs(path) -> dict:
    """Root attributes of an instance file: spec, stand_in, dataset_sha256, digest; and the file's `sha256`.

    The digest is of the recipe: of the spec and the data. The same recipe can give other last bits with
    another library, so what a run has seen is named by its content too.
    """
    with read_h5(path) as handle:
        attrs = dict(handle.attrs)
    return {**attrs, "sha256": _content(str(path), Path(path).stat().st_mtime_ns)}


@cache
def _content(path, _mtime):
    return file_sha256(path)


def data_seeds(spec: dict, seed: int):
    """The seed sequence that made (or makes) the data of one seed."""
    return children(spec["paper"], spec["instance_of"], seed)[0]


def _same_problem(handle, spec):
    return json.loads(handle.attrs["spec"])["problem"] == spec["problem"]
