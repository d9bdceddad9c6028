"""The tidy table of a panel: its rows with their place `x` on the panel's own axis and their `value`."""

from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

from ..evidence.axes import with_axes
from ..evidence.panel import FLOOR
from ..evidence.tidy import read_tidy
from ..ground.names import unknown

LARGER_IS_BETTER = {"accuracy_test"}


def read_table(tidy_dir, options):
    """The experiment's rows, by method, seed and iteration, with `x`, `value`, a column for each small axis.

    A panel of `series` has each chosen row once per series: its `method` is the column's name, and runs of
    several methods stay apart by their `seed`.
    """
    path = _path(tidy_dir, options["experiment"])
    wanted = [options["x"], *options["also"], *(options["series"] or [options["y"]])]
    wanted += [line["column"] for line in options["reference"] if "column" in line]
    frame = with_axes(read_experiment(tidy_dir, options["experiment"]), wanted, options["components"])
    for name in wanted:
        if name not in frame:
            raise ValueError(f"{path}: {unknown('column', name, frame)}")
    frame = frame.assign(x=frame[options["x"]])
    frame = frame.sort_values(["method", "seed", "iteration"], kind="stable")
    if options["series"]:
        return _melted(frame[frame["method"].isin(options["rows"])], options["series"])
    return frame.assign(value=excess_of(frame, options["y"]) if options["excess"] else frame[options["y"]])


def read_experiment(tidy_dir, name):
    """The tidy table of an experiment, read once however many panels show it; nobody changes it in place."""
    path = _path(tidy_dir, name)
    return _read(path, path.stat().st_mtime_ns)


def _path(tidy_dir, name):
    path = Path(tidy_dir) / f"{name}.csv"
    if not path.is_file():
        raise FileNotFoundError(f"{path}: no tidy table of experiment {name!r}")
    return path


@cache
def _read(path, _mtime):
    return read_tidy(path)


def _melted(frame, series):
    frame = frame.assign(seed=frame["method"] + " " + frame["seed"].astype(str))
    return pd.concat([frame.assign(method=name, value=frame[name]) for name in series], ignore_index=True)


def excess_of(frame, metric):
    """F − F_best per instance (seed): F_best is the least of all methods, less 1e-6 of the start's excess."""
    by_seed = frame.groupby("seed")[metric]
    best = by_seed.transform("min")
    start = frame["seed"].map(frame.sort_values("iteration", kind="stable").groupby("seed")[metric].first())
    return frame[metric] - best + FLOOR * (start - best)


def finite(frame):
    """Rows with a place and a value."""
    return frame[np.isfinite(frame["x"]) & np.isfinite(frame["value"])]


def running(frame, options):
    """Finite values only; the running best where claims are judged on it."""
    frame = finite(frame).copy()
    if options["running"] == "best":
        groups = frame.groupby(["method", "seed"])["value"]
        frame["value"] = groups.cummax() if options["y"] in LARGER_IS_BETTER else groups.cummin()
    return frame
