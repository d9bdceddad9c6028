"""Panels without their traces: packed into a store when they are finished, put back, vouched for by it."""

import hashlib
import json
import shutil
from collections import Counter
from contextlib import suppress
from functools import cache
from pathlib import Path

from projfree.ground.hdf5 import open_h5
from projfree.ground.sealed import atomic_write

from ..evidence.published import COMING, TUNING, UNDER_CHOICES, packed
from ..ground import bounded, revision
from ..ground.ours import require
from ..study.files import NEXT
from . import kept
from .checked import check_table
from .wanted import UNREADABLE, Unusable, Wanted, attributes_of, maker_of


def keep(loaded, results, root, fits) -> list[str]:
    """Pack the panels that are finished, and not kept yet, into the store of the publication to come.

    Left are panels with a trace that is missing, of another job, newer than the table, or of no commit, and
    those of several machines.

    Parameters
    ----------
    loaded : Study
    results : Path, ``results/<run>``
    root : Path
        Of the project.
    fits : callable
        As `wanted.fitting` gives it.

    Raises
    ------
    ValueError
        If panels of another run are kept, or a table is not of its jobs.
    """
    store = kept.stores(root, loaded.paper, loaded.run)[0]
    found = kept.index(store)
    if found and found["run"] != loaded.run:
        raise ValueError(
            f"{store} keeps panels of the run {found['run']}: publish that, or remove the folder"
        )
    done, records, new = kept.kept(loaded, root, work=Path(results).parents[1]), found.get("panels", {}), []
    for experiment in kept.panels(loaded):
        if experiment not in done and (record := _finished(loaded, experiment, results, fits)):
            for name, content in _here(loaded, experiment, results).items():
                _write(store, name, content)
            records[experiment] = record
            new.append(experiment)
            write(loaded, records, store)  # at once: a later table may be refused
    return new


def write(loaded, records, store) -> None:
    """Write the record of the tables in a store."""
    told = {"paper": loaded.paper, "run": loaded.run, "panels": records}
    atomic_write(Path(store) / kept.PANELS, json.dumps(told, indent=1, sort_keys=True) + "\n")


def adopt(loaded, root) -> dict:
    """Make the panels that are kept of the publication to come published ones, instead of the former ones.

    Returns
    -------
    dict
        Experiment → record, of each panel taken. They are removed from their store once all are taken.

    Raises
    ------
    Unusable
        For files that are not those of their record or of their jobs: nothing is written.
    """
    coming, published = kept.stores(root, loaded.paper)
    found = {name: record for name, (store, record) in kept.kept(loaded, root).items() if store == coming}
    if not found:
        return {}
    results, before = Path(root) / "results" / loaded.run, kept.index(published)
    contents = {name: _checked(loaded, name, results, coming, record) for name, record in found.items()}
    for files in contents.values():
        for name, content in files.items():
            _write(published, name, content)
    write(loaded, before.get("panels", {}) | found, published)
    if set(kept.index(coming)["panels"]) == set(found):
        require(coming, [name.removeprefix(f"{NEXT}/") for name in (*COMING, *UNDER_CHOICES)])
        for path in coming.iterdir():  # folders of runs under alternatives stay
            if path.name == TUNING:
                shutil.rmtree(path)
            elif path.is_file():
                path.unlink()
        if not any(coming.iterdir()):
            coming.rmdir()
    return found


def restore(loaded, experiments, results, root) -> None:
    """Put kept panels that the study needs into ``results/<run>``.

    Raises
    ------
    Unusable
        For one that is not kept, or whose files are not those of its record or of its jobs: of it nothing is
        written.
    """
    found = kept.kept(loaded, root, work=Path(results).parents[1])
    for experiment in experiments:
        if experiment not in found:
            raise Unusable(
                f"{loaded.paper}: {experiment} is not kept in the form that the run {loaded.run} needs"
            )
        contents = _checked(loaded, experiment, results, *found[experiment])
        for name, path in _paths(loaded, experiment, results).items():
            atomic_write(path, contents[name])


def founded(loaded, results, root) -> tuple[dict, list[str]]:
    """Experiment → record of each panel of a run; in words, which tables are not to be published.

    A panel is vouched for by its traces, or by a store that has its files, byte for byte, for what is asked
    for now. That the traces are those which the study asks for is not looked at: see `wanted.fitting`.
    """
    records, wrong, stored = {}, [], kept.kept(loaded, root, work=Path(results).parents[1])
    for experiment in kept.panels(loaded):
        try:
            _, record = stored.get(experiment, (None, None))
            made = recorded(loaded, experiment, results)
            records[experiment] = made or _vouched(loaded, experiment, results, record)
        except UNREADABLE as error:
            wrong.append(f"{experiment}: {error}")
    return records, wrong


def vouching(load, results, root):
    """Path of a result → whether a store has its panel, byte for byte, in the form that is asked for now.

    A trace, or a table of tried values, may name a digest of code that was stated anew in the store since.

    Parameters
    ----------
    load : callable(paper, run) → Study
    results : callable(run) → Path, the folder of a run
    root : Path
        Of the project.
    """

    @cache
    def vouched(paper, run):
        loaded, folder, found = load(paper, run), results(run), set()
        for experiment, (_, record) in kept.kept(loaded, root, work=folder.parents[1]).items():
            with suppress(*UNREADABLE):
                _vouched(loaded, experiment, folder, record)
                found.add(experiment)
        return found

    def vouches(path):
        run, _, paper, experiment, _ = path.with_suffix("").parts[-5:]
        return experiment in vouched(paper, run)

    return vouches


