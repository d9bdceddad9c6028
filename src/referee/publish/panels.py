"""Panels without their traces: tidy tables and what they were made from, for who asks for the same.

A folder of panels has ``<experiment>.csv.gz``, ``tuning/<experiment>/<method>.json`` and ``panels.json``: the
evidence of a published report is one, and what is finished of a run that is not published yet can be.
Where the jobs of a panel are, to the hash of their code, those that a study asks for, it need not run again.
"""

import gzip
import json
from collections import Counter
from pathlib import Path

from projfree.ground.hashes import digest
from projfree.ground.hdf5 import open_h5
from projfree.ground.outside import read_bytes, read_json
from projfree.ground.sealed import atomic_write

from ..evidence.published import TUNING, packed
from ..ground import revision
from .origin import UNREADABLE, Unusable, differences, maker_of
from .wanted import Wanted, in_words

PANELS = "panels.json"


def place(root, run: str, paper: str) -> Path:
    """Where panels of a run that is not yet whole are kept."""
    return Path(root) / "reports" / "panels" / run / paper


def places(root, run: str, paper: str) -> list[Path]:
    """Where panels of a run may be: as published, and kept."""
    return [Path(root) / "reports" / "reference" / paper / "evidence", place(root, run, paper)]


def made_from(loaded, experiment: str, results) -> dict:
    """What a panel is made from: digests of its jobs and its instance's recipe, SHA-256 of its data.

    Parameters
    ----------
    loaded : Study
    experiment : str
    results : Path, ``results/<run>``

    Raises
    ------
    Unusable
        Where the data is not here to compare.
    """
    jobs = _jobs(loaded, experiment, results)
    made = {"jobs": {one.method: digest(one.job.plain()) for one in jobs}}
    if loaded.needs_instance(experiment):
        recipe = loaded.recipe(loaded.instance_of(experiment))
        made |= {"instance": digest(recipe.plain()), "data": jobs[0].data_sha256()}
    return made


def recorded(loaded, experiment: str, results) -> dict | None:
    """What a panel was made from, by which commits and machines; None where a trace of it is missing.

    That the traces are those which the study asks for is not looked at: see `wanted.fitting`.
    """
    traces = [one.trace for one in _jobs(loaded, experiment, results)]
    if not all(path.exists() for path in traces):
        return None
    makers = [maker_of(path) for path in traces]
    with open_h5(traces[0]) as handle:
        stand_in = bool(handle.attrs.get("stand_in", False))
    return {
        **made_from(loaded, experiment, results),
        "stand_in": stand_in,
        "commits": sorted({by.commit for by in makers}),
        "machines": sorted({by.machine for by in makers}),
    }


def founded(loaded, results, folders) -> tuple[dict, list[str]]:
    """Experiment → record of each panel of a run; the panels that neither traces nor a folder vouch for.

    A panel without traces is vouched for by a folder that has its table, byte for byte, with a record of
    the jobs that are asked for now.
    """
    records, bare = {}, []
    for experiment in of(loaded):
        record = recorded(loaded, experiment, results) or _vouched(loaded, experiment, results, folders)
        if record:
            records[experiment] = record
        else:
            bare.append(experiment)
    return records, bare


def paper_of(folder) -> str | None:
    """The paper whose panels a folder has; None where it has none."""
    return _index(folder).get("paper")


def origins(records) -> str:
    """How many panels are of which commits, in words; empty without any."""
    made = Counter(" and ".join(commit[:12] for commit in record["commits"]) for record in records.values())
    return ", ".join(f"{count} of commit {commits}" for commits, count in made.items())


def data_hashes(loaded, records) -> dict:
    """SHA-256 of the raw data behind each instance of the panels, as `record.data_hashes` says it."""
    return {
        loaded.instance_of(name): record["data"] + " (stand-in)" * record["stand_in"]
        for name, record in records.items()
        if "data" in record
    }


def of(loaded) -> list[str]:
    """Experiments that are panels here: those with methods that no bundle makes in seconds."""
    return [name for name, values in loaded.experiments.items() if values.methods and not values.bundle]


def write(loaded, records, folder) -> None:
    """Say in a folder, whose tables stand there, what they were made from."""
    known = {"paper": loaded.paper, "panels": records}
    atomic_write(Path(folder) / PANELS, json.dumps(known, indent=1, sort_keys=True) + "\n")


