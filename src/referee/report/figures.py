"""One figure of a paper: the paper's axes large, the same against oracle counts small beside them."""

import io
import math
import re
from pathlib import Path
from textwrap import fill, wrap

from matplotlib.figure import Figure
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from projfree.common.atomic_io import atomic_write
from projfree.common.names import require

from ..study.views import drawable
from . import legend
from .axes import draw_axes, limit, stamp
from .curves import WITH_COMPANIONS, figure_panels, panel_data
from .legend import in_words
from .style import figure_style
from .values import short

WIDTH, ROW, HEAD, FOOT = 9.0, 3.4, 0.36, 0.26  # inches
TALL, NOTE = 8.0, 0.15  # inches: of a whole figure, 1,200 pixels; of a line about curves that coincide
MAIN_SHARE = 0.645  # of the width belongs to the main axes where companions are drawn
#: Left and right edge of the panels, one beside the other, for two a row.
EDGES = ((0.095, 0.985),), ((0.085, 0.485), (0.585, 0.985))
SAID, WIDE = 0.155, 140  # inches and letters of a line on the order of the curves
LEGEND_COLUMNS, LABEL = 3, 38  # fewer where a label has more letters
TITLE = 66  # letters of a title next to the word EXTRA; a longer one is smaller
LETTERS, SMALL = 15, 7.5  # of a vertical axis' label an inch, at size 9; its size if it needs two lines
FORMATS = {
    ".svg": {"Date": None, "Creator": None},
    ".pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    ".png": {"Software": None},
}


def draw(spec, stem, tidy_dir, outputs, provenance=None):
    """Draw one figure of a paper from tidy tables.

    Parameters
    ----------
    spec : dict
        The paper's resolved configuration: `methods`, `experiments`, `figures`.
    stem : str
        The figure's name, a key of `spec["figures"]`; or that of one panel, drawn as a figure of its own.
    tidy_dir : Path
        Folder of the paper's tidy tables, `<experiment>.csv`.
    outputs : list of Path
        Files to write; the suffix (.svg, .pdf, .png) is the format. Same input, same bytes.
    provenance : dict, optional
        `run` and `commit`, printed small in the footer.
    """
    outputs = [Path(output) for output in outputs]
    figures = drawable(spec["figures"])
    require([stem], figures, "figure")
    figure = figures[stem]
    for output in outputs:
        if output.suffix not in FORMATS:
            raise ValueError(f"{output}: unknown format; known: {', '.join(FORMATS)}")
    panels = [panel_data(spec, stem, panel, tidy_dir) for panel in figure_panels(spec["figures"], stem)]
    origin = provenance or {}
    parts = [spec["paper"], stem]
    parts += [f"{key} {str(origin[key])[:12]}" for key in ("run", "commit") if origin.get(key)]
    words = " · ".join(filter(None, [*parts, origin.get("taken")])), _reading(panels)
    with figure_style():
        drawing = (compose_grid if "grid" in figure else compose)(panels, figure, *words)
        for output in outputs:
            _save(drawing, output, words[0], decimals=1 if "grid" in figure else 2)


def _save(drawing, output, footer, decimals):
    """Write one file; an SVG's paths with so many decimals, a PNG with a palette, which halves it.

    It is known as ours by its footer, all but the commit: as text in an SVG, else as the file's title.
    """
    stream, work = io.BytesIO(), footer.partition(" · commit")[0]
    title = work.replace("·", "-")
    about = FORMATS[output.suffix] | ({} if output.suffix == ".svg" else {"Title": title})
    drawing.savefig(stream, format=output.suffix[1:], metadata=about)
    content = stream.getvalue()
    if output.suffix == ".svg":
        longer = rb"(\.\d{%d})\d+" % decimals  # and one letter for a run of lines
        content = re.sub(
            rb' d="[^"]*"', lambda d: re.sub(longer, rb"\1", d[0]).replace(b" \nL ", b" "), content
        )
    if output.suffix == ".png":
        image, info, stream = Image.open(io.BytesIO(content)).convert("RGB"), PngInfo(), io.BytesIO()
        info.add_text("Title", title)  # 128 colours without dithering: lines and bands look the same
        image.quantize(128, dither=Image.Dither.NONE).save(stream, "png", optimize=True, pnginfo=info)
        content = stream.getvalue()
    mark = rf"(?s:.*)({re.escape(work)}|{re.escape(title)})(?![\w@.-])"
    atomic_write(output, content, mark.encode())


