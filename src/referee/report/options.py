"""One panel of a figure: its options with every default filled in, and the rows of its tidy table."""

from functools import cache
from itertools import cycle

import numpy as np
import pandas as pd

from projfree.common.names import require

from ..common import bounded
from ..evidence.axes import is_count, limit_on, with_axes
from ..evidence.cost_model import with_model_seconds
from ..evidence.tidy import first_runs, read_tidy, table_in
from ..evidence.words import axis_label
from ..study.models.experiment import Budget
from ..study.models.figure import Figure, Panel
from ..study.views import drawable, methods_in
from .style import REFERENCE_DASHES


def panel_options(spec, stem, panel):
    """A panel's entry with every default filled in; unknown names raise and list the known ones."""
    figure = drawable(spec["figures"])[stem]
    asked = Panel(**{key: value for key, value in panel.items() if key in Panel.model_fields})
    require([asked.experiment], spec["experiments"], "experiment", stem)
    experiment = spec["experiments"][asked.experiment]
    rows = asked.methods or experiment["methods"]
    require(rows, methods_in(spec, asked.experiment), "method", stem)
    usual = [] if asked.draw == "points" else figure.get("also", Figure.model_fields["also"].default)
    x = asked.x if asked.x_divide == 1 else f"{asked.x}/{asked.x_divide:g}"
    return {
        "name": asked.name,
        "experiment": asked.experiment,
        "title": asked.title or experiment.get("title", ""),
        "note": experiment.get("note") or "",
        "stand_in": bool(experiment.get("stand_in")),
        "dataset": dataset_of(spec, asked.experiment),
        "rows": list(rows),
        "methods": list(asked.series or rows),
        "draw": asked.draw,
        "components": asked.components,
        "extra": bool(figure.get("extra")),
        "also": list(usual if asked.also is None else asked.also),
        "paper": asked.paper.plain() if asked.paper else {},
        "reference": [
            line.plain() | {"dash": dash} for line, dash in zip(asked.reference, cycle(REFERENCE_DASHES))
        ],
        "x": x,
        "x_label": asked.x_label or axis_label(x),
        "x_scale": asked.x_scale or axis_scale(x),
        "x_max": asked.x_max or limit_on(Budget(**(experiment.get("budget") or {})), x),
        **_vertical(asked, stem),
    }


def dataset_of(spec, name):
    """The data set of an experiment, or of that whose instance it shares; None where data are generated."""
    every = spec["experiments"]
    own = every[name] or {}
    return own.get("dataset") or every.get(own.get("instance_of"), {}).get("dataset")


def axis_scale(name):
    """Counts are logarithmic: their ranges differ by orders of magnitude between methods."""
    return "log" if is_count(name) else "linear"


def _vertical(panel, stem):
    y, series = panel.y, panel.series or {}
    if bool(y) == bool(series) or (series and (panel.excess or not panel.y_label)):
        raise ValueError(f"a panel of {stem} needs `y`, or `series` with `y_label` and without `excess`")
    label = axis_label(y) if y else ""
    return {
        "y": y,
        "series": dict(series),
        "y_label": panel.y_label or (f"{label} − best found" if panel.excess else label),
        "y_scale": panel.scale_of_y,
        "excess": panel.excess,
        "running": panel.running,
    }


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
    name = options["experiment"]
    columns = [options["x"], *options["also"], *(options["series"] or [options["y"]])]
    columns += [line["column"] for line in options["reference"] if "column" in line]
    frame = with_axes(read_experiment(tidy_dir, name, unit_costs), columns, options["components"])
    require(columns, frame, "column", table_in(tidy_dir, name))
    frame = frame[[column for column in frame if column in KEPT.union(columns)]].assign(x=frame[options["x"]])
    frame = frame.sort_values(["method", "seed", "iteration"], kind="stable")
    if options["series"]:
        frame = frame[frame["method"].isin(options["rows"])]
        frame = frame.assign(seed=frame["method"] + " " + frame["seed"].astype(str))
        return pd.concat(
            [frame.assign(method=column, value=frame[column]) for column in options["series"]],
            ignore_index=True,
        )
    return frame.assign(value=excess_of(frame, options["y"]) if options["excess"] else frame[options["y"]])


def read_experiment(tidy_dir, name, unit_costs=None):
    """The runs of an experiment, with model seconds where unit costs are given."""
    path = table_in(tidy_dir, name)
    if not path.is_file():
        raise FileNotFoundError(f"{path}: no tidy table of experiment {name!r}")
    return with_model_seconds(_read(path, path.stat().st_mtime_ns), unit_costs)


@cache
def _read(path, _mtime):
    """The runs of a table, not their repetitions; read once for several panels, and changed by nobody."""
    return first_runs(bounded.table(path, read_tidy))


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