def keep(loaded, results, folder, fits) -> list[str]:
    """Pack the panels that are finished into a folder, beside those that it has; which these are.

    Left are panels with a trace that is missing, of another job, newer than the table, or of no commit.
    """
    folder = Path(folder)
    records, new = _records(folder), []
    for experiment in of(loaded):
        if record := _finished(loaded, experiment, results, fits):
            for path, content in _files(loaded, experiment, results).items():
                packs = packed(content) if path.suffix == ".csv" else content
                atomic_write(_inside(folder, path, experiment), packs)
            records[experiment] = record
            new.append(experiment)
    if new:
        write(loaded, records, folder)
    return new


def take(folder, loaded, results, outcome) -> None:
    """Put the panels of a folder into ``results/<run>`` where they are missing and what the study asks for.

    Parameters
    ----------
    folder : Path
        With ``panels.json``.
    loaded, results
        As in `made_from`.
    outcome : `merge.Outcome`, added to
    """
    folder = Path(folder)
    for experiment, record in _records(folder).items():
        try:
            _take(folder, loaded, experiment, record, results, outcome)
        except UNREADABLE as error:  # one bad file is no reason to leave the others
            outcome.refused.append(f"refused   {folder} {experiment}: {error}")


def _records(folder):
    """Experiment → record of the panels of a folder."""
    return _index(folder).get("panels", {})


def _index(folder):
    """What a folder says of its panels; empty where it has none."""
    path = Path(folder) / PANELS
    if not path.exists():
        return {}
    index = read_json(path)
    kinds = {"paper": str, "panels": dict}
    if not (isinstance(index, dict) and all(isinstance(index.get(k), kind) for k, kind in kinds.items())):
        raise ValueError(f"{path}: not an index of panels, which has paper and panels")
    return index


def _take(folder, loaded, experiment, record, results, outcome):
    if experiment not in of(loaded):
        raise Unusable("no panel of this study")
    if misfit := _misfit(loaded, experiment, results, record):
        raise Unusable(f"not what this study asks for: {misfit}")
    content = {path: _content(folder, path, experiment) for path in _paths(loaded, experiment, results)}
    here = [path for path in content if path.exists()]
    if other := [path for path in here if path.read_bytes() != content[path]]:
        outcome.conflicts.append(f"conflict  {other[0]} and {_inside(folder, other[0], experiment)}")
    elif len(here) == len(content):
        outcome.same.append(f"same      {here[-1]}")
    else:
        for path in content:
            atomic_write(path, content[path])
        outcome.taken.append(f"taken     {_table(loaded, experiment, results)}")


def _vouched(loaded, experiment, results, folders):
    """The record of the first folder that has the panel as it stands here; None without one."""
    for folder in folders:
        try:
            record = _records(folder)[experiment]
            files = _files(loaded, experiment, results)
            if not _misfit(loaded, experiment, results, record) and all(
                _content(folder, path, experiment) == content for path, content in files.items()
            ):
                return record
        except UNREADABLE:
            continue
    return None


def _finished(loaded, experiment, results, fits):
    table = _table(loaded, experiment, results)
    traces = [one.trace for one in _jobs(loaded, experiment, results)]
    if not (table.exists() and all(path.exists() and fits(path) for path in traces)):
        return None
    if max(path.stat().st_mtime_ns for path in traces) > table.stat().st_mtime_ns:
        return None
    record = recorded(loaded, experiment, results)
    named = not any(c.endswith("+changes") or c == revision.UNKNOWN for c in record["commits"])
    return record if named and len(record["machines"]) == 1 else None


def _misfit(loaded, experiment, results, record):
    """Why a record is not that of the panel as it is asked for, in words; empty if it is."""
    asked = made_from(loaded, experiment, results)
    found = differences(asked, {name: record.get(name) for name in asked})
    return in_words(found[0]) if found else ""


def _jobs(loaded, experiment, results):
    return [Wanted(loaded, experiment, m, Path(results)) for m in loaded.experiment(experiment).methods]


def _table(loaded, experiment, results):
    return Path(results) / "evidence" / loaded.paper / f"{experiment}.csv"


def _paths(loaded, experiment, results):
    """Files of a panel here: tables of tried values, then the tidy table."""
    tuned = [one.tuning for one in _jobs(loaded, experiment, results) if one.tuning]
    return [*tuned, _table(loaded, experiment, results)]


def _files(loaded, experiment, results):
    return {path: read_bytes(path) for path in _paths(loaded, experiment, results)}


def _inside(folder, path, experiment):
    """Where a folder has a file of a panel."""
    return folder / (f"{path.name}.gz" if path.suffix == ".csv" else Path(TUNING, experiment, path.name))


def _content(folder, path, experiment):
    content = read_bytes(_inside(folder, path, experiment))
    return gzip.decompress(content) if path.suffix == ".csv" else content
