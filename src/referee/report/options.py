"""What one panel of a figure asks for, every default filled in."""

from itertools import cycle

from projfree.ground.names import require

from ..evidence.axes import is_count, limit_on
from ..evidence.words import axis_label
from ..study.grids import drawable, methods_in
from ..study.models.experiment import Budget
from .style import REFERENCE_DASHES


def panel_options(spec, stem, panel):
    """A panel's entry with every default filled in; unknown names raise and list the known ones."""
    figure = drawable(spec["figures"])[stem]
    name = panel.get("experiment")
    require([name], spec["experiments"], "experiment", stem)
    experiment = spec["experiments"][name]
    rows = panel.get("methods") or experiment["methods"]
    require(rows, methods_in(spec, name), "method", stem)
    return {
        "name": panel.get("name"),
        "experiment": name,
        "title": panel.get("title") or experiment.get("title", ""),
        "note": experiment.get("note") or "",
        "stand_in": bool(experiment.get("stand_in")),
        "dataset": experiment.get("dataset") or _source(spec, experiment).get("dataset"),
        "rows": list(rows),
        "methods": list(panel.get("series") or rows),
        "draw": _one_of(panel.get("draw", "curves"), ("curves", "points"), "way of drawing", stem),
        "components": panel.get("components") or experiment.get("n"),
        "also": _companions(figure, panel),
        "reference": [
            line | {"dash": dash} for line, dash in zip(panel.get("reference", []), cycle(REFERENCE_DASHES))
        ],
        **_horizontal(panel, experiment.get("budget") or {}),
        **_vertical(panel, stem),
    }


def _one_of(name, known, kind, where):
    require([name], known, kind, where)
    return name


def _source(spec, experiment):
    """The experiment whose instance this one shares."""
    return spec["experiments"].get(experiment.get("instance_of"), {})


def _companions(figure, panel):
    """Small axes: the panel's own, else the figure's, else two counts; points have none unless they ask."""
    usual = [] if panel.get("draw") == "points" else figure.get("also", ["IFO", "LO"])
    return list(panel.get("also", usual))


def _horizontal(panel, budget):
    x = panel.get("x", "cpu_seconds")
    x += f"/{panel['x_divide']:g}" if "x_divide" in panel else ""
    return {
        "x": x,
        "x_label": panel.get("x_label", axis_label(x)),
        "x_scale": panel.get("x_scale", axis_scale(x)),
        "x_max": panel.get("x_max") or limit_on(Budget(**budget), x),
    }


def axis_scale(name):
    """Counts are logarithmic: their ranges differ by orders of magnitude between methods."""
    return "log" if is_count(name) else "linear"


def _vertical(panel, stem):
    y, series, excess = panel.get("y"), panel.get("series", {}), bool(panel.get("excess"))
    if bool(y) == bool(series) or (series and (excess or "y_label" not in panel)):
        raise ValueError(f"a panel of {stem} needs `y`, or `series` with `y_label` and without `excess`")
    label = axis_label(y) if y else ""
    return {
        "y": y,
        "series": dict(series),
        "y_label": panel.get("y_label", f"{label} − best found" if excess else label),
        "y_scale": panel.get("y_scale", "log" if excess else "linear"),
        "excess": excess,
        "running": _one_of(panel.get("running", "current"), ("best", "current"), "running value", stem),
    }
