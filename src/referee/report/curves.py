"""From tidy tables to the numbers that a figure shows; plain dictionaries, nothing is drawn here."""

import numpy as np

from ..evidence.axes import columns, is_count
from ..evidence.words import axis_label
from ..study.views import drawable, panels_of
from . import order
from .options import axis_scale, finite, panel_options, read_table, running
from .style import method_styles, series_styles

FIRST_STEP = "budget ended in its first step"
ORDINARY_ENDS = {"budget", "iterations"}
#: The paper's methods have their full colour, so many at most; with more panels a figure has no small axes.
FULL_COLOUR, WITH_COMPANIONS = 6, 2
#: A curve has left its start, or is not yet at its end, by this share of what all of them span; a linear axis
#: of which more than half is flat ends at so many times the last move.
MOVED, FLAT = 0.02, 1.5
#: A method that ends within this share of its start value has made no progress.
MOTIONLESS = 1e-3


def figure_panels(figures, stem):
    """Panels of a figure as it is drawn: a grid, and one of many panels, has its own axes only, and whole."""
    figure = drawable(figures)[stem]
    panels = panels_of(figure, stem)
    bare = "grid" in figure or len(panels) > WITH_COMPANIONS
    return [panel | ({"also": [], "whole": True} if bare else {}) for panel in panels]


