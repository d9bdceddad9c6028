"""One figure of a paper: the paper's axes large, the same against oracle counts small beside them."""

import io
import math
import re
from pathlib import Path

import matplotlib.style
import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from PIL import Image

from .curves import panel_data
from .style import MPLSTYLE

WIDTH, ROW, HEAD, FOOT, LEGEND_LINE = 9.0, 3.75, 0.36, 0.26, 0.185  # inches
MAIN_SHARE = 0.645  # of the width belongs to the main axes where companions are drawn
LEGEND_COLUMNS = 3
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
        The figure's name, a key of `spec["figures"]`.
    tidy_dir : Path
        Folder of the paper's tidy tables, `<experiment>.csv`.
    outputs : list of Path
        Files to write; the suffix (.svg, .pdf, .png) is the format. Same input, same bytes.
    provenance : dict, optional
        `run` and `commit`, printed small in the footer.
    """
    outputs = [Path(output) for output in outputs]
    if stem not in spec["figures"]:
        raise ValueError(f"unknown figure {stem!r}; known: {', '.join(spec['figures'])}")
    for output in outputs:
        if output.suffix not in FORMATS:
            raise ValueError(f"{output}: unknown format; known: {', '.join(FORMATS)}")
    figure = spec["figures"][stem]
    panels = [panel_data(spec, stem, panel, tidy_dir) for panel in figure["panels"]]
    with matplotlib.style.context(["default", str(MPLSTYLE)]):
        drawing = compose(panels, figure, _footer(spec, stem, provenance or {}))
        for output in outputs:
            output.parent.mkdir(parents=True, exist_ok=True)
            _save(drawing, output)


def _save(drawing, output):
    """Write one file; an SVG's paths to a hundredth of a point, a PNG with a palette, which halves them."""
    stream = io.BytesIO()
    drawing.savefig(stream, format=output.suffix[1:], metadata=FORMATS[output.suffix])
    content = stream.getvalue()
    if output.suffix == ".svg":
        content = re.sub(rb' d="[^"]*"', lambda path: re.sub(rb"(\.\d\d)\d+", rb"\1", path[0]), content)
    output.write_bytes(_with_palette(content) if output.suffix == ".png" else content)


def _with_palette(content):
    """A PNG with 128 colours, without dithering: lines and bands look the same."""
    stream = io.BytesIO()
    image = Image.open(io.BytesIO(content)).convert("RGB")
    image.quantize(128, dither=Image.Dither.NONE).save(stream, format="png", optimize=True)
    return stream.getvalue()


def compose(panels, figure, footer):
    """A matplotlib Figure of panels, one row each, with one legend for all below them."""
    methods = {m["method"]: m for panel in reversed(panels) for m in panel["methods"]}
    order = dict.fromkeys(m["method"] for panel in panels for m in panel["methods"])
    legend = LEGEND_LINE * math.ceil(len(order) / LEGEND_COLUMNS) + 0.12
    height = HEAD + ROW * len(panels) + legend + FOOT
    drawing = Figure(figsize=(WIDTH, height))
    drawing.text(0.012, 1 - 0.24 / height, figure.get("title", ""), fontsize=11.5, weight="bold", va="center")
    for row, panel in enumerate(panels):
        _draw_row(drawing, panel, height, top=height - HEAD - row * ROW, extra=figure.get("extra", False))
    _draw_legend(drawing, [methods[name] for name in order], (FOOT + legend) / height)
    drawing.text(0.988, 0.09 / height, footer, fontsize=6.5, color="#666666", ha="right")
    drawing.text(0.012, 0.09 / height, _reading(panels), fontsize=6.5, color="#666666")
    return drawing


def _footer(spec, stem, provenance):
    parts = [spec["paper"], stem]
    parts += [f"{key} {str(provenance[key])[:12]}" for key in ("run", "commit") if provenance.get(key)]
    return " · ".join(parts)


def _reading(panels):
    """How to read the lines, in small print."""
    best = {"best": "running best", "current": "current value"}
    kinds = " / ".join(dict.fromkeys(best[p["running"]] for p in panels))
    return f"median over seeds and interquartile band, {kinds}; solid: paper, dashed: strong, dotted: extra"


def _draw_row(drawing, panel, height, top, extra):
    """The main axes left and the companions, one above the other, right."""
    main, *companions = panel["axes"]
    bottom, ceiling = (top - ROW + 0.5) / height, (top - 0.3) / height
    left, right = 0.075, 0.985
    edge = MAIN_SHARE if companions else right
    axes = drawing.add_axes((left, bottom, edge - left, ceiling - bottom))
    _draw_axes(axes, panel, main, main=True)
    axes.set_title(panel["title"], loc="left", color="#333333", size=9.5)
    axes.set_ylabel(panel["y_label"] + (" (log)" if panel["y_scale"] == "log" else ""))
    _stamp(axes, panel, extra, size=40)
    gap = 0.52 / height
    each = (ceiling - bottom - gap * (len(companions) - 1)) / max(len(companions), 1)
    for i, axis in enumerate(companions):
        low = ceiling - (i + 1) * each - i * gap
        small = drawing.add_axes((edge + 0.075, low, right - edge - 0.075, each), sharey=axes)
        _draw_axes(small, panel, axis, main=False)
        _stamp(small, panel, extra=False, size=17)


