"""The jobs of a study one by one: what a finished file was made from, and whether it is one of theirs."""

import io
import json
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

from projfree.ground.hashes import digest
from projfree.ground.hdf5 import open_h5
from projfree.ground.sealed import read_h5, read_stream
from projfree.trace.check import check_trace

from ..ground import bounded
from ..ground.bounded import read_json
from ..jobs import instance
from ..jobs.attributes import written
from ..jobs.job import with_tuned
from ..jobs.method import chosen
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


@dataclass(frozen=True)
class Wanted:
    """One (experiment, method) of a study in the folder of a run.

    Attributes
    ----------
    loaded : referee.study.Study
    experiment, method : str
    results : Path, ``results/<run>``
    """

    loaded: object
    experiment: str
    method: str
    results: Path

    @cached_property
    def job(self) -> Job:
        """The job, without tuned values."""
        return self.loaded.job(self.experiment, self.method)

    @property
    def trace(self) -> Path:
        """Path of the trace, present or not."""
        return self.results / "traces" / self.loaded.paper / self.experiment / f"{self.method}.h5"

    @property
    def tuning(self) -> Path | None:
        """Path of the table of tried values, present or not; None for methods that are not tuned."""
        if self.job.search is None:
            return None
        folder = self.results.parent / self.loaded.tuned_in / "tuning"
        return folder / self.loaded.paper / self.experiment / f"{self.method}.json"

    @cached_property
    def instance(self) -> Path | None:
        """The instance file here that the study means; None if there is none, or an outdated one."""
        source = self.loaded.instance_of(self.experiment)
        wanted = self.loaded.recipe(source)
        for run in dict.fromkeys((self.loaded.run, self.loaded.run.partition("@")[0])):
            path = self.results.parent / run / "instances" / self.loaded.paper / f"{source}.h5"
            if path.exists():
                found = json.loads(_instance_attrs(path)["spec"])
                same = {**found, "seeds": wanted.seeds} == wanted.plain()
                if same and set(wanted.seeds) <= set(found["seeds"]):
                    return path
        return None

    def tuned_job(self) -> Job:
        """The job with the tuned values of the table here; `Unusable` if it is missing."""
        if self.tuning is None:
            return self.job
        if not self.tuning.exists():
            raise Unusable(f"its table of tried values is missing: {self.tuning}")
        return with_tuned(self.job, chosen(self.tuning))

    def made(self, content: bytes, path: Path) -> bool:
        """Whether a finished file of that content is this job's, on an instance of its recipe and data.

        The environment may differ, and last bits of the instance with it.
        """
        attrs = attributes_of(content, path)
        job = self.tuned_job() if path.suffix == ".h5" else self.job
        if computed(written(job)) != computed(attrs["spec"]):
            return False
        if not self.loaded.needs_instance(self.experiment):
            return True
        data = self.data_sha256()
        return data == attrs["dataset_sha256"] and attrs["instance_digest"] in self._recipes(data)

    def data_sha256(self) -> str:
        """SHA-256 of the data that the instance here is, or would be, made of."""
        if self.instance is not None:
            return str(_instance_attrs(self.instance)["dataset_sha256"])
        name = self.loaded.dataset(self.experiment)
        if name is None:
            return "generated"
        prepared = self.results.parents[1] / "data" / "prepared" / f"{name}.h5"
        if not prepared.exists():
            raise Unusable(f"its data is not here to compare; get it with: projfree data prepare {name}")
        with read_h5(prepared) as handle:
            return str(handle.attrs["sha256"])

    def _recipes(self, data) -> set[str]:
        """Digests that the instance may have: of the file here, and of the one that would be made."""
        wanted = self.loaded.recipe(self.loaded.instance_of(self.experiment))
        here = [] if self.instance is None else [str(_instance_attrs(self.instance)["digest"])]
        return {digest([wanted.plain(), data]), *here}


def _instance_attrs(path):
    """Attributes of an instance file; its checksum is tested once for all methods of a panel."""
    return _checked_once(path, path.stat().st_mtime_ns)


@cache
def _checked_once(path, _mtime):
    return instance.instance_attrs(path)


def fitting(load):
    """Path under ``results`` → whether that file is what its study asks for here.

    Parameters
    ----------
    load : callable(paper, run) → `referee.study.Study`; asked once of each
    """
    load = cache(load)

    def fits(path):
        run, _, paper, experiment, method = path.with_suffix("").parts[-5:]
        try:
            wanted = Wanted(load(paper, run), experiment, method, path.parents[3])
            return wanted.made(bounded.content(path), path)
        except UNREADABLE:
            return False

    return fits