def recorded(loaded, experiment: str, results) -> dict | None:
    """Inputs of a panel, its commits, machines and files; None if a trace is missing."""
    traces = _traces(loaded, experiment, results)
    if not all(path.exists() for path in traces):
        return None
    contents = _here(loaded, experiment, results)
    _check(loaded, experiment, contents)
    makers, made = [maker_of(path) for path in traces], kept.asked(loaded, experiment)
    with open_h5(traces[0]) as handle:
        made["stand_in"] = bool(handle.attrs.get("stand_in", False))
        if "instance" in made:
            made["data"] = str(handle.attrs["dataset_sha256"])
    return made | {
        "files": {name: _sha256(content) for name, content in contents.items()},
        "commits": sorted({by.commit for by in makers}),
        "machines": sorted({by.machine for by in makers}),
    }


def origins(records) -> str:
    """Number of panels by commit, in words; empty without any."""
    made = Counter(" and ".join(commit[:12] for commit in record["commits"]) for record in records.values())
    return ", ".join(f"{count} of commit {commits}" for commits, count in made.items())


def data_hashes(loaded, records) -> dict:
    """SHA-256 of the raw data behind each instance of the panels, as `record.data_hashes` says it."""
    return {
        loaded.instance_of(name): record["data"] + " (stand-in)" * record["stand_in"]
        for name, record in records.items()
        if "data" in record
    }


def _finished(loaded, experiment, results, fits):
    """The record of a panel that is finished; None of any other."""
    jobs = _jobs(loaded, experiment, results)
    table = _table(loaded, experiment, results)
    made = [*_traces(loaded, experiment, results), *(one.tuning for one in jobs if one.tuning)]
    if not (table.exists() and all(path.exists() and fits(path) for path in made)):
        return None
    if max(path.stat().st_mtime_ns for path in made) > table.stat().st_mtime_ns:
        return None
    record = recorded(loaded, experiment, results)
    named = not any(c.endswith("+changes") or c == revision.UNKNOWN for c in record["commits"])
    return record if named and len(record["machines"]) == 1 else None


def _vouched(loaded, experiment, results, record):
    """The record of a store, where the files here are its own."""
    if record is None:
        raise Unusable("it has no traces here, and is not kept in the form that is needed now")
    contents = _here(loaded, experiment, results)
    if {name: _sha256(content) for name, content in contents.items()} != record["files"]:
        raise Unusable("its traces are not here, and its table is not the one that is kept")
    _check(loaded, experiment, contents)
    return record


def _checked(loaded, experiment, results, store, record):
    """The files of a panel in a store, once they are found to be those of its record and of its jobs."""
    try:
        contents = {name: _stored(store, name, record) for name in _paths(loaded, experiment, results)}
        _check(loaded, experiment, contents)
    except UNREADABLE as error:
        again = f"take the file from git again, or remove {experiment} from {kept.PANELS} to run it anew"
        raise Unusable(f"{store}: {experiment}: {error}; {again}") from error
    return contents


def _check(loaded, experiment, contents):
    """Raise `Unusable` for a table, or a table of tried values, that is not what its jobs make."""
    for name, content in contents.items():
        if name.endswith(".csv"):
            check_table(content, loaded, experiment)
        else:
            attributes_of(content, Path(name))


def _jobs(loaded, experiment, results):
    return [Wanted(loaded, experiment, m, Path(results)) for m in loaded.experiment(experiment).run_here]


def _traces(loaded, experiment, results):
    """Traces of a panel; of equal jobs under alternatives the first, which the table names."""
    table = _table(loaded, experiment, results)
    if "@" not in loaded.run or not table.exists():
        return [one.trace for one in _jobs(loaded, experiment, results)]
    named = bounded.table(table, usecols=["trace"])["trace"].unique()
    return [Path(results).parents[1] / name for name in named]


def _table(loaded, experiment, results):
    return Path(results) / "evidence" / loaded.paper / f"{experiment}.csv"


def _paths(loaded, experiment, results):
    """Name in a store → file here, of a panel: tables of tried values, then the tidy table."""
    own = loaded.tuned_in == loaded.run  # else they are kept with the panel of the base run
    tuned = [one.tuning for one in _jobs(loaded, experiment, results) if own and one.tuning]
    names = {f"{TUNING}/{experiment}/{path.name}": path for path in tuned}
    return names | {f"{experiment}.csv": _table(loaded, experiment, results)}


def _here(loaded, experiment, results):
    return {name: bounded.content(path) for name, path in _paths(loaded, experiment, results).items()}


def _write(store, name, content):
    """Tables are packed, as they are large."""
    if name.endswith(".csv"):
        name, content = f"{name}.gz", packed(content)
    atomic_write(store / name, content)


def _stored(store, name, record):
    """A file of a panel in a store, which must be the one that its record names."""
    content = bounded.content(store / (f"{name}.gz" if name.endswith(".csv") else name))
    if _sha256(content) != record["files"][name]:
        raise Unusable(f"{name} is not the file of that record")
    return content


def _sha256(content):
    return hashlib.sha256(content).hexdigest()
