"""One panel against one horizontal axis: curves or points, reference lines, limits, stamps."""

import math

import numpy as np
from matplotlib.ticker import LogFormatter, LogLocator, NullFormatter, NullLocator

from .curves import MOVED, heights
from .values import superscript, text

TICKS = 7  # so many different sizes are named one by one
PALE = 0.35  # opacity of curves beyond those that have their full colour
FAR = 3.0  # times the height of the axes: a level or a curve's end beyond is told in words
PAPER = "#E8EFF8"  # behind what the paper draws too
ROOM = 1.5  # times it: an excursion beyond is cut
SHORT = 100  # a logarithmic axis with ends so close has ticks at 1, 2 and 5


def draw_axes(axes, panel, axis, main, compact=False):
    """All curves and references of a panel, as `panel_data` has it, against one of its horizontal axes.

    `main` is the panel's own axis: with bands, markers and rings. `compact` is a cell of a grid: thinner
    lines, no limits of its own.
    """
    styles = {m["method"]: m for m in panel["methods"]}
    axes.set_xscale(axis["scale"])
    axes.set_yscale(panel["y_scale"])
    for each in (axes.xaxis, axes.yaxis):
        if each.get_scale() == "log":
            each.set_major_formatter(_PlainPowers())
            each.set_minor_formatter(_PlainPowers())
    if not main or compact:
        axes.xaxis.set_minor_locator(NullLocator())
    for i, curve in enumerate(axis["curves"]):
        style = styles[curve["method"]] | {"width": 1.2 if compact or not main else 1.7, "compact": compact}
        if panel["draw"] == "points":
            _draw_points(axes, axis, curve, style)
        else:
            _draw_curve(axes, axis, curve, style, offset=i, main=main)
    for line in axis["references"]:
        look = {"color": "black", "linestyle": line["dash"], "lw": 1.1, "zorder": 2.5}
        if "y" in line:
            axes.axhline(line["y"], **look)
        elif "x" in line:
            axes.axvline(line["x"], **look)
        else:
            at = np.isfinite(line["median"])
            look["drawstyle"] = "steps-post" if panel["draw"] == "curves" else "default"
            axes.plot(axis["x"][at], line["median"][at], **look)
    flat = f" (flat to {text(panel['flat_to'])} →)" if main and "flat_to" in panel else ""
    axes.set_xlabel(axis["label"] + flat, fontsize=9 if main else 8)
    axes.tick_params(labelsize=8 if main else 7)
    if panel["draw"] == "points":
        if 0 < len(axis["x"]) <= TICKS:  # a tick at each size, where they are few
            axes.set_xticks(axis["x"], labels=[text(float(place)) for place in axis["x"]])
            axes.set_xticks([], minor=True)
    elif axis["x"][0] < axis["x"][-1]:
        first = _first_move(axis, panel["y_scale"]) if axis["scale"] == "log" else axis["x"][0]
        first = min(first, *(0.7 * line["x"] for line in axis["references"] if "x" in line), axis["x"][-1])
        axes.set_xlim(first, axis["x"][-1])
        if axis["scale"] == "log" and axis["x"][-1] < SHORT * first:
            _name_few(axes.xaxis)
    low, high = axes.get_ylim()
    if not main and panel["y_scale"] == "log" and low > 0 and high < SHORT * low:
        _name_few(axes.yaxis)  # which the main axes share
    if main and panel["paper"].get("ticks"):
        _shade(axes, panel["paper"]["ticks"], compact)


def _shade(axes, ticks, compact):
    """The range that the paper draws, with its ticks along the upper edge."""
    low, high = axes.get_xlim()
    if ticks[0] < high:
        axes.axvspan(max(ticks[0], low), min(ticks[-1], high), color=PAPER, lw=0, zorder=0)
    here = [tick for tick in ticks if low <= tick <= high]
    look = {"transform": axes.get_xaxis_transform(), "clip_on": False, "ls": "", "color": "#555555"}
    axes.plot(here, [1.0] * len(here), marker=7, ms=3.5 if compact else 5, **look)
    axes.set_xlim(low, high)
    if not compact:
        words = f"the paper's axis: {text(ticks[0])} to {text(ticks[-1])}{' →' if ticks[-1] > high else ''}"
        look = {"ha": "right", "va": "top", "size": 7, "color": "#333333", "zorder": 3}
        look["bbox"] = {"fc": "white", "ec": "none", "alpha": 0.7, "pad": 1}
        axes.text(0.99, 0.975, words, transform=axes.transAxes, **look)


