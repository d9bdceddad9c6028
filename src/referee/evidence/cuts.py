"""Runs as they would be with fewer runs and shorter budgets: what a shorter run is to be compared with."""

import math

import pandas as pd

from .axes import IN_BUDGETS
from .tidy import run_columns

COLUMNS = {limit: column for column, limit in IN_BUDGETS.items()}
#: What an experiment's entry says of how much is run.
AMOUNTS = ("seeds", "method_seeds", "repetitions", "budget", "method_budgets")


def amounts(experiments: dict, others: dict) -> dict:
    """Experiments with as many seeds and repetitions and as long budgets as others of the same name have."""
    return {
        name: {k: v for k, v in entry.items() if k not in AMOUNTS}
        | {k: v for k, v in others[name].items() if k in AMOUNTS}
        if name in others
        else entry
        for name, entry in experiments.items()
    }


def cut(table: pd.DataFrame, experiment: dict) -> pd.DataFrame:
    """Of a tidy table the seeds and repetitions that an experiment has, each run until its budget ends.

    A run ends with its first record at or beyond a limit, as it would have ended then; nothing is known of
    its last iterate but what that record says. Of runs that were made so everything stays.
    """
    if "repetition" in table:
        table = table[table["repetition"] < experiment.get("repetitions", math.inf)]
    runs = [
        _until(run, _budget(experiment, method))
        for (method, seed, *_), run in table.groupby(run_columns(table), sort=False)
        if seed < _seeds(experiment, method)
    ]
    return pd.concat(runs) if runs else table[:0]


def _seeds(experiment, method):
    most = experiment.get("seeds", math.inf)
    return min(most, (experiment.get("method_seeds") or {}).get(method, most))


def _budget(experiment, method):
    return (experiment.get("method_budgets") or {}).get(method, experiment.get("budget")) or {}


def _until(run, budget):
    limits = {COLUMNS.get(name, name): limit for name, limit in budget.items() if name != "stop" and limit}
    beyond = pd.Series(False, run.index)
    for column, limit in limits.items():
        beyond |= run[column] >= limit
    kept = run[beyond.cumsum().shift(fill_value=0) == 0]
    return kept if len(kept) == len(run) else kept.assign(end_status="budget")
