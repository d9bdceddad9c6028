"""Unit costs of oracles, for model seconds, and budgets of alternatives as counts by them."""

import csv
import json
import math
from collections.abc import Callable
from functools import cache
from pathlib import Path

from projfree.common.atomic_io import atomic_write
from projfree.common.outside import DamagedFile
from projfree.trace.counts import COUNTS

from ..common.bounded import read_json, text
from ..common.project import project_root
from . import files
from .files import stores
from .models.paper import UnitCosts
from .validation import StudyError, validate


def place(paper: str, run: str, root=None) -> Path:
    """Where the unit costs of a run are kept; those under an alternative are the run's own."""
    return (
        Path(root or project_root()) / files.PAPERS / paper / "unit_costs" / f"{run.partition('@')[0]}.json"
    )


def read(path: Path) -> dict:
    """Experiment → method → oracle → count → seconds a call; {} if nothing was calibrated.

    Raises
    ------
    StudyError
        For a file that is not one of unit costs.
    """
    if not path.exists():
        return {}
    return validate(UnitCosts, _given(path), path).costs


def _given(path):
    try:
        return read_json(path)
    except DamagedFile as error:
        raise StudyError(str(error)) from None


def write(path: Path, costs: UnitCosts) -> None:
    """Keep unit costs, one method a line."""
    about = costs.model_dump(exclude={"costs"})
    lines = ",\n".join(
        f"  {json.dumps(experiment)}: {{\n{_methods(methods)}\n  }}"
        for experiment, methods in costs.costs.items()
    )
    head = ",\n".join(f" {json.dumps(key)}: {json.dumps(value)}" for key, value in about.items())
    ours = rb'\{\s*"machine": "[^"]*",\s*"commit": '  # of another machine too
    atomic_write(path, f'{{\n{head},\n "costs": {{\n{lines}\n }}\n}}\n', ours)


def _methods(methods):
    return ",\n".join(
        f"   {json.dumps(method)}: {json.dumps(oracles)}" for method, oracles in methods.items()
    )


#: A count ends a run if it makes at least this share of the model seconds: a cheap one would end it early.
WEIGHTY = 0.1
#: Under a choice steps may need no products: where these alone count, so many times the iterations end a run.
MORE = 10
SECONDS = ("cpu_seconds", "wall_seconds")


def counts_of(paper: str, run: str, costs: dict, root) -> Callable:
    """A function (experiment, method, budget, share) → the budget as counts, from the published evidence.

    Every limit in seconds becomes the counts that the first run of the method had made at that share of it:
    those that make at least `WEIGHTY` of its model seconds, the first reached ends a run. A run that ended
    before, as converged, is taken to go on at its rate. Other limits are cut to the share; levels stay.

    Parameters
    ----------
    paper, run : str
    costs : dict
        Experiment → method → oracle → count → seconds a call, of that run.
    root : Path
        Of the project.
    """

    def budget_in_counts(experiment, method, budget, share):
        found = part(budget, share)
        for column in SECONDS:
            if seconds := found.pop(column, None):
                price = costs.get(experiment, {}).get(method)
                if not price:
                    raise StudyError(
                        f"{paper}: no unit costs of {experiment} {method}, which weigh the counts of "
                        f"alternatives; make them with: projfree calibrate {paper} --run {run}"
                    )
                records = _records(paper, run, experiment, method, root)
                found |= _counts_at(records, column, seconds, price)
        return found

    return budget_in_counts


def part(budget: dict, share: float) -> dict:
    """That share of every limit; a level that ends a run stays."""
    return {
        name: limit
        if name == "stop"
        else (limit * share if name in SECONDS else max(1, round(limit * share)))
        for name, limit in budget.items()
    }


def _records(paper, run, experiment, method, root):
    """Records of the first run of a method, of the panel to come or as it was published."""
    tables = [store / f"{experiment}.csv.gz" for store in stores(root, paper)]
    table = next((path for path in tables if path.is_file()), None)
    records = _first_runs(table, table.stat().st_mtime_ns).get(method) if table else None
    if not records:
        raise StudyError(
            f"{table or tables[-1]}: no run of {method} there, whose counts are the budget of alternatives; "
            f"run it, and keep it with: projfree publish {paper} --run {run} --keep"
        )
    return records


@cache
def _first_runs(path: Path, _mtime) -> dict[str, list[dict]]:
    """Method → seconds and counts of each record of its first seed, without repetitions."""
    found = {}
    for row in csv.DictReader(text(path).splitlines()):
        if row["seed"] == "0" and float(row.get("repetition") or 0) == 0:
            counted = {name: float(row[name]) for name in (*SECONDS, "iteration", *COUNTS)}
            found.setdefault(row["method"], []).append(counted)
    return found


def _counts_at(records, column, seconds, price):
    """The counts at the first record that is so late; those alone that still grow there."""
    at = next((k for k, record in enumerate(records) if record[column] >= seconds), len(records) - 1)
    record, before = records[at], records[max(at - 1, 0)]
    longer = max(1.0, seconds / (record[column] or seconds))
    calls = {name: sum(oracle.get(name, 0) for oracle in price.values()) for name in ("iteration", *COUNTS)}
    weights = {name: cost * record[name] for name, cost in calls.items()}
    least = WEIGHTY * sum(weights.values())
    found = [name for name, w in weights.items() if w >= least and record[name] > before[name]]
    limits = {name: record[name] * longer for name in found or ["iteration"]}
    if found == ["matvec"]:
        limits["iteration"] = MORE * record["iteration"] * longer
    names = {"iteration": "iterations"}
    return {names.get(name, name): math.ceil(limit) for name, limit in limits.items()}
