"""What a finished file says it was made from."""

import io
import json
from typing import NamedTuple

from projfree.ground.hdf5 import open_h5
from projfree.ground.sealed import read_stream
from projfree.trace.check import check_trace

from ..ground.bounded import read_json
from ..study.models.job import Job
from ..study.validation import validate

#: What a file from outside can make its readers raise.
UNREADABLE = (OSError, ValueError, LookupError, TypeError, AttributeError, RuntimeError, MemoryError)


class Unusable(ValueError):
    """A file that is no finished trace or tuning table, or must not be shared; the message says why."""


class Maker(NamedTuple):
    """Inputs of a file; the machine only for traces."""

    commit: str
    machine: str | None = None


def maker_of(path) -> Maker:
    """Inputs of a trace or of a table of tried values."""
    if path.suffix == ".json":
        return Maker(read_json(path)["made_from"]["git_commit"])
    with open_h5(path) as handle:
        return Maker(str(handle.attrs["git_commit"]), _machine(json.loads(handle.attrs["environment"])))


def _machine(environment) -> str:
    """Its processor, with the kernels that BLAS takes there: machines of one name differ in what they can."""
    named = [pool["architecture"] for pool in environment.get("blas", [])]
    return ", ".join([environment["cpu"], *dict.fromkeys(name for name in named if name)])  # OpenMP has none


def computed(written: dict) -> dict:
    """A job as files hold it, without its run's name: runs under alternatives share equal jobs."""
    return {name: value for name, value in written.items() if name != "run"}


def attributes_of(content: bytes, path) -> dict:
    """The attributes of a finished trace (``.h5``) or tuning table (``.json``) of that content.

    Raises
    ------
    Unusable
        For what is malformed, does not say what it was made from, or whose job is none.
    """
    try:
        attrs = _of_trace(content, path) if path.suffix == ".h5" else _of_tuning(content)
        job_of(attrs["spec"], path)
    except UNREADABLE as error:
        raise Unusable(f"{path}: not a finished file that says what it was made from ({error})") from error
    return attrs


def _of_trace(content, path):
    with read_stream(io.BytesIO(content), path) as handle:
        check_trace(handle, path)
        attrs = dict(handle.attrs)
    return {**attrs, **{name: json.loads(attrs[name]) for name in ("spec", "environment")}}


def _of_tuning(content):
    table = json.loads(content)
    tried = [entry["params"] for entry in table["tried"] if isinstance(entry["value"], float | int)]
    chosen = table["chosen"]
    whole = {stage["parameter"] for stage in table["stages"] if not stage["tie"]} <= chosen.keys()
    defaults = {stage["parameter"]: stage["default"] for stage in table["stages"]}  # which a try leaves out
    known = not tried or any(chosen.items() <= (defaults | params).items() for params in tried)
    if len(tried) < len(table["tried"]) or not (whole and known):
        raise ValueError("what is chosen is none of what was tried, or no numbers came of that")
    spec = table["made_from"]["spec"]
    for name in ("experiment", "method"):
        if table[name] != spec[name]:
            raise ValueError(f"it says {name} {table[name]!r}, its job {spec[name]!r}")
    return table["made_from"]


def job_of(written: dict, source) -> Job:
    """The job that a file at `source` holds, as `jobs.attributes.written` wrote it."""
    if "probe" in written:  # it stands in the solver's place too, beside a problem and a set that may be none
        written = {k: v for k, v in written.items() if k != "solver" and (v or k not in ("problem", "set"))}
    return validate(Job, written, source)
