"""From tidy tables to the numbers that a figure shows; plain dictionaries, nothing is drawn here."""

from pathlib import Path

import numpy as np
import pandas as pd

from .style import COUNTS, axis_label, method_styles

LARGER_IS_BETTER = {"accuracy_test"}
JUDGED_ON_RUNNING_BEST = {"sq_gradient_mapping", "fw_gap", "fw_gap_phi", "saddle_fw_gap"}
FLOOR = 1e-6  # the panel's best lies this share of the start's excess above the reference value
FIRST_STEP = "budget ended in its first step"
ORDINARY_ENDS = {"budget", "iterations"}


def panel_data(spec, stem, panel, tidy_dir, points=200):
    """Everything one panel shows, as plain data.

    Parameters
    ----------
    spec : dict
        The paper (methods, experiments, figures).
    stem, panel : str, dict
        The figure's name and one entry of its `panels`.
    tidy_dir : Path
        Folder with `<experiment>.csv`.
    points : int
        Length of the panel's own grid; those of the small axes have half as many.

    Returns
    -------
    dict
        `axes`: one dictionary per horizontal axis (the panel's own first) with `x` [points] and `curves`,
        each `median, low, high` [points], NaN outside the run; `methods`: style, end and note of each curve.
    """
    options = panel_options(spec, stem, panel)
    table, styles = _read(tidy_dir, options), method_styles(spec)
    frame = _running(table, options)
    if "stand_in" in table:  # what the run really used decides: a user's own file lifts the stamp
        options["stand_in"] = bool(table["stand_in"].any())
    methods = [_ending(table, frame, name, options["x"]) | styles[name] for name in options["methods"]]
    options["x_max"] = options["x_max"] or _common_end(methods)
    axes = [_axis(frame, options["x"], options["x_max"], options["methods"], points)]
    axes += [_axis(frame, name, None, options["methods"], points // 2) for name in options["also"]]
    return options | {"axes": axes, "methods": methods}


def _common_end(methods):
    """Where the longest run ended; one whose first step took the whole budget does not count."""
    ends = [m["end_x"] for m in methods if m["seeds"]]
    return max([m["end_x"] for m in methods if m["seeds"] and m["note"] != FIRST_STEP] or ends, default=None)


def panel_options(spec, stem, panel):
    """A panel's entry with every default filled in; unknown names raise and list the known ones."""
    figure = spec["figures"][stem]
    experiment = spec["experiments"][
        _known(panel["experiment"], spec["experiments"], f"experiment of {stem}")
    ]
    methods = panel.get("methods") or experiment["methods"]
    for name in methods:
        _known(name, spec["methods"], f"method of {stem}")
    y, excess = panel["y"], bool(panel.get("excess"))
    best = panel.get("running", "best" if excess or y in JUDGED_ON_RUNNING_BEST else "current")
    label = f"{axis_label(y)} − best found" if excess else axis_label(y)
    return {
        "experiment": panel["experiment"],
        "title": panel.get("title") or experiment.get("title", ""),
        "note": experiment.get("note") or "",
        "stand_in": bool(experiment.get("stand_in")),
        "dataset": experiment.get("dataset") or _source(spec, experiment).get("dataset"),
        "methods": list(methods),
        "x": panel.get("x", "cpu_seconds"),
        "x_max": panel.get("x_max") or (experiment.get("budget") or {}).get(panel.get("x", "cpu_seconds")),
        "components": experiment.get("n"),
        "also": list(panel.get("also", figure.get("also", ["IFO", "LO"]))),
        "y": y,
        "y_label": label,
        "y_scale": panel.get("y_scale", "log" if excess else "linear"),
        "excess": excess,
        "running": _known(best, ("best", "current"), f"running value of {stem}"),
    }


def _known(name, known, what):
    if name not in known:
        raise ValueError(f"unknown {what}: {name!r}; known: {', '.join(map(str, known))}")
    return name


def _source(spec, experiment):
    """The experiment whose instance this one shares."""
    return spec["experiments"].get(experiment.get("instance_of"), {})


def _read(tidy_dir, options):
    """The experiment's table with its value in column `value` and, where it is asked for, IFO/n."""
    path = Path(tidy_dir) / f"{options['experiment']}.csv"
    if not path.is_file():
        raise FileNotFoundError(f"{path}: no tidy table of experiment {options['experiment']!r}")
    frame = pd.read_csv(path, dtype={"method": str, "end_status": str})
    if "IFO/n" in options["also"] and "IFO/n" not in frame and options["components"]:
        frame["IFO/n"] = frame["IFO"] / options["components"]
    for column in ["method", "seed", "iteration", options["x"], options["y"], *options["also"]]:
        if column not in frame:
            raise ValueError(f"{path}: no column {column!r}; known: {', '.join(frame.columns)}")
    frame = frame.sort_values(["method", "seed", "iteration"], kind="stable")
    return frame.assign(value=_excess(frame, options["y"]) if options["excess"] else frame[options["y"]])


def _excess(frame, metric):
    """F − F_best per instance (seed): F_best is the least of all methods, less 1e-6 of the start's excess."""
    by_seed = frame.groupby("seed")[metric]
    best = by_seed.transform("min")
    start = frame["seed"].map(frame.sort_values("iteration", kind="stable").groupby("seed")[metric].first())
    return frame[metric] - best + FLOOR * (start - best)


def _running(frame, options):
    """Finite values only; the running best where claims are judged on it."""
    frame = frame[np.isfinite(frame["value"])].copy()
    if options["running"] == "best":
        groups = frame.groupby(["method", "seed"])["value"]
        frame["value"] = groups.cummax() if options["y"] in LARGER_IS_BETTER else groups.cummin()
    return frame


def _axis(frame, name, x_max, methods, points):
    """One horizontal axis: its grid and, on it, every method's median and quartiles over the seeds."""
    drawn = frame[frame["method"].isin(methods)]
    grid = _grid(drawn[name].to_numpy(float), name, x_max, points)
    runs = {method: _runs(drawn, method, name) for method in methods}
    silent = [m for m in methods if name in COUNTS and runs[m] and max(x[-1] for x, _ in runs[m]) == 0]
    curves = [{"method": m, **_quartiles(runs[m], grid)} for m in methods if runs[m] and m not in silent]
    scale = "log" if name in COUNTS else "linear"
    return {
        "name": name,
        "label": axis_label(name),
        "scale": scale,
        "x": grid,
        "curves": curves,
        "silent": silent,
    }


def _grid(values, name, x_max, points):
    """Linear in time; geometric in counts, whose ranges differ by orders of magnitude between methods."""
    top = x_max or np.max(values, initial=0.0) or 1.0
    if name not in COUNTS:
        return np.linspace(0.0, top, points)
    positive = values[values > 0]
    return np.geomspace(positive.min() if positive.size else 1.0, max(top, 1.0), points)


def _runs(frame, method, name):
    """The (x, value) arrays of each seed of a method."""
    groups = frame[frame["method"] == method].groupby("seed")
    return [(run[name].to_numpy(float), run["value"].to_numpy(float)) for _, run in groups]


def _quartiles(runs, grid):
    """Step-interpolate each run (a value holds until the next record), then take quartiles over runs.

    A run that ended keeps its last value as long as half of the runs go on; then the curve ends.
    """
    where = [np.searchsorted(x, grid, side="right") - 1 for x, _ in runs]
    held = np.array([np.where(at >= 0, y[at], np.nan) for at, (_, y) in zip(where, runs, strict=True)])
    begun = ~np.isnan(held).any(axis=0) & (grid <= np.median([x[-1] for x, _ in runs]))
    low, median, high = np.full((3, grid.size), np.nan)
    if begun.any():
        low[begun], median[begun], high[begun] = np.quantile(held[:, begun], [0.25, 0.5, 0.75], axis=0)
    return {"median": median, "low": low, "high": high}


def _ending(table, frame, method, x):
    """Where and how a method's runs ended, and what the legend has to say about it."""
    runs = frame[frame["method"] == method]
    if runs.empty:
        statuses = table.loc[table["method"] == method, "end_status"]
        return {
            "method": method,
            "seeds": 0,
            "status": None,
            "note": "no data" if statuses.empty else statuses.iloc[-1],
        }
    last = runs.groupby("seed").last()
    status = str(last["end_status"].mode()[0])
    low, middle, high = (float(q) for q in last["value"].quantile([0.25, 0.5, 0.75]))
    ending = {
        "method": method,
        "seeds": len(last),
        "status": status,
        "steps": int(last["iteration"].median()),
        "end_x": float(last[x].median()),
        "end": middle,
        "end_low": low,
        "end_high": high,
    }
    return ending | {"note": _note(ending)}


def _note(ending):
    if ending["steps"] <= 1 and ending["status"] == "budget":
        return FIRST_STEP
    return "" if ending["status"] in ORDINARY_ENDS else ending["status"]
