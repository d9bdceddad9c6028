"""What every trace must hold before anything is made of it: one check for tables and merges."""

import json

import h5py
import numpy as np

from .counts import COUNTS
from .runs import group_of, runs_of

STATUSES = ("budget", "converged", "stalled", "iterations", "diverged", "error", "interrupted")
CLOCKS = ("cpu_seconds", "wall_seconds")


class Malformed(ValueError):
    """A file that is no trace, or contradicts the job that it says it is of; the message names both."""


def check_trace(handle, path) -> None:
    """Compare an open trace with the contract (docs/design.md) and with its own job, where it has one.

    Raises
    ------
    Malformed
        For seeds that are not the job's, twice there or missing; records that are not numbers or of unequal
        length; an unknown end; attributes that are not those of the job.
    """
    try:
        fault = next(_faults(handle), None)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise Malformed(f"{path}: not a trace ({type(error).__name__}: {error})") from error
    if fault:
        raise Malformed(f"{path}: not a trace ({fault})")


def described(spec: dict) -> dict:
    """Root attributes of a trace that follow from its job, as `jobs.instance.written` gives it."""
    problem = {**spec["problem"], **{key: spec[key] for key in ("set", "penalty") if key in spec}}
    return {
        **{name: spec[name] for name in ("paper", "experiment", "method", "run")},
        "solver": spec["solver"]["name"],
        "params": spec["solver"]["params"],
        "problem": {**problem, "generator": spec.get("generator", {})},
        "code_sha256": spec.get("code", ""),
    }


def _faults(handle):
    names = [name for name in handle if name.startswith("seed-")]
    if not isinstance(handle.attrs.get("experiment"), str) or not names:
        yield "no experiment or no seed in it"
    for name in names:
        yield from (f"{name}: {fault}" for fault in _seed_faults(name, handle[name]))
        if handle[name].attrs.get("repetition"):
            first = handle[group_of(handle[name].attrs["seed"])]
            yield from (f"{name}: {fault}" for fault in _repetition_faults(handle[name], first))
    if "spec" in handle.attrs:
        yield from _job_faults(handle, names, json.loads(handle.attrs["spec"]))


def _seed_faults(name, group):
    seed, status = group.attrs["seed"], group.attrs["end_status"]
    repetition = group.attrs.get("repetition", 0)
    if not isinstance(seed, (int, np.integer)) or name != group_of(seed, repetition):
        yield f"it says it is seed {seed}" + (f", repetition {repetition}" if repetition else "")
    if status not in STATUSES:
        yield f"it ended {status!r}; known: {', '.join(STATUSES)}"
    if not group["iteration"].size and status != "error":
        yield "no records"
    for attribute in set(group.attrs) - {"seed", "repetition", "end_status", "message"}:
        json.loads(group.attrs[attribute])
    for place, column in _columns(group):
        yield from (f"{place} {fault}" for fault in _column_faults(place, column, group["iteration"].shape))
    for place, array in group.get("final", {}).items():
        if array.dtype.kind not in "biuf":
            yield f"final/{place} is not of numbers"


def _repetition_faults(group, first):
    """Whether a run that was repeated is the same in all but clocks, as far as both went.

    The last record of each stands where its budget ended.
    """
    both = min(group["iteration"].size, first["iteration"].size) - 1
    for place in ("iteration", *(f"oracles/{name}" for name in COUNTS)):
        if place in group and not np.array_equal(group[place][:both], first[place][:both]):
            yield f"its {place} is another than in the run that it repeats"


def _columns(group):
    yield from ((name, group[name]) for name in ("iteration", *CLOCKS))
    for table in ("oracles", "timers", "metrics"):
        yield from ((f"{table}/{name}", column) for name, column in group.get(table, {}).items())


def _column_faults(place, column, shape):
    counted = place == "iteration" or place.startswith("oracles/")
    if not isinstance(column, h5py.Dataset) or column.dtype.kind not in ("iu" if counted else "iuf"):
        yield "is not of numbers" if not counted else "is not of whole numbers"
        return
    if column.shape != shape or len(shape) != 1:
        yield f"has shape {column.shape}, iteration {shape}"
        return
    if counted and place != "iteration" and place.removeprefix("oracles/") not in COUNTS:
        yield f"is no count; known: {', '.join(COUNTS)}"
    values = column[()]
    if counted and (values < 0).any():
        yield "counts below 0"
    if place in CLOCKS and not np.isfinite(values).all():
        yield "is not finite"


def _job_faults(handle, names, spec):
    wanted = sorted(group_of(*run) for run in runs_of(spec["seeds"], spec.get("repetitions", 1)))
    if sorted(names) != wanted:
        yield f"it holds {', '.join(sorted(names))}, its job has {', '.join(wanted)}"
    for name, wanted in described(spec).items():
        found = handle.attrs[name] if isinstance(wanted, str) else json.loads(handle.attrs[name])
        if found != wanted:
            yield f"it says {name} {found!r}, its job {wanted!r}"
    if "probe" not in spec:
        yield from _metric_faults(handle, names, set(spec.get("metrics", ())))


def _metric_faults(handle, names, wanted):
    for name in names:
        found = handle[name].get("metrics", {})
        if set(found) != wanted and handle[name]["iteration"].size:
            yield f"{name} has the metrics {sorted(found)}, its job {sorted(wanted)}"
