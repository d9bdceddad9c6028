"""Tables with curves that are known in the place of a paper's: what is said of them is known too."""

import numpy as np
import pandas as pd

from projfree.trace.counts import COUNTS
from referee.judge import Evidence

#: Metrics that claims read of a curve.
METRICS = ("rmse_test", "error_test", "fw_gap", "saddle_fw_gap", "reconstruction_error", "gradient_error")
SECONDS = np.concatenate([[0.0], np.geomspace(0.01, 10, 60)])


def falling(factor=1.0, end=0.1, start=1.0, delay=0.0):
    """A curve that falls from start to end; `factor` times as slow, `delay` seconds later."""
    return lambda seconds: end + (start - end) * np.exp(-np.maximum(seconds - delay, 0) / factor)


def rows(curve, seed=0, repetition=0, status="budget", stand_in=False, seconds=SECONDS, **columns):
    """The records of one run of a curve; `columns` are other ones, or functions of the seconds."""
    values = curve(seconds)
    given = {name: value(seconds) if callable(value) else value for name, value in columns.items()}
    table = {
        "seed": seed,
        "repetition": repetition,
        "iteration": np.arange(len(seconds)),
        "cpu_seconds": seconds,
    }
    counts = {name: np.round(seconds * 1000) for name in COUNTS}
    table |= counts | {"objective": values, "sq_gradient_mapping": values} | given
    return pd.DataFrame(table | {"end_status": status, "stand_in": stand_in, "trace": "planted.h5"})


def plant(folder, panels, paper="ncgs", **keywords):
    """Write tables, panel → method → curve or list of runs, and give the evidence that reads them."""
    for panel, methods in panels.items():
        parts = []
        for method, runs in methods.items():
            runs = runs if isinstance(runs, list) else [rows(runs)]
            parts += [run.assign(method=method, experiment=panel) for run in runs]
        pd.concat(parts).to_csv(folder / f"{panel}.csv", index=False)
    return Evidence(paper, tables=[folder], **keywords)
