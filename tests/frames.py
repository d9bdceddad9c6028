"""Tidy tables with known answers, made by a few lines."""

from pathlib import Path

import numpy as np
import pandas as pd

from projfree.trace.counts import COUNTS
from referee.study.models.paper import Paper
from referee.study.validation import validate


def run(method, metrics, *, seed=0, seconds=None, end_status="budget", **columns):
    """One run; `metrics` name → values, one record a second unless `seconds` says otherwise."""
    size = len(next(iter(metrics.values())))
    iteration = np.arange(size)
    base = {
        "method": method,
        "seed": seed,
        "iteration": iteration,
        "cpu_seconds": iteration.astype(float) if seconds is None else np.asarray(seconds, float),
        "wall_seconds": iteration.astype(float),
        **dict.fromkeys(COUNTS, 0),
        "end_status": end_status,
        "stand_in": False,
        "trace": f"results/t/{method}.h5",
    }
    return pd.DataFrame(base | {k: np.asarray(v, float) for k, v in metrics.items()} | columns)


def write(folder, experiment, *runs):
    """The tidy table of an experiment."""
    frame = pd.concat(runs, ignore_index=True).assign(experiment=experiment)
    Path(folder).mkdir(parents=True, exist_ok=True)
    frame.to_csv(Path(folder) / f"{experiment}.csv", index=False)


def spec(**experiments):
    """A study spec with these experiments."""
    return {"paper": "toy", "prefix": "TOY", "methods": {}, "experiments": experiments}


def paper(given: dict) -> Paper:
    """A paper of what a test says of it, and of titles and the like where it says nothing."""
    told = dict.fromkeys(("title", "authors", "venue", "summary"), "toy") | {"year": 2000}
    told |= {"paper": "toy", "prefix": "TOY", "methods": {}, "figures": {}, "runs": {}}
    experiments = {name: experiment(name, entry) for name, entry in given.get("experiments", {}).items()}
    figures = {name: {"title": name, **entry} for name, entry in given.get("figures", {}).items()}
    tables = {name: {"title": name, **entry} for name, entry in given.get("tables", {}).items()}
    parts = {"experiments": experiments, "figures": figures, "tables": tables}
    return validate(Paper, told | given | parts, "toy.yaml")


def experiment(name, entry=None) -> dict:
    """An experiment's entry with what it has to have."""
    return {"title": name, "methods": [], **(entry or {})}