def compose(panels, figure, footer, reading):
    """A matplotlib Figure of panels, one a row or two, with one legend for all below them."""
    labelled, notes = legend.entries(panels, ends=panels[0]["draw"] == "curves"), in_words(panels)
    columns = LEGEND_COLUMNS - (max(len(label) for _, label in labelled) > LABEL)
    foot = legend.height(labelled, columns) + FOOT + NOTE * len(notes)
    edges = EDGES[len(panels) > WITH_COMPANIONS]
    rows = math.ceil(len(panels) / len(edges))
    orders = _orders(panels)
    head = HEAD + (SAID * len(orders) + 0.06 if orders else 0)
    each = min(ROW, (TALL - head - foot) / rows)
    height = head + each * rows + foot
    drawing = Figure(figsize=(WIDTH, height))
    high = 1 - 0.24 / height
    for i, line in enumerate(orders):
        drawing.text(0.012, 1 - (0.45 + SAID * i) / height, line, fontsize=8, va="center")
    title = figure.get("title", "")
    size = min(11.5, 11.5 * TITLE / len(title)) if figure.get("extra") and title else 11.5
    drawing.text(0.012, high, title, fontsize=size, weight="bold", va="center")
    if figure.get("extra"):
        drawing.text(0.988, high, EXTRA, ha="right", va="center", size=8, weight="bold", color="#6A3D9A")
    for i, panel in enumerate(panels):
        top = height - head - i // len(edges) * each
        heights = (top - each + 0.5) / height, (top - 0.3) / height
        _draw_row(drawing, panel, edges[i % len(edges)], heights)
    legend.draw_legend(drawing, labelled, foot / height, columns)
    drawing.text(0.988, 0.09 / height, footer, fontsize=6.5, color="#666666", ha="right")
    drawing.text(0.012, 0.09 / height, reading, fontsize=6.5, color="#666666")
    for i, note in enumerate(notes):
        drawing.text(0.012, (FOOT + NOTE * i) / height, short(note, 170), fontsize=7, color="#444444")
    return drawing


def _orders(panels):
    """Lines on the order of the curves, in the paper and here, the panel named where there are several."""
    lines = {}
    for panel in panels:
        if panel["order"]:
            words = f"Paper: {panel['order']['paper']}. Here: {panel['order']['here']}."
            lines.setdefault(words, panel["title"])
    named = len(lines) > 1
    return [
        part
        for words, title in lines.items()
        for part in wrap(f"{title.partition(' ')[0]} {words}" if named else words, WIDE)
    ]


def _reading(panels):
    """A small note on how to read the lines."""
    best = {"best": "running best", "current": "current value"}
    curves = [panel for panel in panels if panel["draw"] == "curves"]
    kinds = " / ".join(dict.fromkeys(best[p["running"]] for p in curves))
    parts = [f"medians and quartiles over seeds, {kinds}"] if curves else []
    parts += ["points: median and quartiles over records and seeds"] if len(curves) < len(panels) else []
    parts += ["numbers: ends of the first panel"] if panels[0]["draw"] == "curves" else []
    roles = "solid: paper, dashed: strong, dotted: extra"
    return "; ".join(parts + ([roles] if any(not p["series"] for p in panels) else []))


