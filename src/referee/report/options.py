"""Options of one panel of a figure, with every default filled in."""

from itertools import cycle

from projfree.ground.names import require

from ..evidence.axes import is_count, limit_on
from ..evidence.words import axis_label
from ..study.grids import drawable, methods_in
from ..study.models.experiment import Budget
from ..study.models.figure import Figure, Panel
from .style import REFERENCE_DASHES


def panel_options(spec, stem, panel):
    """A panel's entry with every default filled in; unknown names raise and list the known ones."""
    figure = drawable(spec["figures"])[stem]
    asked = Panel(**{key: value for key, value in panel.items() if key in Panel.model_fields})
    require([asked.experiment], spec["experiments"], "experiment", stem)
    experiment = spec["experiments"][asked.experiment]
    rows = asked.methods or experiment["methods"]
    require(rows, methods_in(spec, asked.experiment), "method", stem)
    return {
        "name": asked.name,
        "experiment": asked.experiment,
        "title": asked.title or experiment.get("title", ""),
        "note": experiment.get("note") or "",
        "stand_in": bool(experiment.get("stand_in")),
        "dataset": experiment.get("dataset") or _source(spec, experiment).get("dataset"),
        "rows": list(rows),
        "methods": list(asked.series or rows),
        "draw": asked.draw,
        "components": asked.components,
        "also": _companions(figure, asked),
        "reference": [
            line.plain() | {"dash": dash} for line, dash in zip(asked.reference, cycle(REFERENCE_DASHES))
        ],
        **_horizontal(asked, experiment.get("budget") or {}),
        **_vertical(asked, stem),
    }


def _source(spec, experiment):
    """The experiment whose instance this one shares."""
    return spec["experiments"].get(experiment.get("instance_of"), {})


def _companions(figure, panel):
    """Small axes: the panel's own, else the figure's; points have none unless they ask."""
    usual = [] if panel.draw == "points" else figure.get("also", Figure.model_fields["also"].default)
    return list(usual if panel.also is None else panel.also)


def _horizontal(panel, budget):
    x = panel.x if panel.x_divide == 1 else f"{panel.x}/{panel.x_divide:g}"
    return {
        "x": x,
        "x_label": panel.x_label or axis_label(x),
        "x_scale": panel.x_scale or axis_scale(x),
        "x_max": panel.x_max or limit_on(Budget(**budget), x),
    }


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
