"""Which curves of a panel lie on each other, so that a figure can say so."""

import numpy as np

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
    """A line a panel in which curves coincide."""
    for panel in panels:
        labels = {m["method"]: m["label"] for m in panel["methods"]}
        groups = coinciding(panel) if panel["draw"] == "curves" else []
        if groups:
            told = "; ".join(", ".join(labels[name] for name in group) for group in groups)
            yield f"coincide{' in ' + panel['title'] if len(panels) > 1 and panel['title'] else ''}: {told}"
