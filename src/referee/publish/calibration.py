"""Unit costs of oracles from a finished run: what model seconds are made of."""

import json
from pathlib import Path
from statistics import median

import numpy as np

from projfree.ground.hdf5 import open_h5

from ..evidence.judging.cost_model import unit_costs, with_model_seconds
from ..evidence.tidy import first_runs, read_tidy
from ..ground import bounded


def calibrated(loaded, results) -> dict:
    """Fit the unit costs of every method of a run, probes aside.

    Parameters
    ----------
    loaded : Study
    results : Path
        Of the run, ``results/<run>``.

    Returns
    -------
    dict
        ``machine`` and ``commit`` of its traces (all, where it was made on several), ``others_on_core``, the
        most that others used of a run's core, ``error`` of the seconds at the ends, as a share (``median``,
        ``worst``), and ``costs``: experiment → method → oracle → count → seconds a call.

    Raises
    ------
    FileNotFoundError
        For a table that is not there.
    """
    solved = {}
    for experiment, method in loaded.solves():
        if not loaded.method(experiment, method).probe:
            solved.setdefault(experiment, []).append(method)
    tables = {name: _table(results, loaded, name) for name in solved}
    costs = {name: unit_costs(table[table["method"].isin(solved[name])]) for name, table in tables.items()}
    errors = [e for name in solved for e in _errors(tables[name], costs[name])]
    shared = [table["others_on_core"].max() for table in tables.values() if "others_on_core" in table]
    return {
        **_made_on(results, loaded.paper, solved),
        "others_on_core": max((float(s) for s in shared if s == s), default=None),
        "error": {"median": float(f"{median(errors):.3g}"), "worst": float(f"{max(errors):.3g}")},
        "costs": {name: found for name, found in costs.items() if found},
    }


def _table(results, loaded, name):
    path = Path(results) / "evidence" / loaded.paper / f"{name}.csv"
    if not path.exists():
        raise FileNotFoundError(
            f"{path} is missing; make it with: snakemake claims --cores 2 --config run={loaded.run}"
        )
    return first_runs(bounded.table(path, read_tidy))


def _errors(table, costs):
    """Of each run's last record, by which share the model misses its seconds."""
    if not costs:
        return []
    last = with_model_seconds(table, costs).groupby(["method", "seed"]).tail(1)
    errors = (last["model_seconds"] / last["cpu_seconds"] - 1).abs().replace(np.inf, np.nan)
    return errors.dropna().tolist()


def _made_on(results, paper, solved):
    """The machines and the commits of the traces."""
    machines, commits = {}, {}
    for experiment, methods in solved.items():
        for method in methods:
            with open_h5(Path(results) / "traces" / paper / experiment / f"{method}.h5") as handle:
                machines[json.loads(handle.attrs["environment"])["cpu"]] = None
                commits[str(handle.attrs["git_commit"])] = None
    return {"machine": ", ".join(machines), "commit": ", ".join(commits)}