def panel_data(spec, stem, panel, tidy_dir, points=200):
    """Everything one panel shows, as plain data.

    Parameters
    ----------
    spec : dict
        The paper (methods, experiments, figures).
    stem, panel : str, dict
        The figure's name and one of its panels.
    tidy_dir : Path
        Folder with `<experiment>.csv`.
    points : int
        Length of the panel's own grid; those of the small axes have half as many.

    Returns
    -------
    dict
        `axes`: one dictionary per horizontal axis (the panel's own first) with `x` [points], `curves`, each
        `median, low, high` [points], NaN outside the run, and `references`; `methods`: style, end and note of
        each curve.
    """
    options, table, frame, methods = _read(spec, stem, panel, tidy_dir)
    methods.sort(key=lambda method: not order.of_paper(method, options["paper"]))
    first = sum(order.of_paper(method, options["paper"]) for method in methods)
    full = FULL_COLOUR if options["extra"] or not first else min(first, FULL_COLOUR)
    for method in methods[full:] if options["draw"] == "curves" else ():
        method["pale"] = True
    # The end of the longest run; one whose first step took the whole budget does not count.
    ends = [m["end_x"] for m in methods if m["seeds"]]
    whole = [m["end_x"] for m in methods if m["seeds"] and m["note"] != FIRST_STEP]
    options["x_max"] = options["x_max"] or max(whole or ends, default=None)
    own = {"name": options["x"], "label": options["x_label"], "scale": options["x_scale"]}
    axes = [_axis(frame, table, options, own, points)]
    may_end = own["scale"] == "linear" and options["draw"] == "curves"
    may_end &= not (panel.get("x_max") or panel.get("whole"))
    while may_end and (end := FLAT * _last_move(axes[0], options["y_scale"])) < 0.5 * axes[0]["x"][-1]:
        options = {"flat_to": float(axes[0]["x"][-1])} | options | {"x_max": end}
        axes = [_axis(frame, table, options, own, points)]
    aside = options | {"x_max": None, "reference": [line for line in options["reference"] if "x" not in line]}
    for name in options["also"]:
        small = {"name": name, "label": axis_label(name), "scale": axis_scale(name)}
        placed = frame.assign(x=frame[name]), table.assign(x=table[name])
        axes.append(_axis(*placed, aside, small, points // 2))
    return options | {"axes": axes, "methods": methods}


def panel_endings(spec, stem, panel, tidy_dir):
    """A panel's options, and where and how each of its methods ended, without its curves."""
    options, *_, methods = _read(spec, stem, panel, tidy_dir)
    return options | {"methods": methods}


def _read(spec, stem, panel, tidy_dir):
    """Options of a panel, its rows as they are and as they are drawn, and the end of each method."""
    options = panel_options(spec, stem, panel)
    table = read_table(tidy_dir, options, (spec.get("unit_costs") or {}).get(options["experiment"]))
    frame = running(table, options)
    styles = series_styles(spec["figures"], stem) if options["series"] else method_styles(spec)
    if "stand_in" in table:  # what the run really used decides: a user's own file lifts the stamp
        options["stand_in"] = bool(table["stand_in"].any())
    methods = [_ending(table, frame, name) | styles[name] for name in options["methods"]]
    options["order"] = order.in_words(options, frame, methods)
    return options, table, frame, methods


def heights(axis, y_scale) -> list:
    """The medians of an axis' curves as they are drawn; not finite where nothing is."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return [np.log10(c["median"]) if y_scale == "log" else c["median"] for c in axis["curves"]]


def _last_move(axis, y_scale):
    """The place after which every curve stays at its end. What diverges does not make the others flat."""
    drawn = [(at, y[at]) for y in heights(axis, y_scale) if (at := np.flatnonzero(np.isfinite(y))).size]
    span = np.ptp([value for _, y in drawn for value in (y[0], y.min())]) if drawn else 0.0
    moves = [at[np.abs(y - y[-1]) > MOVED * span] for at, y in drawn]
    return axis["x"][max((m[-1] + 1 for m in moves if m.size), default=-1)]


def _axis(frame, table, options, look, points):
    """Curves over one horizontal axis; its places are the column `x` of frame and table."""
    methods = options["methods"]
    drawn = frame[frame["method"].isin(methods)]
    each = dict(iter(drawn.groupby("method")))
    silent = [m for m in methods if is_count(look["name"]) and m in each and each[m]["x"].max() == 0]
    if options["draw"] == "points":
        grid, summary = np.unique(drawn["x"]), _at_places
    else:
        grid, summary = _grid(drawn["x"].to_numpy(float), look, options["x_max"], points), _held
    curves = [{"method": m, **summary(each[m], grid)} for m in methods if m in each and m not in silent]
    rows = table[table["method"].isin(methods)]
    lines = [
        line | (summary(finite(rows.assign(value=rows[line["column"]])), grid) if "column" in line else {})
        for line in options["reference"]
    ]
    return look | {"x": grid, "curves": curves, "silent": silent, "references": lines}


def _grid(values, look, x_max, points):
    """Places at which curves are told: geometric on a logarithmic axis; the recorded iterations, if few."""
    top = x_max or np.max(values, initial=0.0) or 1.0
    own = np.unique(values[values < top])
    if look["scale"] == "log":
        low = own[own > 0][0] if (own > 0).any() else top / 10
        return np.geomspace(low, top, points)
    if columns(look["name"]) == ["iteration"] and own.size < points - 1:
        return np.union1d(own, [0.0, top])
    return np.linspace(0.0, top, points)


def _at_places(frame, grid):
    """Median and quartiles over records and seeds at each place; NaN where there is none."""
    groups, shares = frame.groupby("x")["value"], {"median": 0.5, "low": 0.25, "high": 0.75}
    return {key: groups.quantile(share).reindex(grid).to_numpy(float) for key, share in shares.items()}


def _held(frame, grid):
    """Each run's value held until its next record, then median and quartiles over the runs.

    A run that ended keeps its last value as long as half of the runs go on; then the curve ends.
    """
    runs = []
    if not frame.empty:  # rows of a run are together; a page has a thousand runs, for which groupby is slow
        method, seed = frame["method"].to_numpy(), frame["seed"].to_numpy()
        cuts = np.flatnonzero((method[1:] != method[:-1]) | (seed[1:] != seed[:-1])) + 1
        parts = (np.split(frame[name].to_numpy(float), cuts) for name in ("x", "value"))
        runs = list(zip(*parts, strict=True))
    where = [np.searchsorted(x, grid, side="right") - 1 for x, _ in runs]
    held = np.array([np.where(at >= 0, y[at], np.nan) for at, (_, y) in zip(where, runs, strict=True)])
    begun = ~np.isnan(held).any(axis=0) & (grid <= np.median([x[-1] for x, _ in runs]))
    low, median, high = np.full((3, grid.size), np.nan)
    if begun.any():
        low[begun], median[begun], high[begun] = np.quantile(held[:, begun], [0.25, 0.5, 0.75], axis=0)
    return {"median": median, "low": low, "high": high}


def _ending(table, frame, method):
    """End and end status of a method's runs, with the note for the legend."""
    runs = frame[frame["method"] == method]
    if runs.empty:
        statuses = table.loc[table["method"] == method, "end_status"].tolist()
        last = "no data" if not statuses else "no value" if statuses[-1] in ORDINARY_ENDS else statuses[-1]
        return {"method": method, "seeds": 0, "status": None, "note": last}
    last = runs.drop_duplicates("seed", keep="last")
    status = str(last["end_status"].mode()[0])
    low, middle, high = (float(q) for q in np.quantile(last["value"], [0.25, 0.5, 0.75]))
    steps = int(last["iteration"].median())
    start = float(runs.drop_duplicates("seed")["value"].median())
    first_only = steps <= 1 and status == "budget"
    return {
        "method": method,
        "seeds": len(last),
        "status": status,
        "steps": steps,
        "end_x": float(last["x"].median()),
        "end": middle,
        "stuck": steps > 0 and abs(middle - start) <= MOTIONLESS * abs(start),
        "end_low": low,
        "end_high": high,
        "note": FIRST_STEP if first_only else "" if status in ORDINARY_ENDS else status,
    }
