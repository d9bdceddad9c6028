"""The tidy table of a panel: its rows with their place `x` on the panel's own axis and their `value`."""

from functools import cache

import numpy as np
import pandas as pd

from projfree.ground.names import unknown

from ..evidence.axes import with_axes
from ..evidence.judging.cost_model import with_model_seconds
from ..evidence.tidy import first_runs, read_tidy, table_in
from ..ground import bounded

#: F_best lies this share of the start's excess below the least value seen: a logarithm needs something left.
FLOOR = 1e-6
LARGER_IS_BETTER = {"accuracy_test"}
#: What every panel needs of a tidy table beside the columns that it names; carrying all sixty costs seconds.
KEPT = {"method", "seed", "iteration", "end_status", "stand_in"}


def read_table(tidy_dir, options, unit_costs=None):
    """The experiment's rows by method, seed, iteration: what is `KEPT`, `x`, `value`, columns of small axes.

    A panel of `series` has each chosen row once per series: its `method` is the column's name, and runs of
    several methods stay apart by their `seed`. Of `unit_costs` (method → oracle → count → seconds a call) the
    column ``model_seconds`` is made.
    """
    path = _path(tidy_dir, options["experiment"])
    wanted = [options["x"], *options["also"], *(options["series"] or [options["y"]])]
    wanted += [line["column"] for line in options["reference"] if "column" in line]
    frame = with_axes(
        read_experiment(tidy_dir, options["experiment"], unit_costs), wanted, options["components"]
    )
    for name in wanted:
        if name not in frame:
            raise ValueError(f"{path}: {unknown('column', name, frame)}")
    frame = frame[[name for name in frame if name in KEPT.union(wanted)]].assign(x=frame[options["x"]])
    frame = frame.sort_values(["method", "seed", "iteration"], kind="stable")
    if options["series"]:
        return _melted(frame[frame["method"].isin(options["rows"])], options["series"])
    return frame.assign(value=excess_of(frame, options["y"]) if options["excess"] else frame[options["y"]])


def read_experiment(tidy_dir, name, unit_costs=None):
    """The runs of an experiment, with model seconds where unit costs are given."""
    path = _path(tidy_dir, name)
    return with_model_seconds(_read(path, path.stat().st_mtime_ns), unit_costs)


def _path(tidy_dir, name):
    path = table_in(tidy_dir, name)
    if not path.is_file():
        raise FileNotFoundError(f"{path}: no tidy table of experiment {name!r}")
    return path


@cache
def _read(path, _mtime):
    """The runs of a table, not their repetitions; read once for several panels, and changed by nobody."""
    return first_runs(bounded.table(path, read_tidy))


def _melted(frame, series):
    frame = frame.assign(seed=frame["method"] + " " + frame["seed"].astype(str))
    return pd.concat([frame.assign(method=name, value=frame[name]) for name in series], ignore_index=True)


def excess_of(frame, metric):
    """F − F_best per instance (seed), F_best the least of all methods less `FLOOR` of the start's excess."""
    by_seed = frame.groupby("seed")[metric]
    best = by_seed.transform("min")
    start = frame["seed"].map(frame.sort_values("iteration", kind="stable").groupby("seed")[metric].first())
    return frame[metric] - best + FLOOR * (start - best)


def finite(frame):
    """Rows with a place and a value."""
    return frame[np.isfinite(frame["x"]) & np.isfinite(frame["value"])]


def running(frame, options):
    """Finite values only; the running best where it is asked for."""
    frame = finite(frame).copy()
    if options["running"] == "best":
        groups = frame.groupby(["method", "seed"])["value"]
        frame["value"] = groups.cummax() if options["y"] in LARGER_IS_BETTER else groups.cummin()
    return frame
