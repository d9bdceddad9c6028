"""Unit costs of oracles from a finished run: the prices of model seconds."""

import json
from pathlib import Path
from statistics import median

import numpy as np

from projfree.ground.hdf5 import open_h5

from ..evidence.cost_model import unit_costs, with_model_seconds
from ..evidence.tidy import first_runs, read_tidy, table_in
from ..ground import bounded
from . import kept


def calibrated(loaded, results, root) -> dict:
    """Fit the unit costs of every method of a run, probes aside.

    A panel's table is the run's; if it has none, the one in git. Panels and methods that
    have none are left out.

    Parameters
    ----------
    loaded : Study
    results : Path
        Of the run, ``results/<run>``.
    root : Path
        Of the project.

    Returns
    -------
    dict
        ``machine`` and ``commit`` of its traces (all, where it was made on several), ``others_on_core``, the
        most that others used of a run's core, ``error`` of the seconds at the ends, as a share (``median``,
        ``worst``), and ``costs``: experiment → method → oracle → count → seconds a call.

    Raises
    ------
    FileNotFoundError
        If there is no table whose runs took time.
    """
    solved = {}
    for experiment, method in loaded.solves():
        if not loaded.method(experiment, method).probe:
            solved.setdefault(experiment, []).append(method)
    places = _places(loaded, solved, Path(results), root)
    tables = {name: _table(table_in(place, name), solved[name]) for name, place in places.items()}
    costs = {name: unit_costs(table) for name, table in tables.items()}
    costs = {name: found for name, found in costs.items() if found}
    if not costs:
        raise FileNotFoundError(
            f"{Path(results) / 'evidence' / loaded.paper}: no table with seconds, and none is kept; "
            f"make them with: snakemake claims --cores 2 --config run={loaded.run}"
        )
    errors = [e for name, found in costs.items() for e in _errors(tables[name], found)]
    shared = [tables[name]["others_on_core"].max() for name in costs if "others_on_core" in tables[name]]
    return {
        **_made_on(loaded, results, {name: places[name] for name in costs}, tables),
        "others_on_core": max((float(s) for s in shared if s == s), default=None),
        "error": {"median": float(f"{median(errors):.3g}"), "worst": float(f"{max(errors):.3g}")},
        "costs": costs,
    }


def _places(loaded, names, results, root):
    """Experiment → the folder with its table: the run's, or a store of this run; none where there is none."""
    stores = [
        store for store in kept.stores(root, loaded.paper) if kept.index(store).get("run") == loaded.run
    ]
    folders, found = [results / "evidence" / loaded.paper, *stores], {}
    for name in names:
        there = [folder for folder in folders if table_in(folder, name).is_file()]
        found |= {name: there[0]} if there else {}
    return found


def _table(path, methods):
    """The first runs of some methods."""
    table = first_runs(bounded.table(path, read_tidy))
    return table[table["method"].isin(methods)]


def _errors(table, costs):
    """Relative error of the modelled seconds at each run's last record."""
    last = with_model_seconds(table, costs).groupby(["method", "seed"]).tail(1)
    errors = (last["model_seconds"] / last["cpu_seconds"] - 1).abs().replace(np.inf, np.nan)
    return errors.dropna().tolist()


def _made_on(loaded, results, places, tables):
    """The machines and the commits of the runs, as their traces, or the records of what is kept, say."""
    machines, commits = {}, {}
    for name, folder in places.items():
        paths = [
            Path(results) / "traces" / loaded.paper / name / f"{m}.h5" for m in set(tables[name]["method"])
        ]
        for path in filter(Path.is_file, paths):
            with open_h5(path) as handle:
                machines[json.loads(handle.attrs["environment"])["cpu"]] = None
                commits[str(handle.attrs["git_commit"])] = None
        if not any(map(Path.is_file, paths)):
            record = kept.index(folder).get("panels", {}).get(name, {})
            machines |= dict.fromkeys(record.get("machines", ["unknown"]))
            commits |= dict.fromkeys(record.get("commits", ["unknown"]))
    return {"machine": "; ".join(machines), "commit": ", ".join(commits)}
