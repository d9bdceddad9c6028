"""Records of panels: what the tables of a panel were made from.

A folder of evidence has ``panels.json`` with a record a panel: the digests of its jobs and of its instance's
recipe, its data, commits, machines, and the SHA-256 of each of its files. What is published is such
a folder, the record of a commit. It is taken only where that is asked for, and checked when it is read.
"""

import hashlib
import json
from collections import Counter
from pathlib import Path

from projfree.common.atomic_io import atomic_write
from projfree.common.hashes import digest
from projfree.common.names import unknown

from ..common import bounded, ours, revision
from ..common.bounded import read_json
from ..data import catalog
from ..study.files import NEXT, stores
from ..study.register import alternatives

PANELS = "panels.json"
#: What a folder of evidence holds.
PARTS = (PANELS, "*.csv", "tuning/*/*.json", "traces/*/*.h5")
#: Key of a record of a panel that was taken from what is published.
TAKEN = "taken"


class Unusable(ValueError):
    """A published panel that is not what its record, or the run, says."""


def asked(loaded, experiment: str) -> dict:
    """Digests of a panel's jobs in a study, and of its instance's recipe if it has one."""
    jobs = {m: digest(loaded.job(experiment, m).plain()) for m in loaded.experiment(experiment).run_here}
    recipe = loaded.needs_instance(experiment) and loaded.recipe(loaded.instance_of(experiment))
    return {"jobs": jobs} | ({"instance": digest(recipe.plain())} if recipe else {})


def record(loaded, experiment: str, traces, files) -> dict:
    """The record of a panel that was made here, from the traces of all its methods.

    files: name in the folder of evidence → path of its results table and its tables of tried values.
    """
    from projfree.common.hdf5 import open_h5  # NumPy with it, which plan and status need not

    commits, machines = set(), set()
    for trace in traces:
        with open_h5(trace) as handle:
            commits.add(str(handle.attrs["git_commit"]))
            environment = json.loads(handle.attrs["environment"])
            # With the kernels that BLAS takes there: machines of one name differ in what they can.
            kernels = [pool["architecture"] for pool in environment.get("blas", [])]
            machines.add(", ".join([environment["cpu"], *dict.fromkeys(filter(None, kernels))]))
            data, stand_in = str(handle.attrs["dataset_sha256"]), bool(handle.attrs["stand_in"])
    digests = asked(loaded, experiment)
    return digests | {
        **({"data": data} if "instance" in digests else {}),
        "stand_in": stand_in,
        "commits": sorted(commits),
        "machines": sorted(machines),
        "files": {name: _sha256(bounded.content(path)) for name, path in files.items()},
    }


def _sha256(content):
    return hashlib.sha256(content).hexdigest()


def index(folder) -> dict:
    """The index of a folder of evidence: ``paper``, ``run``, ``panels``; empty if it has none."""
    path = Path(folder) / PANELS
    if not path.exists():
        return {}
    content = read_json(path)
    kinds = {"paper": str, "run": str, "panels": dict}
    if not (isinstance(content, dict) and all(isinstance(content.get(k), kind) for k, kind in kinds.items())):
        raise ValueError(f"{path}: not an index of panels, which has paper, run and panels")
    if wrong := [name for name, one in content["panels"].items() if not isinstance(one, dict)]:
        raise ValueError(f"{path}: the record of {wrong[0]} is no mapping")
    return content


def read(folders) -> dict[str, dict]:
    """Experiment → record, of several folders of evidence; the first that has a panel counts."""
    panels = {}
    for folder in folders:
        panels = index(folder).get("panels", {}) | panels
    return panels


def write(folder, loaded, records) -> None:
    """Write the index of a folder of evidence."""
    content = {"paper": loaded.paper, "run": loaded.run, "panels": records}
    atomic_write(Path(folder) / PANELS, json.dumps(content, indent=1, sort_keys=True) + "\n")


def published(loaded, root, work=".") -> dict[str, Path]:
    """Experiment → folder, of each panel that is published of just what a run asks for.

    root, work: of the project; of its data, prepared or raw.
    """
    folders = {}
    for folder in stores(root, loaded.paper, loaded.run):
        about = index(folder)
        for name, panel in about.get("panels", {}).items() if about.get("run") == loaded.run else ():
            if name not in folders and _runs(loaded, name) and fits(loaded, name, panel, root, work):
                folders[name] = folder
    return folders


def _runs(loaded, experiment):
    """Whether the study has an experiment with methods that run."""
    return bool(getattr(loaded.experiments.get(experiment), "run_here", ()))


