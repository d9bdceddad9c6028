"""One figure of a paper: the paper's axes large, the same against oracle counts small beside them."""

import io
import math
import re
from pathlib import Path
from textwrap import fill

import matplotlib.style
from matplotlib.figure import Figure
from PIL import Image

from projfree.ground.names import require
from projfree.ground.sealed import atomic_write

from ..study.views import drawable
from . import legend
from .axes import draw_axes, limit, stamp
from .curves import WITH_COMPANIONS, figure_panels, panel_data
from .grid import EXTRA, compose_grid
from .legend import in_words
from .style import MPLSTYLE
from .values import short

WIDTH, ROW, HEAD, FOOT = 9.0, 3.4, 0.36, 0.26  # inches
TALL, NOTE = 8.0, 0.15  # inches: of a whole figure, 1,200 pixels; of a line about curves that coincide
MAIN_SHARE = 0.645  # of the width belongs to the main axes where companions are drawn
#: Left and right edge of the panels, one beside the other, for two a row.
EDGES = ((0.095, 0.985),), ((0.085, 0.485), (0.585, 0.985))
LEGEND_COLUMNS, LABEL = 3, 38  # fewer where a label has more letters
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
    words = _footer(spec, stem, provenance or {}), _reading(panels)
    with matplotlib.style.context(["default", str(MPLSTYLE)]):
        drawing = (compose_grid if "grid" in figure else compose)(panels, figure, *words)
        for output in outputs:
            _save(drawing, output, decimals=1 if "grid" in figure else 2)


def _save(drawing, output, decimals):
    """Write one file; an SVG's paths with so many decimals, a PNG with a palette, which halves it."""
    stream = io.BytesIO()
    drawing.savefig(stream, format=output.suffix[1:], metadata=FORMATS[output.suffix])
    content = stream.getvalue()
    if output.suffix == ".svg":
        content = re.sub(rb' d="[^"]*"', lambda path: _light(path[0], decimals), content)
    atomic_write(output, _with_palette(content) if output.suffix == ".png" else content)


def _light(path, decimals):
    """A path with fewer decimals, and one letter for a run of lines."""
    return re.sub(rb"(\.\d{%d})\d+" % decimals, rb"\1", path).replace(b" \nL ", b" ")


def _with_palette(content):
    """A PNG with 128 colours, without dithering: lines and bands look the same."""
    stream = io.BytesIO()
    image = Image.open(io.BytesIO(content)).convert("RGB")
    image.quantize(128, dither=Image.Dither.NONE).save(stream, format="png", optimize=True)
    return stream.getvalue()


def compose(panels, figure, footer, reading):
    """A matplotlib Figure of panels, one a row or two, with one legend for all below them."""
    found, notes = legend.entries(panels, ends=panels[0]["draw"] == "curves"), list(in_words(panels))
    columns = LEGEND_COLUMNS - (max(len(label) for _, label in found) > LABEL)
    foot = legend.height(found, columns) + FOOT + NOTE * len(notes)
    edges = EDGES[len(panels) > WITH_COMPANIONS]
    rows = math.ceil(len(panels) / len(edges))
    each = min(ROW, (TALL - HEAD - foot) / rows)
    height = HEAD + each * rows + foot
    drawing = Figure(figsize=(WIDTH, height))
    high = 1 - 0.24 / height
    drawing.text(0.012, high, figure.get("title", ""), fontsize=11.5, weight="bold", va="center")
    if figure.get("extra"):
        drawing.text(0.988, high, EXTRA, ha="right", va="center", size=8, weight="bold", color="#6A3D9A")
    for i, panel in enumerate(panels):
        top = height - HEAD - i // len(edges) * each
        heights = (top - each + 0.5) / height, (top - 0.3) / height
        _draw_row(drawing, panel, edges[i % len(edges)], heights)
    legend.draw_legend(drawing, found, foot / height, columns)
    drawing.text(0.988, 0.09 / height, footer, fontsize=6.5, color="#666666", ha="right")
    drawing.text(0.012, 0.09 / height, reading, fontsize=6.5, color="#666666")
    for i, note in enumerate(notes):
        drawing.text(0.012, (FOOT + NOTE * i) / height, short(note, 170), fontsize=7, color="#444444")
    return drawing


def _footer(spec, stem, provenance):
    parts = [spec["paper"], stem]
    parts += [f"{key} {str(provenance[key])[:12]}" for key in ("run", "commit") if provenance.get(key)]
    return " · ".join(parts)


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


def _label(axes, label, inches):
    """The label of a vertical axis, small and in lines if it is longer than the axis."""
    if len(label) > LETTERS * inches:
        axes.set_ylabel(fill(label, int(9 / SMALL * LETTERS * inches)), size=SMALL)
    else:
        axes.set_ylabel(label)


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
    _label(axes, label, (ceiling - bottom) * drawing.get_figheight())
    stamp(axes, panel, size=40 * (right - left))
    gap = 0.52 / drawing.get_figheight()
    each = (ceiling - bottom - gap * (len(companions) - 1)) / max(len(companions), 1)
    for i, axis in enumerate(companions):
        low = ceiling - (i + 1) * each - i * gap
        small = drawing.add_axes((edge + 0.075, low, right - edge - 0.075, each), sharey=axes)
        draw_axes(small, panel, axis, main=False)
        stamp(small, panel, size=17)
