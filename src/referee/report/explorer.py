"""Data of the explorer: a panel's options in the page, an experiment's records in a file next to it.

The file is a script, ``projfreeData("<experiment>", {…})``, since a page that was opened from a folder may
load scripts but no JSON. Pages that show the same experiment share it.
"""

import json
import math
import re
from pathlib import PurePosixPath

import numpy as np
import pandas as pd

from projfree.common.atomic_io import atomic_write
from projfree.trace.counts import COUNTS

from ..evidence.axes import with_axes
from ..evidence.tidy import METRICS_EXCLUDE, TAIL, table_in
from ..evidence.words import axis_label, titles_of
from .html import WORDS
from .options import LARGER_IS_BETTER, excess_of, panel_options, read_experiment
from .order import of_paper
from .style import SERIES_COLOURS

DIGITS = 7
MAX_BYTES = 950_000
CLOCKS = ("cpu_seconds", "wall_seconds")
TIMER = re.compile("^(model_)?seconds_")
#: Timer → the work that it measures.
WORK = WORDS["timers"]
#: Of a panel's options what the explorer reads.
CHOICES = ("title", "experiment", "x", "x_label", "x_scale", "x_max", "y_label", "y_scale", "running", "draw")


def explorer_panel(spec, stem, panel, styles):
    """A panel of a figure as the explorer takes it: its options, its methods' looks, its reference lines."""
    options = panel_options(spec, stem, panel)
    shown = options["methods"]
    own = [n for n in shown if options["extra"] or of_paper({"method": n, **styles[n]}, options["paper"])]
    return {
        **{key: options[key] for key in CHOICES},
        "y": excess_name(options["y"]) if options["excess"] else options["y"],
        "series": options["series"],
        "methods": {name: look(styles[name]) for name in shown},
        "rows": options["rows"],
        "ticks": options["paper"].get("ticks") or [],
        "only": own or shown,
        "lines": [line for line in options["reference"] if "y" in line or "column" in line],
    }


def look(style):
    """The parts of a method's style that the explorer uses."""
    return {key: style[key] for key in ("label", "colour", "dash")}


def traced(entry):
    """Experiment → methods that the claim was judged on, as its traces name them."""
    methods = {}
    for trace in map(PurePosixPath, entry["traces"]):
        methods.setdefault(trace.parent.name, []).append(trace.stem)
    return methods


def claim_panels(spec, entry, shown, styles, tidy_dir):
    """Panels of the explorer for one claim: one an experiment, on the metric and the axis that are judged.

    entry: with ``traces`` and ``about``: panel → ``metric, over, what, required`` of a row of verdicts.csv.
    shown: experiment → panels of figures that show it.
    """
    titles, panels = titles_of({name: values["title"] for name, values in spec["experiments"].items()}), []
    for name, methods in traced(entry).items():
        path = table_in(tidy_dir, name)
        if name in spec["experiments"] and path.is_file():
            columns, about = set(pd.read_csv(path, nrows=0).columns), entry["about"].get(name, {})
            panels.append(_panel_of(name, titles[name], methods, about, columns, shown.get(name, []), styles))
    return panels


