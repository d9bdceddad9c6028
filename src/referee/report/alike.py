"""What a figure says below its axes: which curves lie on each other or beyond the axis, who is silent."""

import numpy as np

from .axes import span_of
from .values import text

#: Curves that are never further apart, as a share of what all span, are one line to the eye.
SAME = 0.005


def coinciding(panel):
    """Groups of methods whose curves coincide on the panel's own axis, each in the order drawn.

    Parameters
    ----------
    panel : dict
        What `panel_data` gives, of curves.

    Returns
    -------
    list of list of str
        Methods.
    """
    curves = {c["method"]: _heights(c["median"], panel["y_scale"]) for c in panel["axes"][0]["curves"]}
    told = [y[np.isfinite(y)] for y in curves.values()]
    span = np.ptp(np.concatenate(told)) if sum(map(len, told)) else 0.0
    groups = []
    for name, y in curves.items():
        group = next((g for g in groups if _on_each_other(curves[g[0]], y, SAME * span)), None)
        groups.append([name]) if group is None else group.append(name)
    return [group for group in groups if len(group) > 1]


def _heights(values, scale):
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.log10(values) if scale == "log" else np.asarray(values, float)


def _on_each_other(a, b, apart):
    """Whether two curves are as near as that, over nine tenths of the places at which either is drawn."""
    both, either = np.isfinite(a) & np.isfinite(b), np.isfinite(a) | np.isfinite(b)
    return both.sum() >= max(1, 0.9 * either.sum()) and bool(np.all(np.abs(a - b)[both] <= apart))


def in_words(panels):
    """Lines about a figure: which curves coincide or leave the axis, and who never calls an oracle."""
    return list(dict.fromkeys(line for panel in panels for line in _about(panel, len(panels) > 1)))


def _about(panel, several):
    labels = {m["method"]: m["label"] for m in panel["methods"]}
    where = f" in {panel['title']}" if several and panel["title"] else ""
    if panel["draw"] == "curves":
        if groups := coinciding(panel):
            yield f"coincide{where}: " + "; ".join(", ".join(labels[m] for m in group) for group in groups)
        for curve in span_of(panel["axes"][0]["curves"], panel["y_scale"])[2]:
            ends = " to ".join(text(float(pick(curve["median"]))) for pick in (np.nanmin, np.nanmax))
            yield f"beyond the axis{where}: {labels[curve['method']]} ({ends})"
    for axis in panel["axes"]:
        if axis["silent"]:
            yield f"no {axis['label']}: {', '.join(labels[m] for m in axis['silent'])}"
