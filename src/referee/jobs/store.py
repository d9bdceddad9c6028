"""Finished traces and tables of tried values, each under the digest of what it was made from.

Whoever needs a result asks here, and it is made only where it is missing. So what is finished outlives a job
that is killed or fails, an edit of one solver reruns that solver's methods, and equal jobs of several runs
are made once. It is a cache: any file in it may go.
"""

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from projfree.common import owned, provenance
from projfree.common.atomic_io import atomic_copy, read_h5
from projfree.common.hashes import digest
from projfree.common.outside import DamagedFile

from ..common.alone import alone
from ..common.bounded import read_json
from ..study import code
from . import compiled

#: Of a run's results, the folder of the store.
FOLDER = "store"


@dataclass(frozen=True)
class Store:
    """A folder ``<paper>/<experiment>/<name>-<key>.<ending>``.

    The key is a digest of the job without the name of its run, of the recipe of its instance without other
    seeds, of the data, and, of a job whose seconds are compared, of the machine.
    """

    folder: Path

    def _place(self, job, made_from, ending) -> Path:
        name = f"{getattr(job, 'method', 'instance')}-{digest(made_from)[:16]}{ending}"
        return self.folder / job.paper / job.experiment / name

    def instance(self, recipe, prepared=None) -> Path:
        """The instance file of a recipe; its seeds are part of what it is."""
        path = self._place(recipe, [recipe.plain(), data_of(prepared)], ".h5")

        def make():
            forget(path)
            make_instance(recipe, path, prepared)

        _once(path, is_whole, make)
        return path

    def tuning_place(self, job, about) -> Path:
        """Where the table of tried values of a job is, or will be; `about` as `origin` gives it."""
        return self._place(job, ["tuning", *_key(job, about)], ".json")

    def trace_place(self, job, about, tuning=None) -> Path:
        """Where the trace of a job is, or will be, with the values that a table chose."""
        if tuning:
            from .job import (
                with_tuned,  # the solvers' libraries with it, which a look at what is there needs not
            )

            job = with_tuned(job, read_json(tuning)["chosen"])
        return self._place(job, _key(job, about), ".h5")

    def found(self, job, about, tuning=None, is_there=None) -> tuple[Path, Path | None] | None:
        """The finished trace of a job and its table of tried values; None where one has to be made.

        Checksums are compared unless `is_there`, such as `Path.exists`, looks instead.
        """
        if job.search and tuning is None:
            tuning = self.tuning_place(job, about)
            if not _readable(tuning):
                return None
        path = self.trace_place(job, about, tuning)
        return (path, tuning) if (is_there or is_whole)(path) else None

    def trace(self, job, instance_path=None, tuning=None) -> tuple[Path, Path | None]:
        """The trace of a job, with its table of tried values: the one given, else its own if it searches."""
        from .instance import instance_attrs

        attrs = instance_attrs(instance_path)
        about = origin(json.loads(attrs["spec"]) if "spec" in attrs else {}, str(attrs["dataset_sha256"]))
        if job.search and tuning is None:
            tuning = self.tuning_place(job, about)
            _once(tuning, _readable, lambda: print(tune_method(job, instance_path, tuning), flush=True))
        path = self.trace_place(job, about, tuning)

        def make():
            forget(path)
            print(run_method(job, instance_path, path, tuning), flush=True)

        _once(path, is_whole, make)
        return path, tuning


def origin(recipe: dict, data: str) -> list:
    """What a result knows of its instance: its recipe, but for other seeds, and its data."""
    return [{**recipe, "seeds": []}, data]


def data_of(prepared) -> str:
    """SHA-256 of the data in a prepared file; ``generated`` without one."""
    if prepared is None:
        return "generated"
    with read_h5(prepared) as handle:
        return str(handle.attrs["sha256"])


def work_of(job) -> tuple[dict, bytes]:
    """What a job's trace and table of tried values must have to be replaced, in whichever run."""
    from .tuning import mark

    return {"paper": job.paper, "experiment": job.experiment, "method": job.method}, mark(job) + rb"|\{\s*\}"


def link(source, target, work) -> None:
    """Give a finished file a second name, where a rule asks for it and what is there is of the same work.

    The name has the time of now, as all that a rule makes. That is the time of the file, so one that others
    already name is copied: for them it would be new as well. Raises as `owned.require` of `work`.
    """
    target = Path(target)
    owned.require(target, work)
    if target.exists() and target.samefile(source):
        return os.utime(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.unlink(missing_ok=True)
    try:
        if os.stat(source).st_nlink > 1:
            raise OSError
        os.link(source, target)
        os.utime(target)
    except OSError:  # named by others, another disk, or one without links
        atomic_copy(source, target)


def _once(path, is_done, make) -> None:
    """Make a file where it is missing; of several processes one does, the others wait and take it."""
    with alone(path):
        if not is_done(path):
            make()


def is_whole(path) -> bool:
    """Whether a file is there and its checksum right; one that is damaged is named."""

    def compared():
        with read_h5(path):
            return True

    return _sound(compared)


def forget(path) -> None:
    """Remove a damaged file that is ours by its seal, to be made again; raises `NotOurs` for others'."""
    owned.require(path, owned.SEALED)
    Path(path).unlink(missing_ok=True)


def _readable(table):
    return _sound(lambda: "chosen" in read_json(table))


def _sound(look) -> bool:
    """What a look at a file finds; false where it is missing, or damaged, which is said."""
    try:
        return look()
    except FileNotFoundError:
        return False
    except (DamagedFile, OSError, ValueError, TypeError) as reason:
        print(f"to be made again: {reason}", file=sys.stderr)
        return False


def _key(job, about):
    machine = provenance.decisive(provenance.environment()) if job.repetitions else None
    return [{**job.plain(), "run": ""}, *about, machine]


def make_instance(recipe, output: Path, prepared=None) -> None:
    """Make an instance file, from the prepared dataset if it draws from one."""
    from .build import build_instance

    with code.covered(recipe):
        build_instance(recipe, output, prepared)


def run_method(job, instance_path, output: Path, tuning=None) -> str:
    """Run one method, a probe or a solver, and write its trace to a free place; a line that says so."""
    compiled.ensure()
    with code.covered(job):
        if job.probe:
            from .probe import run_probe as run
        else:
            from .job import run_job as run
            from .job import with_tuned

            job = with_tuned(job, tuning and chosen(tuning))
        compiled.without_compiling(lambda: run(job, instance_path, output))
    return f"wrote {output}"


def tune_method(job, instance_path, output: Path) -> str:
    """Search a method's grid and keep the tried values; returns a line about the choice."""
    from . import tuning

    owned.require(output, tuning.mark(job))
    compiled.ensure()
    with code.covered(job):
        compiled.without_compiling(lambda: tuning.tune(job, instance_path, output))
    record = read_json(output)
    tries = f"chose {record['chosen']} after {len(record['tried'])} tries"
    return f"{job.experiment} {job.method}: {tries}; wrote {output}"


def chosen(tuning) -> dict:
    """The parameters that a table of tried values chose; DamagedFile for another file."""
    try:
        return read_json(tuning)["chosen"]
    except (KeyError, TypeError):
        raise DamagedFile(f"{tuning}: not a table of tried values, it has none `chosen`") from None
