"""Instance files: the problem that all solvers of an experiment see, one group a seed."""

import json
from functools import cache
from pathlib import Path

from projfree import penalties, problems, sets
from projfree.common.atomic_io import read_h5
from projfree.common.hashes import file_sha256
from projfree.engine.seeds import children

#: What a trace tells of the instance of a job that has none.
NONE = {
    "stand_in": False,
    "stand_in_note": "",
    "dataset_sha256": "generated",
    "digest": "none",
    "sha256": "none",
}


def make_constraint(job, problem):
    """The constraint of a problem: a set or a penalty, depending on the problem's family.

    A probe that makes its own problems has none yet: it gets what its job names.

    Raises
    ------
    ValueError
        If the job has none; the message lists the possible ones.
    """
    word = problem.family.constraint if problem else "set" if job.penalty is None else "penalty"
    given = getattr(job, word)
    if given is None:
        known = {"set": sets, "penalty": penalties}[word].available()
        place = f"{job.paper}: experiment {job.experiment}"
        kind = f"problem {job.problem.name!r} ({problem.family.name})"
        raise ValueError(f"{place}: {kind} needs a `{word}`. Known are: {', '.join(known)}")
    return sets.make(given.plain()) if word == "set" else penalties.make(given.plain(), problem)


def load_problem(path, seed: int, given: dict):
    """The problem ``given = {name, **params}`` of one seed, with its stored constants."""
    with read_h5(path) as handle:
        if f"seed-{seed}" not in handle:
            raise ValueError(f"{path} has no seed {seed}; it has {', '.join(handle)}")
        group = handle[f"seed-{seed}"]
        arrays = {name: group[name][()] for name in group}
        constants = json.loads(group.attrs["constants"]) if _same_problem(handle, given) else None
    return problems.make(given, arrays, constants)


def instance_attrs(path) -> dict:
    """Root attributes of an instance file: spec, stand_in, dataset_sha256, digest; and the file's `sha256`.
    Without a file those of `NONE`.

    The digest is of the recipe and the data. The same recipe can give other last bits with
    another library, so what a run has seen is named by its content too.
    """
    if path is None:
        return NONE
    with read_h5(path) as handle:
        attrs = dict(handle.attrs)
    return {**attrs, "sha256": _content(str(path), Path(path).stat().st_mtime_ns)}


@cache
def _content(path, _mtime):
    return file_sha256(path)


def data_seeds(recipe, seed: int):
    """The seed sequence that made (or makes) the data of one seed."""
    return children(recipe.paper, recipe.instance_of, seed)[0]


def _same_problem(handle, given):
    return json.loads(handle.attrs["spec"])["problem"] == given