def limit(axes, panels):
    """Vertical limits that suit the main curves of panels which share their vertical axis."""
    panel = panels[0]
    curves = [c for p in panels for c in (*p["axes"][0]["curves"], *p["axes"][0]["references"])]
    curves = [c for c in curves if "median" in c]
    if panel["draw"] == "curves":
        low, high, beyond = span_of(curves, panel["y_scale"])
        # Near the end of the best curve: its last fall, to its own final value, must not flatten the others.
        late = [c["median"][np.isfinite(c["median"])] for c in curves]
        end = min((m[int(0.9 * (m.size - 1))] for m in late if m.size), default=0.0)
        if panel["y_scale"] == "linear" and high > low:
            axes.set_ylim(low - 0.04 * (high - low), high + 0.06 * (high - low))
        elif panel["y_scale"] == "log" and panel["excess"] and high > end > 0:
            axes.set_ylim(0.4 * end, 1.6 * high)
        elif panel["y_scale"] == "log" and beyond:
            axes.set_ylim(top=1.6 * high)
    low, high = axes.dataLim.intervaly
    if panel["y_scale"] == "log" and 0 < low <= high < 1.1 * low:  # all equal: half a decade each way
        axes.set_ylim(low / 3, 3 * high)
    low, high = axes.get_ylim()
    lines = [r for p in panels for r in p["axes"][0]["references"] if "y" in r]
    if lines and panel["y_scale"] == "log":
        axes.set_ylim(min(low, *(0.7 * r["y"] for r in lines)), max(high, *(1.4 * r["y"] for r in lines)))
    elif lines:
        _with_levels(axes, lines, low, high)


def _with_levels(axes, lines, low, high):
    """Room for the levels of a linear axis; those that would flatten the curves are told at its edge."""
    far, space = FAR * (high - low), 0.04 * (high - low)
    near = [line["y"] for line in lines if low - far < line["y"] < high + far]
    axes.set_ylim(min([low, *(y - space for y in near)]), max([high, *(y + space for y in near)]))
    for line in [line for line in lines if line["y"] not in near]:
        above = line["y"] > high
        words = f"{'↑' if above else '↓'} {line['label']}: {text(float(line['y']))}"
        look = {"size": 6.5, "color": "#333333", "ha": "right", "va": "top" if above else "bottom"}
        look["bbox"] = {"fc": "white", "ec": "none", "alpha": 0.8, "pad": 1}
        axes.text(0.99, 0.98 if above else 0.02, words, transform=axes.transAxes, **look)


def stamp(axes, panel, size):
    """STAND-IN across the axes if the data are not the paper's."""
    if panel["stand_in"]:
        middle = {"ha": "center", "va": "center", "rotation": 20, "weight": "bold", "zorder": 0.9}
        axes.text(
            0.5, 0.5, "STAND-IN", transform=axes.transAxes, **middle, size=size, color="#B00020", alpha=0.2
        )


