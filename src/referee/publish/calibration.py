"""Unit costs of oracles from a finished run: the prices of model seconds."""

from statistics import median

import numpy as np

from ..common import bounded
from ..evidence.cost_model import unit_costs, with_model_seconds
from ..evidence.tidy import first_runs, read_tidy, table_in
from . import records


def calibrated(loaded, folders) -> dict:
    """Fit the unit costs of every method of a run, probes aside.

    Panels and methods without a table are left out.

    Parameters
    ----------
    loaded : Study
    folders : list of Path
        Folders of evidence; the first that has a panel counts.

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
    paths = {name: path for name in solved if (path := table_in(folders, name)).is_file()} if folders else {}
    tables = {name: _table(path, solved[name]) for name, path in paths.items()}
    costs = {name: unit_costs(table) for name, table in tables.items()}
    costs = {name: found for name, found in costs.items() if found}
    if not costs:
        raise FileNotFoundError(
            f"{loaded.paper} ({loaded.run}): no table with seconds; "
            f"make them with: snakemake claims --cores 2 --config run={loaded.run}"
        )
    errors = [e for name, found in costs.items() for e in _errors(tables[name], found)]
    shared = [tables[name]["others_on_core"].max() for name in costs if "others_on_core" in tables[name]]
    made = records.read(folders)
    return {
        "machine": "; ".join(_every("machines", made, costs)),
        "commit": ", ".join(_every("commits", made, costs)),
        "others_on_core": max((float(s) for s in shared if s == s), default=None),
        "error": {"median": float(f"{median(errors):.3g}"), "worst": float(f"{max(errors):.3g}")},
        "costs": costs,
    }


def _every(key, made, names):
    """All machines, or commits, of panels, as their records say."""
    return dict.fromkeys(value for name in names for value in made.get(name, {}).get(key) or ["unknown"])


def _table(path, methods):
    """The first runs of some methods."""
    table = first_runs(bounded.table(path, read_tidy))
    return table[table["method"].isin(methods)]


def _errors(table, costs):
    """Relative error of the modelled seconds at each run's last record."""
    last = with_model_seconds(table, costs).groupby(["method", "seed"]).tail(1)
    errors = (last["model_seconds"] / last["cpu_seconds"] - 1).abs().replace(np.inf, np.nan)
    return errors.dropna().tolist()