def _draw_axes(axes, panel, axis, main):
    """All curves of a panel against one horizontal axis."""
    styles = {m["method"]: m for m in panel["methods"]}
    for i, curve in enumerate(axis["curves"]):
        _draw_curve(axes, axis, curve, styles[curve["method"]], offset=i, main=main)
    axes.set_xscale(axis["scale"])
    axes.set_yscale(panel["y_scale"])
    axes.set_xlabel(axis["label"], fontsize=9 if main else 8)
    axes.tick_params(labelsize=8 if main else 7)
    axes.set_xlim(axis["x"][0], axis["x"][-1])
    if main:
        (_limit_to_start if panel["y_scale"] == "linear" else _limit_before_end)(axes, axis["curves"])
    if not main:
        _draw_silent(axes, [styles[name]["label"] for name in axis["silent"]], axis["name"])


def _draw_curve(axes, axis, curve, style, offset, main):
    """Band, line and sparse markers; a curve that ends inside the axes ends in a ring."""
    x, median = axis["x"], curve["median"]
    shown = np.flatnonzero(np.isfinite(median))
    if not shown.size:
        return
    at, colour, end = _corners(curve, shown), style["colour"], shown[-1]
    line = {"color": colour, "linestyle": style["dash"], "drawstyle": "steps-post"}
    if not main:
        axes.plot(x[at], median[at], **line, lw=1.2)
        return
    axes.fill_between(x[at], curve["low"][at], curve["high"][at], step="post", color=colour, alpha=0.13, lw=0)
    axes.plot(
        x[at], median[at], **line, marker=style["marker"], markevery=(0.02 + 0.025 * (offset % 6), 0.16)
    )
    if x[end] < 0.97 * x[-1]:
        axes.plot(
            x[end], median[end], "o", color=colour, mfc="white", mew=1.5, ms=6.5, clip_on=False, zorder=5
        )


def _corners(curve, shown):
    """The grid points at which a step function changes, and its ends: same drawing, smaller file."""
    numbers = np.array([curve[key][shown] for key in ("median", "low", "high")])
    changes = np.any(numbers[:, 1:] != numbers[:, :-1], axis=0)
    keep = np.concatenate([[True], changes])
    keep[-1] = True
    return shown[keep]


def _limit_to_start(axes, curves):
    """On a linear scale a diverging method must not flatten the others: the start is the top."""
    starts = [c["median"][np.isfinite(c["median"])][:1] for c in curves]
    values = np.concatenate(
        [c[k][np.isfinite(c[k])] for c in curves for k in ("low", "median")] or [np.array([])]
    )
    if not values.size:
        return
    top, bottom = np.concatenate(starts).max(), values.min()
    if top > bottom:
        axes.set_ylim(bottom - 0.04 * (top - bottom), top + 0.06 * (top - bottom))


def _limit_before_end(axes, curves):
    """On a log scale the best curve's last fall, to its own final value, must not flatten the others."""
    late = [c["median"][np.isfinite(c["median"])] for c in curves]
    low = min((m[int(0.9 * (m.size - 1))] for m in late if m.size), default=0.0)
    high = max((m[0] for m in late if m.size), default=0.0)
    if 0 < low < high:
        axes.set_ylim(0.4 * low, max(high, *(m.max() for m in late if m.size)) * 1.6)


def _draw_silent(axes, labels, name):
    """Name the methods that never call this oracle."""
    if labels:
        text = f"no {name}: " + ", ".join(labels)
        axes.text(0.03, 0.05, text, transform=axes.transAxes, fontsize=6.5, color="#555555")


def _stamp(axes, panel, extra, size):
    """STAND-IN across the axes where the data are not the paper's; EXTRA above where the figure is not."""
    if panel["stand_in"]:
        middle = {"ha": "center", "va": "center", "rotation": 20, "weight": "bold", "zorder": 0.9}
        axes.text(
            0.5, 0.5, "STAND-IN", transform=axes.transAxes, **middle, size=size, color="#B00020", alpha=0.2
        )
    if extra:
        corner = {"ha": "right", "va": "bottom", "size": 8, "weight": "bold", "color": "#6A3D9A"}
        axes.text(1, 1.025, "EXTRA – not in the paper", transform=axes.transAxes, **corner)


def _draw_legend(drawing, methods, top):
    """One entry a method, read row by row; notes on ends stand behind the label."""
    by_column = [methods[i] for c in range(LEGEND_COLUMNS) for i in range(c, len(methods), LEGEND_COLUMNS)]
    handles = [Line2D([], [], color=m["colour"], linestyle=m["dash"], marker=m["marker"]) for m in by_column]
    labels = [m["label"] + (f": {m['note']}" if m["note"] else "") for m in by_column]
    drawing.legend(
        handles,
        labels,
        loc="upper left",
        bbox_to_anchor=(0.06, top, 0.925, 0),
        ncols=LEGEND_COLUMNS,
        columnspacing=2.4,
        handlelength=3.4,
        borderaxespad=0,
        borderpad=0,
    )