def fits(loaded, experiment: str, panel: dict, root, work) -> bool:
    """Whether a record is of what a run asks for now, of data that may be used here.

    That is what is prepared here; before that, what the catalog pins, if it does.
    """
    wanted = asked(loaded, experiment)
    if any(panel.get(name) != value for name, value in wanted.items()):
        return False
    if "instance" not in wanted:
        return True
    name, data = loaded.dataset(experiment), panel.get("data")
    if name is None:
        return data == "generated"
    if (prepared := Path(work) / "data" / "prepared" / f"{name}.h5").exists():
        from projfree.common.hdf5 import open_h5

        with open_h5(prepared) as handle:
            return data == str(handle.attrs["sha256"])
    files = catalog.dataset(name, root).files
    if panel.get("stand_in"):  # until there is something better
        return not any((Path(work) / "data" / "raw" / name / file.name).exists() for file in files)
    pinned = files[0].pinned if len(files) == 1 else ()
    return isinstance(data, str) and (not pinned or data in pinned)


def take(loaded, experiments, output, root, work=".") -> dict[str, dict]:
    """Copy published panels of a run into a folder of evidence, each file compared with its record.

    Raises
    ------
    Unusable
        For a panel that is not published for what the run asks for, or a file that is not of its record.
    """
    there, records, contents = published(loaded, root, work), {}, {}
    for name in experiments:
        if name not in there:
            raise Unusable(
                unknown(f"published panel that fits the run {loaded.run}:", name, there, loaded.paper)
            )
        panel = index(there[name])["panels"][name]
        contents |= _contents(there[name], name, panel)
        records[name] = panel | {TAKEN: True}
    ours.removed(output, PARTS)
    for file, content in contents.items():
        atomic_write(Path(output) / file, content)
    write(output, loaded, records)
    return records


def check(folder) -> None:
    """Compare all files of published evidence with their records; `Unusable` for one that differs."""
    for name, panel in index(folder).get("panels", {}).items():
        _contents(folder, name, panel)


def _contents(folder, name, panel):
    """Name → content, unpacked, of the files of a panel, once they are those of its record."""
    contents = {}
    for file, sha256 in panel.get("files", {}).items():
        path = Path(folder) / file
        path = path if path.is_file() else path.with_name(f"{path.name}.gz")
        contents[file] = bounded.content(path) if path.is_file() else b""
        if _sha256(contents[file]) != sha256:
            raise Unusable(
                f"{path}: {'is missing' if not path.is_file() else 'does not match its recorded hash'} "
                f"(panel {name} in {Path(folder) / PANELS}); take it from git again"
            )
    return contents


def pack(loaded, folders, root) -> list[str]:
    """Pack the finished panels of a run into the store of the publication to come; returns the new ones.

    Left out are panels that are published or were taken from there, of sources that no commit has, and of
    several machines.
    """
    store, *published = stores(root, loaded.paper, loaded.run)
    there, old = index(store), read(published)
    if there and there["run"] != loaded.run:
        raise ValueError(
            f"{store} keeps panels of the run {there['run']}: publish that, or remove the folder"
        )
    records, new = there.get("panels", {}), []
    for folder in folders:
        for name, panel in index(folder).get("panels", {}).items():
            if panel.get(TAKEN) or panel in (records.get(name), old.get(name)) or faults(name, panel):
                continue
            _write_packed(store, _contents(folder, name, panel))
            records[name] = panel
            new.append(name)
    if new:
        write(store, loaded, records)
    return new


def _place(folder, file):
    """Where a file of a panel is in a published folder: tables are packed."""
    return Path(folder) / (f"{file}.gz" if file.endswith(".csv") else file)


def _write_packed(folder, contents):
    from ..evidence.published import packed

    for file, content in contents.items():
        path = _place(folder, file)
        atomic_write(path, packed(content) if path.suffix == ".gz" else content)


def join(loaded, evidence) -> list[str]:
    """Copy the panels packed next to published evidence into it, over older ones; returns their names.

    Raises
    ------
    Unusable
        For a panel that today's code or settings would make otherwise, or a file that is not of its record.
    """
    store, panels = Path(evidence) / NEXT, index(evidence)["panels"]
    new = index(store).get("panels", {})
    if outdated := changed(loaded, new):
        raise Unusable(f"{store}: the code or the settings of {_listed(outdated)} have changed since")
    for name, panel in new.items():
        contents = _contents(store, name, panel)
        for file in {*panels.get(name, {}).get("files", ())} - {*contents}:
            _place(evidence, file).unlink(missing_ok=True)
        _write_packed(evidence, contents)
        panels[name] = panel
        write(evidence, loaded, panels)
    return [*new]


