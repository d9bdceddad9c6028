"""The panels of a figure: listed one by one, or as the rows times the columns of a grid."""


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
    found = dict(figures)
    for stem, figure in figures.items():
        common = {key: value for key, value in figure.items() if key not in ("grid", "panels")}
        for panel in panels_of(figure, stem):
            if "name" in panel:
                found.setdefault(panel["name"], common | {"panels": [panel]})
    return found


def methods_in(spec, experiment):
    """The paper's methods, and those that only this experiment defines."""
    return {**spec["methods"], **spec["experiments"][experiment].get("define", {})}


def _cell(stem, row, column):
    titles = [side["title"] for side in (row, column) if side.get("title")]
    title = {"title": ", ".join(titles)} if titles else {}
    return row | column | title | {"name": f"{stem}-{row['name']}-{column['name']}"}
