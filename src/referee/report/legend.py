"""One legend for all panels of a figure: its methods, what is said of their ends, its reference lines."""

import math
from collections import Counter

from matplotlib.lines import Line2D

from .axes import PALE
from .values import superscript

LINE = 0.185  # inches


def entries(panels, ends=False):
    """(style, label) of everything that the panels draw, methods first, each once.

    With `ends` methods stand as their curves do at the end of the first panel, each with its value there.
    """
    styles, notes = {}, {}
    for panel in panels:
        for method in panel["methods"]:
            styles.setdefault(method["method"], method)
            notes.setdefault(method["method"], []).append(method["note"])
    if ends:
        first = {m["method"]: m["end"] for m in panels[0]["methods"] if m["seeds"]}
        styles = dict(sorted(styles.items(), key=lambda pair: -first.get(pair[0], -math.inf)))
    told = {name: f"  {five(first[name])}" if ends and name in first else "" for name in styles}
    found = [(style, style["label"] + told[name] + _said(notes[name])) for name, style in styles.items()]
    lines = {line["label"]: line for panel in panels for line in panel["axes"][0]["references"]}
    return found + [({"colour": "black", "marker": "", **line}, label) for label, line in lines.items()]


def five(value):
    """A number with five digits."""
    mantissa, _, exponent = f"{value:.5g}".partition("e")
    return f"{mantissa}·10{superscript(int(exponent))}" if exponent else mantissa


def _said(notes):
    """The notes after a label; a note that is not in all panels has their number."""
    counts = Counter(note for note in notes if note).items()
    parts = [note + (f" ({k} of {len(notes)} panels)" if k < len(notes) else "") for note, k in counts]
    return ": " + "; ".join(parts) if parts else ""


def height(found, columns):
    """Inches that the legend takes."""
    return LINE * math.ceil(len(found) / columns) + 0.12


def _mark(style):
    return {"alpha": PALE} if style.get("pale") else {"marker": style["marker"]}


def draw_legend(drawing, found, top, columns, **options):
    """Write the entries below the axes, read row by row."""
    by_column = [found[i] for c in range(columns) for i in range(c, len(found), columns)]
    handles = [
        Line2D([], [], color=style["colour"], linestyle=style["dash"], **_mark(style))
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