def clear(evidence) -> None:
    """Remove the panels packed next to published evidence, after `join`."""
    store = Path(evidence) / NEXT
    for panel in index(store).get("panels", {}).values():
        for file in panel["files"]:
            _place(store, file).unlink(missing_ok=True)
    (store / PANELS).unlink(missing_ok=True)
    for folder in (*store.glob("tuning/*"), store / "tuning", store):
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()


def faults(name: str, panel: dict) -> list[str]:
    """Why a panel is not to be published, in words."""
    reasons = []
    if any(map(_uncommitted, panel["commits"])):
        reasons.append(f"{name} is of sources (src, config, papers, workflow) that no commit has")
    if len(panel["machines"]) > 1:
        reasons.append(f"{name} compares seconds of several processors ({' and '.join(panel['machines'])})")
    return reasons


def changed(loaded, records) -> list[str]:
    """Panels of records that today's study would make of other jobs, or of another recipe."""
    names = []
    for name, panel in records.items():
        if _runs(loaded, name) and panel.get("jobs"):
            wanted = asked(loaded, name)
            names += [name] if any(panel.get(key) != value for key, value in wanted.items()) else []
    return names


def origins(records) -> str:
    """Number of panels by commit, in words; empty without any."""
    made = Counter(" and ".join(c[:12] for c in one["commits"]) or "not recorded" for one in records.values())
    return ", ".join(f"{count} of commit {commits}" for commits, count in made.items())


def taken(records, experiments=None) -> str:
    """The sentence about what was not computed here but taken; empty where all of it was computed."""
    names = [n for n, one in records.items() if one.get(TAKEN) and (experiments is None or n in experiments)]
    if not names:
        return ""
    commits = sorted({commit[:12] for name in names for commit in records[name]["commits"]})
    return f"taken from the published tables of commit {' and '.join(commits)}"


def with_taken(entries, records) -> list[dict]:
    """Entries of claims.json that say so where they rest on tables that were taken."""
    return [e | {TAKEN: words} if (words := taken(records, e["panels"])) else e for e in entries]


def as_published(records) -> dict:
    """Records as they are published: what was taken from there is there again."""
    return {name: {k: v for k, v in panel.items() if k != TAKEN} for name, panel in records.items()}


def refusals(loaded, report, records, before_alternatives=False) -> list[str]:
    """Why a report of a run, made of the panels of `records`, is not to be published; empty where it is.

    With `before_alternatives` verdicts under alternatives may be missing.
    """
    from ..evidence.published import ALTERNATIVES
    from ..report.page import read_context

    context = read_context(report / "index.html")
    commits = {"the page": context["commit"], "the checkout": revision.git_commit()}
    reasons = [f"{name} is of sources that no commit has" for name, c in commits.items() if _uncommitted(c)]
    panels = [name for name, values in loaded.experiments.items() if values.run_here]
    if lacking := [name for name in panels if name not in records]:
        reasons.append(f"without the tables of {_listed(lacking)}")
    reasons += [fault for name, panel in records.items() for fault in faults(name, panel)]
    if changed_since := changed(loaded, records):
        reasons.append(f"the code or the settings of {_listed(changed_since)} have changed since; run again")
    drawn = {path.stem for path in report.glob("figures/*.svg")}
    if undrawn := [f["stem"] for f in context["figures"] if f["stem"] not in drawn]:
        reasons.append(f"without the drawings of {_listed(undrawn)}")
    rows = bounded.table(report / "verdicts.csv", usecols=["panel", "over"], dtype=str, keep_default_na=False)
    timed = sorted({*rows.loc[rows["over"] == "cpu_seconds", "panel"]} & {*panels})
    repeated = {e for e, m in loaded.solves() if loaded.repetitions(e, m) > 1}
    if once := [name for name in timed if name not in repeated]:
        reasons.append(f"judged on seconds that were not measured repeatedly: {_listed(once)}")
    under = report / ALTERNATIVES
    has_rows = under.is_file() and len(under.read_text(encoding="utf-8").splitlines()) > 1
    if not (before_alternatives or has_rows) and alternatives(loaded.spec):
        again = f"snakemake --cores 2 --config run={loaded.run} alternatives=true -- {loaded.paper}"
        reasons.append(
            f"without the verdicts under the alternatives of its register: {again}; or --before-alternatives"
        )
    return reasons


def _uncommitted(commit):
    return commit.endswith("+changes") or commit == revision.UNKNOWN


def _listed(names):
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def data_hashes(loaded, records) -> dict:
    """SHA-256 of the raw data behind each instance of the panels, with a word about stand-ins."""
    return {
        loaded.instance_of(name): panel["data"] + " (stand-in)" * panel["stand_in"]
        for name, panel in records.items()
        if "data" in panel and name in loaded.experiments
    }
