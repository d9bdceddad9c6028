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
    tables = {name: first_runs(bounded.table(path, read_tidy)) for name, path in paths.items()}
    tables = {name: table[table["method"].isin(solved[name])] for name, table in tables.items()}
    costs = {name: unit_costs(table) for name, table in tables.items()}
    costs = {name: each for name, each in costs.items() if each}
    if not costs:
        raise FileNotFoundError(
            f"{loaded.paper} ({loaded.run}): no table with seconds; "
            f"make them with: snakemake claims --cores 2 --config run={loaded.run}"
        )
    errors = []  # of the modelled seconds at each run's last record
    for name, each in costs.items():
        last = with_model_seconds(tables[name], each).groupby(["method", "seed"]).tail(1)
        error = (last["model_seconds"] / last["cpu_seconds"] - 1).abs().replace(np.inf, np.nan)
        errors += error.dropna().tolist()
    shared = [tables[name]["others_on_core"].max() for name in costs if "others_on_core" in tables[name]]
    made, origin = records.read(folders), {}
    for key in ("machines", "commits"):
        origin[key] = dict.fromkeys(v for name in costs for v in made.get(name, {}).get(key) or ["unknown"])
    return {
        "machine": "; ".join(origin["machines"]),
        "commit": ", ".join(origin["commits"]),
        "others_on_core": max((float(s) for s in shared if s == s), default=None),
        "error": {"median": float(f"{median(errors):.3g}"), "worst": float(f"{max(errors):.3g}")},
        "costs": costs,
    }
