"""Tidy tables with known answers, made by a few lines."""

from pathlib import Path

import numpy as np
import pandas as pd

from projfree.trace.counts import COUNTS
from referee.evidence.panel import Evidence


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


def evidence(folder, paper="toy", **experiments):
    """Evidence of a paper whose experiments have these entries (default: each table's, without budget)."""
    names = [path.stem for path in Path(folder).glob("*.csv")]
    return Evidence({"paper": paper, "experiments": {name: {} for name in names} | experiments}, folder)


def spec(claims, **experiments):
    """A study spec with these claims."""
    return {"paper": "toy", "prefix": "TOY", "methods": {}, "experiments": experiments, "claims": claims}