def _draw_row(drawing, panel, edges, heights):
    """The main axes left and the companions, one above the other, right."""
    main, *companions = panel["axes"]
    (left, right), (bottom, ceiling) = edges, heights
    edge = MAIN_SHARE if companions else right
    axes = drawing.add_axes((left, bottom, edge - left, ceiling - bottom))
    draw_axes(axes, panel, main, main=True)
    limit(axes, [panel])
    axes.set_title(panel["title"], loc="left", color="#333333", size=9.5)
    label = panel["y_label"] + (" (log)" if panel["y_scale"] == "log" else "")
    line = LETTERS * (ceiling - bottom) * drawing.get_figheight()
    if len(label) > line:
        axes.set_ylabel(fill(label, int(9 / SMALL * line)), size=SMALL)
    else:
        axes.set_ylabel(label)
    stamp(axes, panel, size=40 * (right - left))
    gap = 0.52 / drawing.get_figheight()
    each = (ceiling - bottom - gap * (len(companions) - 1)) / max(len(companions), 1)
    for i, axis in enumerate(companions):
        low = ceiling - (i + 1) * each - i * gap
        small = drawing.add_axes((edge + 0.075, low, right - edge - 0.075, each), sharey=axes)
        draw_axes(small, panel, axis, main=False)
        stamp(small, panel, size=17)


# --- a figure of many small panels: rows times columns, labels at the edges where they are shared -----------

GRID_WIDTH, CELL = 13.0, 2.05  # inches; a cell's height
GRID_HEAD, GRID_LABELS, GRID_FOOT = 0.62, 0.5, 0.28
GRID_LEGEND, LABEL_WIDTH = 5, 24  # a label's width in letters
EXTRA = "EXTRA – not in the paper"  # on top of a figure that is ours


def compose_grid(panels, figure, footer, reading):
    """A matplotlib Figure of a grid's panels, given row by row, with one legend for all below them."""
    labelled = legend.entries(panels)
    columns = min(GRID_LEGEND, len(labelled))
    foot = legend.height(labelled, columns) + GRID_FOOT
    height = GRID_HEAD + CELL * len(figure["grid"]["rows"]) + GRID_LABELS + foot
    drawing = Figure(figsize=(GRID_WIDTH, height))
    high, low = 1 - 0.2 / height, 0.09 / height
    drawing.text(0.01, high, figure.get("title", ""), fontsize=13, weight="bold", va="center")
    if figure.get("extra"):
        look = {"size": 10, "weight": "bold", "color": "#6A3D9A"}
        drawing.text(0.99, high, EXTRA, ha="right", va="center", **look)
    top, bottom = 1 - GRID_HEAD / height, (GRID_LABELS + foot) / height
    edges = {"left": 0.066, "right": 0.99, "top": top, "bottom": bottom}
    _draw_cells(drawing, panels, figure["grid"], edges)
    legend.draw_legend(drawing, labelled, foot / height, columns, fontsize=9.5, columnspacing=1.6)
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
            labelled = i == len(table) - 1 or not share_x[j]
            axes.tick_params(labelbottom=labelled)
            if not labelled:
                axes.set_xlabel("")
            label = fill(panel["y_label"] + (" (log)" if panel["y_scale"] == "log" else ""), LABEL_WIDTH)
            label = "\n".join(filter(None, [grid["rows"][i].get("title"), label]))
            axes.set_ylabel(label if j == 0 or not _same(row, "y_label") else "", fontsize=9)
            axes.tick_params(labelleft=j == 0 or not share_y[i])
            if i == 0:
                axes.set_title(grid["columns"][j].get("title", ""), color="#333333", size=10.5)
            if not share_y[i]:
                limit(axes, [panel])
        if share_y[i]:
            limit(cells[i, 0], row)
    for j in [j for j in range(across) if share_x[j]]:  # rows may begin or end a little apart: all of each
        ends = [row[j]["axes"][0]["x"][[0, -1]] for row in table if row[j]["draw"] == "curves"]
        if ends and min(e[0] for e in ends) < max(e[1] for e in ends):
            cells[0, j].set_xlim(min(e[0] for e in ends), max(e[1] for e in ends))


def _same(panels, *keys):
    return len({tuple(panel[key] for key in keys) for panel in panels}) == 1