def _panel_of(name, title, methods, about, columns, shown, styles):
    """The panel of an experiment: on what a row of verdicts.csv, else a figure, is about."""
    metric = about["metric"] if about.get("metric") in columns else None
    figure = next((panel for panel in shown if panel["y"] == metric), shown[0] if shown else {})
    y = metric or figure.get("y")
    x = about["over"] if about.get("over") in columns else figure.get("x", "iteration")
    base = {"draw": "curves", "rows": [], "y_scale": "linear", "lines": [], "methods": {}, "x_max": None}
    base |= {key: value for key, value in figure.items() if key != "series"}
    if x != figure.get("x"):
        base |= {"x_label": axis_label(x), "x_scale": "linear", "x_max": None}
    colours = iter(SERIES_COLOURS * (1 + len(methods) // len(SERIES_COLOURS)))
    plain = {m: {"label": m, "colour": next(colours), "dash": "solid"} for m in methods if m not in styles}
    looks = {m: plain.get(m) or look(styles[m]) for m in methods}
    bound, what = about.get("required"), about.get("what", "")
    level = (
        metric and isinstance(bound, (int, float)) and what.endswith((f"most {bound:g}", f"least {bound:g}"))
    )
    return base | {
        "title": title,  # a figure's panel says only what its figure does not
        "running": "current",
        "experiment": name,
        "x": x,
        "y": y,
        "y_label": axis_label(y) if y else "",
        "series": {},
        "methods": figure.get("methods", {}) | looks,
        "only": methods,
        "lines": base["lines"] + ([{"y": bound, "label": f"required {bound:g}"}] if level else []),
    }


def excess_name(metric):
    """Name of the column that holds a metric above the least value found."""
    return f"{metric} − best found"


def write_experiment(spec, name, panels, tidy_dir, output):
    """Write an experiment's records for the explorer: a script that no file system holds back.

    panels: options of every panel that shows it; their axes become columns too.
    """
    frame = read_experiment(tidy_dir, name, (spec.get("unit_costs") or {}).get(name))
    for options in panels:
        frame = with_axes(frame, [options["x"], *options["also"]], options["components"])
        if options["excess"]:
            frame = frame.assign(**{excess_name(options["y"]): excess_of(frame, options["y"])})
    frame = frame.sort_values(["method", "seed", "iteration"], kind="stable").reset_index(drop=True)
    every = 1  # record, or every second, fourth, … where all would be too many
    while True:
        data = json.dumps(_data(name, frame, every), separators=(",", ":"), allow_nan=False)
        text = f"projfreeData({json.dumps(name)},{data});\n"
        if len(text.encode()) <= MAX_BYTES or every >= len(frame):
            return atomic_write(output, text)
        every *= 2


def _data(name, frame, every):
    """Columns of the records drawn, and of each run its method, seed, first record, end and how it ended."""
    runs, places = [], []
    for (method, seed), rows in frame.groupby(["method", "seed"], sort=False).indices.items():
        chosen = sorted({*rows[::every].tolist(), int(rows[-1])})
        status = str(frame["end_status"].iat[rows[-1]])
        runs.append([method, str(seed), len(places), len(places) + len(chosen), status])
        places += chosen
    shown = [  # columns that say something: not a count that nobody made
        column
        for column in frame.select_dtypes("number").columns
        if column in ("iteration", *CLOCKS)
        or (column not in METRICS_EXCLUDE and frame[column].notna().any())
        and (_is_metric(column) or frame[column].any())
    ]
    columns = {column: _column(frame[column].to_numpy()[places]) for column in shown}
    work = {}  # timer, alone and as it begins a column, → the work that it measures, in words
    for column in filter(TIMER.match, columns):
        timer = TIMER.sub("", column)
        parts = [WORK.get(part, axis_label(part)) for part in timer.split("_in_")]
        work |= {column: " in ".join(parts), timer.partition("_in_")[0]: parts[0]}
    return {
        "experiment": name,
        "every": every,
        "columns": columns,
        "runs": runs,
        "labels": {column: axis_label(column) for column in columns},
        "work": work,
        "metrics": [column for column in columns if _is_metric(column)],
        "rising": sorted(LARGER_IS_BETTER & set(columns)),
    }


def _is_metric(column):
    clocks = ("iteration", *CLOCKS, *COUNTS, *TAIL)
    return column not in clocks and not column.startswith(("seconds_", "model_seconds"))


def _column(values):
    """Whole numbers as they are, others with seven digits; null where there is no number."""
    if np.issubdtype(values.dtype, np.integer):
        return values.tolist()
    return [
        None
        if not math.isfinite(v)
        else int(v)
        if v == int(v) and abs(v) < 1e15
        else float(f"{v:.{DIGITS}g}")
        for v in values.tolist()
    ]
