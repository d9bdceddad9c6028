"""Panels that are kept in git, and which of them a study needs: the workflow looks at every start.

A store is a folder with ``<experiment>.csv.gz``, ``tuning/<experiment>/<method>.json`` and ``panels.json``.
A paper has two, one in the other: the evidence of its published report, and in its folder `next` what is
finished of the publication to come, so that published verdicts and tables stay together.

A panel is kept for every run that needs the same: the same jobs, to the hash of their code, on instances of
the same recipe and of the same data.
"""

from pathlib import Path

from projfree.ground.hashes import digest

from ..data import catalog
from ..ground.bounded import read_json
from ..study.files import stores

PANELS = "panels.json"


def panels(loaded) -> list[str]:
    """Experiments kept one by one: those with methods of their own that no bundle makes in seconds."""
    one_by_one = "@" in loaded.run  # no bundle makes runs under an alternative
    return [name for name, v in loaded.experiments.items() if v.run_here and (one_by_one or not v.bundle)]


def kept(loaded, root, here=(), work=None) -> dict[str, tuple[Path, dict]]:
    """Experiment → (store, record) of each panel that the study needs.

    Parameters
    ----------
    loaded : Study
    root : Path
        Of the project.
    here : names, optional
        Panels that are made here, and not looked up.
    work : Path, optional
        Whose data, prepared or raw, are those at hand; the project unless told.
    """
    asked = [name for name in panels(loaded) if name not in here]
    found = {}
    for store in stores(root, loaded.paper, loaded.run):
        records = index(store).get("panels", {}) if index(store).get("run") == loaded.run else {}
        for name in asked:
            if (
                name in records
                and name not in found
                and fits(loaded, name, records[name], root, work or root)
            ):
                found[name] = store, records[name]
    return found


def begun(results, paper: str) -> set[str]:
    """Panels of a run that have a trace here: they are made here, and no kept table replaces them."""
    return {path.parent.name for path in (Path(results) / "traces" / paper).glob("*/*.h5")}


def index(store) -> dict:
    """The index of a store: ``paper``, ``run``, ``panels``; empty if it has none."""
    path = Path(store) / PANELS
    if not path.exists():
        return {}
    found = read_json(path)
    kinds = {"paper": str, "run": str, "panels": dict}
    if not (isinstance(found, dict) and all(isinstance(found.get(k), kind) for k, kind in kinds.items())):
        raise ValueError(f"{path}: not an index of panels, which has paper, run and panels")
    return found


def asked(loaded, experiment: str) -> dict:
    """Digests of a panel's jobs in a study, and of its instance's recipe if it has one."""
    jobs = {m: digest(loaded.job(experiment, m).plain()) for m in loaded.experiment(experiment).run_here}
    recipe = loaded.needs_instance(experiment) and loaded.recipe(loaded.instance_of(experiment))
    return {"jobs": jobs} | ({"instance": digest(recipe.plain())} if recipe else {})


def fits(loaded, experiment: str, record: dict, root, work) -> bool:
    """Whether a record is of the panel that the study needs, of data that may be used here."""
    if not isinstance(record, dict):
        return False
    wanted = asked(loaded, experiment)
    same = all(record.get(name) == value for name, value in wanted.items())
    return same and ("instance" not in wanted or _same_data(loaded.dataset(experiment), record, root, work))


def _same_data(name, record, root, work):
    """Whether a record's data is what is prepared here; before that, what the catalog pins, if it does."""
    data, prepared = record.get("data"), Path(work) / "data" / "prepared" / f"{name}.h5"
    if name is None:
        return data == "generated"
    if prepared.exists():
        from projfree.ground.hdf5 import open_h5  # NumPy with it, which the status of a run needs not

        with open_h5(prepared) as handle:
            return data == str(handle.attrs["sha256"])
    files = catalog.dataset(name, root).files
    if record.get("stand_in"):  # until there is something better
        return not any((Path(work) / "data" / "raw" / name / file.name).exists() for file in files)
    pinned = files[0].pinned if len(files) == 1 else ()
    return isinstance(data, str) and (not pinned or data in pinned)
