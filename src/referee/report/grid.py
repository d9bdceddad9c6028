"""A figure of many small panels: rows times columns, labels at the edges where they are shared."""

from textwrap import fill

from matplotlib.figure import Figure

from . import legend
from .axes import draw_axes, limit, stamp

WIDTH, CELL = 13.0, 2.05  # inches; a cell's height
HEAD, LABELS, FOOT = 0.62, 0.5, 0.28
LEGEND_COLUMNS, LABEL_WIDTH = 5, 24  # a label's width in letters
EXTRA = "EXTRA – not in the paper"  # on top of a figure that is ours


def compose_grid(panels, figure, footer, reading):
    """A matplotlib Figure of a grid's panels, given row by row, with one legend for all below them."""
    found = legend.entries(panels)
    columns = min(LEGEND_COLUMNS, len(found))
    foot = legend.height(found, columns) + FOOT
    height = HEAD + CELL * len(figure["grid"]["rows"]) + LABELS + foot
    drawing = Figure(figsize=(WIDTH, height))
    high, low = 1 - 0.2 / height, 0.09 / height
    drawing.text(0.01, high, figure.get("title", ""), fontsize=13, weight="bold", va="center")
    if figure.get("extra"):
        look = {"size": 10, "weight": "bold", "color": "#6A3D9A"}
        drawing.text(0.99, high, EXTRA, ha="right", va="center", **look)
    edges = {"left": 0.066, "right": 0.99, "top": 1 - HEAD / height, "bottom": (LABELS + foot) / height}
    _draw_cells(drawing, panels, figure["grid"], edges)
    legend.draw_legend(drawing, found, foot / height, columns, fontsize=9.5, columnspacing=1.6)
    drawing.text(0.99, low, footer, fontsize=7.5, color="#666666", ha="right")
    drawing.text(0.01, low, reading, fontsize=7.5, color="#666666")
    return drawing


def _draw_cells(drawing, panels, grid, edges):
    """All cells; rows share their vertical axis and columns their horizontal one where both mean the same."""
    across = len(grid["columns"])
    table = [panels[i : i + across] for i in range(0, len(panels), across)]
    share_y = [grid.get("share_y", True) and _same(row, "y_label", "y_scale") for row in table]
    share_x = [_same(column, "x_label", "x_scale") for column in zip(*table, strict=True)]
    space = {"wspace": 0.09 if all(share_y) else 0.32, "hspace": 0.14 if all(share_x) else 0.46}
    place, cells = drawing.add_gridspec(len(table), across, **edges, **space), {}
    for i, row in enumerate(table):
        for j, panel in enumerate(row):
            shared = {"sharex": cells.get((0, j)) if share_x[j] else None}
            shared["sharey"] = cells.get((i, 0)) if share_y[i] else None
            axes = cells[i, j] = drawing.add_subplot(place[i, j], **shared)
            draw_axes(axes, panel, panel["axes"][0], main=True, compact=True)
            stamp(axes, panel, size=17)
            _keep_bottom(axes, i == len(table) - 1 or not share_x[j])
            _keep_left(
                axes, panel, grid["rows"][i], j == 0 or not _same(row, "y_label"), j == 0 or not share_y[i]
            )
            if i == 0:
                axes.set_title(grid["columns"][j].get("title", ""), color="#333333", size=10.5)
            if not share_y[i]:
                limit(axes, [panel])
        if share_y[i]:
            limit(cells[i, 0], row)
    for j in [j for j in range(across) if share_x[j]]:
        _join_ends(cells[0, j], [row[j] for row in table])


def _same(panels, *keys):
    return len({tuple(panel[key] for key in keys) for panel in panels}) == 1


def _keep_bottom(axes, labelled):
    if not labelled:
        axes.set_xlabel("")
    axes.tick_params(labelbottom=labelled)


def _keep_left(axes, panel, row, labelled, numbered):
    """The row's title and the vertical axis' label, and its numbers, where they are wanted."""
    label = fill(panel["y_label"] + (" (log)" if panel["y_scale"] == "log" else ""), LABEL_WIDTH)
    axes.set_ylabel("\n".join(filter(None, [row.get("title"), label])) if labelled else "", fontsize=9)
    axes.tick_params(labelleft=numbered)


def _join_ends(axes, panels):
    """A column whose rows begin or end a little apart shows all of each."""
    ends = [p["axes"][0]["x"][[0, -1]] for p in panels if p["draw"] == "curves"]
    if ends and min(e[0] for e in ends) < max(e[1] for e in ends):
        axes.set_xlim(min(e[0] for e in ends), max(e[1] for e in ends))
