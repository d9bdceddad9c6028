"""What a study asks for, job by job: the specs that fit, the instances here, and why a file does not fit."""

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ..ground import provenance
from ..ground.sealed import read_h5
from ..jobs import instance
from ..jobs.job import job_attrs, with_tuned
from ..jobs.tuning import made_from
from .origin import Unusable, attributes, differences, origin


@dataclass(frozen=True)
class Wanted:
    """One (experiment, method) of a study in the folder of a run.

    Attributes
    ----------
    loaded : projfree.study.Study
    experiment, method : str
    results : Path, ``results/<run>``
    """

    loaded: object
    experiment: str
    method: str
    results: Path

    @cached_property
    def spec(self) -> dict:
        """The job's spec, without tuned values."""
        return self.loaded.job(self.experiment, self.method).plain()

    @property
    def trace(self) -> Path:
        """Where the trace stands, or will."""
        return self.results / "traces" / self.loaded.paper / self.experiment / f"{self.method}.h5"

    @property
    def tuning(self) -> Path | None:
        """Where the table of tried values stands, or will; None for methods that are not tuned."""
        if "search" not in self.spec:
            return None
        return self.results / "tuning" / self.loaded.paper / self.experiment / f"{self.method}.json"

    @cached_property
    def instance(self) -> Path | None:
        """The instance file here that the study means; None if there is none, or an outdated one."""
        source = self.loaded.instance_of(self.experiment)
        wanted = self.loaded.instance(source)
        keys = ("generator", "problem", "code")
        for run in dict.fromkeys((self.loaded.run, self.loaded.run.partition("@")[0])):
            path = self.results.parent / run / "instances" / self.loaded.paper / f"{source}.h5"
            if path.exists():
                found = json.loads(instance.instance_attrs(path)["spec"])
                same = all(found[key] == wanted[key] for key in keys)
                if same and set(wanted["seeds"]) <= set(found["seeds"]):
                    return path
        return None

    @property
    def lacks_instance(self) -> bool:
        """Whether the job needs an instance that is not here."""
        return self.loaded.needs_instance(self.experiment) and self.instance is None

    def tuned_spec(self) -> dict:
        """The spec with the tuned values of the table here; `Unusable` if it is missing."""
        if self.tuning is None:
            return self.spec
        if not self.tuning.exists():
            raise Unusable(f"its table of tried values is missing: {self.tuning}")
        return with_tuned(self.spec, json.loads(self.tuning.read_text())["chosen"])

    def origin_of(self, kind: str) -> dict:
        """What its trace or tuning table would be made from here."""
        path = self.instance if self.loaded.needs_instance(self.experiment) else None
        if kind == "tuning":
            return origin(kind, made_from(self.spec, path))
        if "probe" in self.spec:
            from ..jobs.probe import probe_attrs

            return origin(kind, probe_attrs(self.spec, path))
        tuned = json.loads(self.tuning.read_text())["chosen"] if self.tuning else None
        return origin(kind, job_attrs(self.spec, path, tuned))

    def misfit(self, path: Path) -> str:
        """Why a finished file of elsewhere is not this job's, in words; empty if it is.

        The environment may differ, and last bits of the instance with it: its recipe and data may not.
        """
        attrs = attributes(path)
        spec = self.tuned_spec() if path.suffix == ".h5" else self.spec
        found = differences(_as_trace(spec), attrs["spec"])
        if found:
            return told(found[0])
        if not self.loaded.needs_instance(self.experiment):
            return ""
        data = self._data_sha256()
        if data != attrs["dataset_sha256"]:
            return f"data: {_short(data)} here, {_short(attrs['dataset_sha256'])} there"
        if attrs["instance_digest"] not in self._recipes(data):
            return "instance: made by other code, seeds or parameters than here"
        return ""

    def _data_sha256(self) -> str:
        """SHA-256 of the data that the instance here is, or would be, made of."""
        if self.instance is not None:
            return str(instance.instance_attrs(self.instance)["dataset_sha256"])
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
        wanted = self.loaded.instance(self.loaded.instance_of(self.experiment))
        here = [] if self.instance is None else [str(instance.instance_attrs(self.instance)["digest"])]
        return {provenance.digest([wanted, data]), *here}


def told(difference) -> str:
    """One difference in words."""
    place, here, there = difference
    return f"{place}: {_short(here)} here, {_short(there)} there"


def _short(value) -> str:
    text = str(value)
    return text if len(text) <= 40 else f"{text[:37]}…"


def _as_trace(spec) -> dict:
    """A spec as the trace holds it: probes stand where solvers do."""
    if "probe" not in spec:
        return spec
    return {**spec, "solver": spec["probe"], "problem": spec.get("problem", {}), "set": spec.get("set", {})}
