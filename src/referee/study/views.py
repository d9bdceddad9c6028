"""Panels of figures, and the part of a paper that shows some of them."""

from .validation import lookup


def panels_of(figure, stem):
    """Panels of a figure of a paper's file, a grid's written out.

    Parameters
    ----------
    figure : dict
        An entry of `figures`, with `panels` or with `grid` (`rows`, `columns` and, for all, `cells`).
    stem : str
        The figure's name.

    Returns
    -------
    list of dict
        A grid's cells row by row, called `<stem>-<row>-<column>`: options of `cells`, then of the row, then
        of the column, of which the later wins; titles of row and column are joined.
    """
    grid = figure.get("grid")
    if not grid:
        return figure["panels"]
    shared = grid.get("cells", {})
    return [shared | _cell(stem, row, column) for row in grid["rows"] for column in grid["columns"]]


def drawable(figures):
    """All that can be drawn by name: every figure, and every named panel as a figure of its own."""
    every = dict(figures)
    for stem, figure in figures.items():
        common = {key: value for key, value in figure.items() if key not in ("grid", "panels")}
        for panel in panels_of(figure, stem):
            if "name" in panel:
                every.setdefault(panel["name"], common | {"panels": [panel]})
    return every


def methods_in(spec, experiment):
    """The paper's methods, and those that only this experiment defines."""
    return {**spec["methods"], **spec["experiments"][experiment].get("define", {})}


def _cell(stem, row, column):
    titles = [side["title"] for side in (row, column) if side.get("title")]
    title = {"title": ", ".join(titles)} if titles else {}
    return row | column | title | {"name": f"{stem}-{row['name']}-{column['name']}"}


def shown_in(figures: dict) -> set[str]:
    """Experiments in the panels of some figures."""
    panels = (panel for name, figure in figures.items() for panel in panels_of(figure, name))
    return {panel["experiment"] for panel in panels}


def on_figures(spec: dict, names, where) -> dict:
    """The part of a paper that shows some figures: their experiments, and what is open in these."""
    figures = {name: lookup(spec["figures"], name, "figure", where) for name in names}
    shown = shown_in(figures)
    shown |= {spec["experiments"][name].get("instance_of", name) for name in shown}
    experiments = {name: values for name, values in spec["experiments"].items() if name in shown}
    register = [
        {**entry, "figures": remaining}
        for entry in spec.get("deviations", [])
        if (remaining := [name for name in entry.get("figures", []) if name in figures])
    ]
    known = {entry["id"] for entry in register}
    for name, figure in figures.items():
        if "deviations" in figure:
            figures[name] = figure | {"deviations": [d for d in figure["deviations"] if d in known]}
    shared = dict(spec.get("alternatives", {}))
    if "experiments" in shared:
        shared["experiments"] = [name for name in shared["experiments"] if name in shown]
    if "without" in shared:
        shared["without"] = {n: why for n, why in shared["without"].items() if n.partition("-")[0] in known}
    part = {"figures": figures, "experiments": experiments, "deviations": register, "tables": {}}
    return {**spec, **part, "alternatives": shared}
