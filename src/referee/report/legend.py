"""One legend for all panels of a figure: methods, ends, reference lines; what is said below the axes."""

import math
from collections import Counter

import numpy as np
from matplotlib.lines import Line2D

from .axes import PALE, span_of
from .curves import heights
from .values import superscript, text

#: Curves that are never further apart, as a share of what all span, are one line to the eye.
SAME = 0.005


def coinciding(panel):
    """Groups of methods whose curves coincide on the panel's own axis, each in the order drawn."""
    axis = panel["axes"][0]
    names = [curve["method"] for curve in axis["curves"]]
    curves = dict(zip(names, map(np.asarray, heights(axis, panel["y_scale"])), strict=True))
    drawn = np.concatenate([y[np.isfinite(y)] for y in curves.values()] or [[]])
    span = np.ptp(drawn) if drawn.size else 0.0
    groups = []
    for name, y in curves.items():
        group = next((g for g in groups if _on_each_other(curves[g[0]], y, SAME * span)), None)
        groups.append([name]) if group is None else group.append(name)
    return [group for group in groups if len(group) > 1]


def _on_each_other(a, b, apart):
    """Whether two curves are as near as that, over nine tenths of the places at which either is drawn."""
    both, either = np.isfinite(a) & np.isfinite(b), np.isfinite(a) | np.isfinite(b)
    return both.sum() >= max(1, 0.9 * either.sum()) and bool(np.all(np.abs(a - b)[both] <= apart))


def in_words(panels):
    """Lines about a figure: which curves coincide or leave the axis, and who never calls an oracle."""
    lines = {}
    for panel in panels:
        labels = {m["method"]: m["label"] for m in panel["methods"]}
        where = f" in {panel['title']}" if len(panels) > 1 and panel["title"] else ""
        if panel["draw"] == "curves":
            if groups := coinciding(panel):
                lines[f"coincide{where}: " + "; ".join(", ".join(map(labels.get, g)) for g in groups)] = None
            for curve in span_of(panel["axes"][0]["curves"], panel["y_scale"])[2]:
                ends = " to ".join(text(float(pick(curve["median"]))) for pick in (np.nanmin, np.nanmax))
                lines[f"beyond the axis{where}: {labels[curve['method']]} ({ends})"] = None
        for axis in panel["axes"]:
            if axis["silent"]:
                lines[f"no {axis['label']}: {', '.join(labels[m] for m in axis['silent'])}"] = None
    return list(lines)


LINE = 0.185  # inches


def entries(panels, ends=False):
    """(style, label) of everything that the panels draw, methods first, each once.

    With `ends` methods stand as their curves do at the end of the first panel, the paper's before all others,
    each with its value there.
    """
    styles, notes = {}, {}
    for panel in panels:
        for method in panel["methods"]:
            styles.setdefault(method["method"], method)
            notes.setdefault(method["method"], []).append(method["note"])
    if ends:
        first = {m["method"]: m["end"] for m in panels[0]["methods"] if m["seeds"]}
        pale = {name: bool(style.get("pale")) for name, style in styles.items()}
        styles = dict(
            sorted(styles.items(), key=lambda pair: (pale[pair[0]], -first.get(pair[0], -math.inf)))
        )
    labelled = []
    for name, style in styles.items():
        end = f"  {five(first[name])}" if ends and name in first else ""
        counts, of = Counter(filter(None, notes[name])), len(notes[name])
        parts = [note + (f" ({k} of {of} panels)" if k < of else "") for note, k in counts.items()]
        labelled.append((style, style["label"] + end + (": " + "; ".join(parts) if parts else "")))
    lines = {line["label"]: line for panel in panels for line in panel["axes"][0]["references"]}
    return labelled + [({"colour": "black", "marker": "", **line}, label) for label, line in lines.items()]


def five(value):
    """A number with five digits."""
    mantissa, _, exponent = f"{value:.5g}".partition("e")
    return f"{mantissa}·10{superscript(int(exponent))}" if exponent else mantissa


def height(labelled, columns):
    """Inches that the legend takes."""
    return LINE * math.ceil(len(labelled) / columns) + 0.12


def draw_legend(drawing, labelled, top, columns, **options):
    """Write the entries below the axes, read row by row."""
    by_column = [labelled[i] for c in range(columns) for i in range(c, len(labelled), columns)]
    handles = [
        Line2D(
            [],
            [],
            color=style["colour"],
            linestyle=style["dash"],
            **({"alpha": PALE} if style.get("pale") else {"marker": style["marker"]}),
        )
        for style, _ in by_column
    ]
    drawing.legend(
        handles,
        [label for _, label in by_column],
        loc="upper left",
        bbox_to_anchor=(0.06, top, 0.925, 0),
        ncols=columns,
        handlelength=3.4,
        borderaxespad=0,
        borderpad=0,
        **{"columnspacing": 2.4} | options,
    )