def _draw_curve(axes, axis, curve, style, offset, main):
    """Band, line and sparse markers; a curve that ends inside the axes ends in a ring."""
    x, median, compact = axis["x"], curve["median"], style["compact"]
    shown = np.flatnonzero(np.isfinite(median))
    if not shown.size:
        return
    at, colour, end = _corners(curve, shown, steps=not compact), style["colour"], shown[-1]
    step = {"drawstyle": "default" if compact else "steps-post"}  # a small cell's file has half the corners
    pale = (
        {"alpha": PALE, "lw": 0.8 * style["width"], "zorder": 1.8}
        if style.get("pale")
        else {"lw": style["width"]}
    )
    line = {"color": colour, "linestyle": style["dash"], **pale, **step}
    if not main or style.get("pale"):
        axes.plot(x[at], median[at], **line)
        return
    band = {"color": colour, "alpha": 0.13, "lw": 0, "step": None if compact else "post"}
    axes.fill_between(x[at], curve["low"][at], curve["high"][at], **band)
    every = max(1, at.size // 4)  # by points, since a jagged line is long
    few = {"ms": 3, "markevery": (every * (1 + offset % 6) // 7, every)}
    usual = {"markevery": (0.02 + 0.025 * (offset % 6), 0.16)}
    axes.plot(x[at], median[at], **line, marker=style["marker"], **(few if compact else usual))
    if x[end] < 0.97 * x[-1]:
        ring = {"mfc": "white", "mew": 1.5, "ms": 4.5 if compact else 6.5}
        axes.plot(x[end], median[end], "o", color=colour, **ring, zorder=5)


def _first_move(axis, y_scale):
    """The last place on a logarithmic axis before which no curve has left its start."""
    drawn = heights(axis, y_scale)
    finite = [y[np.isfinite(y)] for y in drawn]
    span = np.ptp(np.concatenate(finite)) if sum(map(len, finite)) else 0.0
    moved = [
        np.flatnonzero(np.abs(y - t[0]) > MOVED * span) for y, t in zip(drawn, finite, strict=True) if t.size
    ]
    first = min((at[0] for at in moved if at.size), default=0)
    return axis["x"][max(first - 1, 0)]


def _draw_points(axes, axis, curve, style):
    """Markers with their quartiles, joined by lines."""
    at = np.isfinite(curve["median"])
    x, low, median, high = (
        values[at] for values in (axis["x"], *(curve[k] for k in ("low", "median", "high")))
    )
    look = {"color": style["colour"], "linestyle": style["dash"], "marker": style["marker"]}
    axes.errorbar(
        x, median, [median - low, high - median], **look, lw=style["width"], elinewidth=1, capsize=2
    )


class _PlainPowers(LogFormatter):
    """Labels where matplotlib has them, as text: 10⁻³, 3·10⁻³; its own cost more than the curves."""

    def __call__(self, place, pos=None):
        """The label, empty where there is none."""
        if not super().__call__(place, pos):
            return ""
        exponent = math.log10(place)
        whole = abs(exponent - round(exponent)) < 1e-9
        return f"10{superscript(round(exponent))}" if whole else text(place)


def _name_few(axis):
    """Ticks at 1, 2 and 5 on a logarithmic axis of less than two decades."""
    axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.set_major_formatter(lambda place, _: text(place))
    axis.set_minor_formatter(NullFormatter())


def _corners(curve, shown, steps):
    """The grid points at which a held value changes, and its ends: same drawing, smaller file."""
    numbers = np.array([curve[key][shown] for key in ("median", "low", "high")])
    changes = np.any(numbers[:, 1:] != numbers[:, :-1], axis=0)
    keep = np.concatenate([[True], changes])
    if not steps:  # joined by straight lines, a plateau needs its end too
        keep[:-1] |= changes
    keep[-1] = True
    return shown[keep]


def span_of(curves, scale):
    """Lowest and highest value that the vertical axis must show (0, 0 of none), and curves that go beyond.

    It shows all between the starts and the best, and where curves end. An excursion far above that, or a
    method that diverges, would flatten the others.
    """
    values = [y[np.isfinite(y)] for y in heights({"curves": curves}, scale)]
    if not any(y.size for y in values):
        return 0.0, 0.0, []
    rising = np.mean([y[-1] > y[0] for y in values if y.size]) > 0.5
    values = [-y if rising else y for y in values]
    low, high = min(y.min() for y in values if y.size), max(y[0] for y in values if y.size)
    start, span = high, high - low
    for y in [y for y in values if y.size and y[-1] <= start + FAR * span]:
        high = max(high, y.max() if y.max() <= start + ROOM * span else y[-1])
    beyond = [curve for curve, y in zip(curves, values, strict=True) if y.size and y.max() > high]
    low, high = sorted((-low, -high) if rising else (low, high))
    return (10.0**low, 10.0**high, [] if rising else beyond) if scale == "log" else (low, high, beyond)
