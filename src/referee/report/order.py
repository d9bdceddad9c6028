"""The order of the curves in a panel, as the paper states it and as they are here."""

import re

import numpy as np

from projfree.common.names import require

from ..judge.races import VISIBLE
from .options import LARGER_IS_BETTER
from .values import text

#: Ends of a run after which its last value stays.
STAYS = ("converged", "diverged")
#: What a horizontal axis is counted in, in a sentence.
UNITS = {"cpu_seconds": "s", "iteration": "iterations", "outer": "outer iterations"}


def chains(order: str) -> list[list[str]]:
    """Methods and signs of an order ``a < b = c, d; e < f``, a list a chain."""
    return [re.findall(r"[^\s<=,]+|[<=,]", chain) for chain in order.split(";")]


def of_paper(method, paper) -> bool:
    """Whether the paper draws a method: one as it describes it, or one that stands in its order."""
    named = [name for chain in chains(paper.get("order") or "") for name in chain[::2]]
    return method["role"] == "paper" or method["method"] in named


def in_words(options, frame, methods) -> dict[str, str]:
    """``paper``: “A < B over 0–50 s”, ``here``: “B < A over 0–8 s”; empty where the paper states no order.

    Parameters
    ----------
    options : dict
        Of `panel_options`: ``paper`` with the order and the ticks of the axis.
    frame : DataFrame
        Rows of the panel with ``method, seed, x, value``.
    methods : list of dict
        Label, status and ``end_x`` of each method.
    """
    paper = options["paper"]
    if not paper.get("order"):
        return {}
    known = {one["method"]: one for one in methods}
    stated, here, ends = [], [], []
    for chain in chains(paper["order"]):
        names = chain[::2]
        require(names, known, "method", options["experiment"])
        labels = [known[name]["label"] for name in names]
        signs = [", " if sign == "," else f" {sign.replace('=', '≈')} " for sign in chain[1::2]]
        stated.append("".join(word for pair in zip(labels, [*signs, ""], strict=True) for word in pair))
        if all(known[name]["seeds"] for name in names):
            ran = [known[name] for name in names]
            cut = [one["end_x"] for one in ran if one["status"] not in STAYS]
            end = min(cut) if cut else max(one["end_x"] for one in ran)
            end = min([end, *(paper.get("ticks") or ())[-1:]])
            here.append(_ranked(frame[frame["method"].isin(names)], known, end, options))
            ends.append(end)
    ticks, unit = paper.get("ticks"), UNITS.get(options["x"], options["x_label"])
    axis = f" over {text(ticks[0])}–{text(ticks[-1])} {unit}" if ticks else ""
    ours = f"{'; '.join(here)} over 0–{text(float(f'{min(ends):.2g}'))} {unit}" if here else "not run"
    return {"paper": "; ".join(stated) + axis, "here": ours}


def _ranked(frame, known, end, options):
    """Labels from the best to the worst at a place; ≈ joins what is as near as nobody sees in the drawing."""
    with np.errstate(divide="ignore"):
        drawn = np.log10(frame["value"]) if options["y_scale"] == "log" else frame["value"]
    frame = frame.assign(drawn=drawn * (-1 if options["y"] in LARGER_IS_BETTER else 1))
    frame = frame[np.isfinite(frame["drawn"])]
    runs = frame[frame["x"] <= end].groupby(["method", "seed"])["drawn"]
    last = runs.last().groupby("method").median().sort_values(kind="stable")
    height = runs.first().max() - runs.min().min()
    words, before = "", None
    for name, value in last.items():
        sign = "" if before is None else " < " if value - before > VISIBLE * height else " ≈ "
        words, before = f"{words}{sign}{known[name]['label']}", value
    return words
