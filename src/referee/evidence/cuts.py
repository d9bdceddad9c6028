"""Runs as they would be with fewer runs and shorter budgets: what a shorter run is to be compared with."""

import pandas as pd

from ..study.models.experiment import Experiment
from .axes import IN_BUDGETS
from .tidy import run_columns

COLUMNS = {limit: column for column, limit in IN_BUDGETS.items()}
#: What an experiment's entry says of how much is run.
AMOUNTS = ("seeds", "method_seeds", "repetitions", "budget", "method_budgets")


def amounts(experiments: dict[str, Experiment], others: dict[str, Experiment]) -> dict[str, Experiment]:
    """Experiments with as many seeds and repetitions and as long budgets as others of the same name have."""
    taken = {n: {key: getattr(others[n], key) for key in AMOUNTS} for n in experiments if n in others}
    return {name: entry.model_copy(update=taken.get(name)) for name, entry in experiments.items()}


def cut(table: pd.DataFrame, experiment: Experiment) -> pd.DataFrame:
    """Of a tidy table the seeds and repetitions that an experiment has, each run until its budget ends.

    A run ends with its first record at or beyond a limit, as it would have ended then; nothing is known of
    its last iterate but what that record says. Of runs that were made so everything stays.
    """
    if "repetition" in table:
        table = table[table["repetition"] < experiment.repetitions]
    runs = [
        _until(run, experiment.budget_of(method))
        for (method, seed, *_), run in table.groupby(run_columns(table), sort=False)
        if seed in experiment.seeds_of(method)
    ]
    return pd.concat(runs) if runs else table[:0]


def _until(run, budget):
    limits = {COLUMNS.get(name, name): limit for name, limit in budget.limits.items()} if budget else {}
    beyond = pd.Series(False, run.index)
    for column, limit in limits.items():
        beyond |= run[column] >= limit
    kept = run[beyond.cumsum().shift(fill_value=0) == 0]
    return kept if len(kept) == len(run) else kept.assign(end_status="budget")
