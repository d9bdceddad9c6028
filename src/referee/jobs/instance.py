"""Instance files, the problem that all solvers of an experiment see; root attributes of traces of it."""

import json
from functools import cache
from pathlib import Path

from projfree import penalties, problems, sets
from projfree.common import provenance
from projfree.common.atomic_io import read_h5
from projfree.common.hashes import file_sha256
from projfree.engine.seeds import children
from projfree.trace.check import described

from ..common import revision

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
        constants = (
            json.loads(group.attrs["constants"])
            if (json.loads(handle.attrs["spec"])["problem"] == given)
            else None
        )
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


def job_attrs(job, instance_path) -> dict:
    """Root attributes that the trace of a job will have; a probe may have no instance."""
    return trace_attrs(job, instance_attrs(instance_path))


def trace_attrs(job, about: dict) -> dict:
    """Root attributes of the trace contract; `about` is what `instance_attrs` tells."""
    spec = written(job)
    return {
        **described(spec),
        "git_commit": revision.git_commit(),
        "environment": provenance.environment(),
        "instance_digest": str(about["digest"]),
        "instance_sha256": str(about["sha256"]),
        "dataset_sha256": str(about["dataset_sha256"]),
        "stand_in": bool(about["stand_in"]),
        "stand_in_note": str(about["stand_in_note"]),
        "spec": spec,
    }


def written(job) -> dict:
    """A job as files hold it: given values without defaults; a probe is stored like a solver."""
    plain = job.plain()
    if not job.probe:
        return plain
    return {
        **plain,
        "solver": plain["probe"],
        "problem": plain.get("problem", {}),
        "set": plain.get("set", {}),
    }
