"""verdicts.csv for pages: its rows read, and grouped to one a panel and pair."""

import csv
import io
import math
import re
from pathlib import Path

from ..evidence.words import AXIS_LABELS, axis_label, between, exact
from ..ground import bounded

NAME = "verdicts.csv"
NUMBERS = ("low", "high", "required")
#: Kind of data → its words: what the paper generates is generated here alike.
KINDS = {"real": "as in the paper", "stand-in": "stand-in"}
TRUTHS = {"true": True, "false": False, "": None}
#: How the words between two methods begin → the unit of what was measured.
UNITS = {"below": " of 10 places", "before": " times", "lower than": " times", "about": ""}
PLACES = UNITS["below"]
WORD = re.compile(r"[\w-]+(?:\.\d+)?")


def read_verdicts(path) -> list[dict]:
    """Rows of verdicts.csv: numbers as floats, NaN where there is none; `truth` as True, False or None.

    Raises
    ------
    ValueError
        For a file without a column that pages read.
    """
    rows = list(csv.DictReader(io.StringIO(bounded.text(Path(path)), newline="")))
    wanted = (
        "claim",
        "part",
        "column",
        "call",
        "panel",
        "data",
        "what",
        *NUMBERS,
        "truth",
        "reason",
        "length",
    )
    if rows and (lacks := [name for name in wanted if name not in rows[0]]):
        raise ValueError(f"{path} lacks the columns {', '.join(lacks)}")
    for row in rows:
        row |= {name: float(row[name] or "nan") for name in NUMBERS}
        row["truth"] = TRUTHS[row["truth"].lower()]
    return rows


def span(rows, field=None) -> tuple[float, float]:
    """The least and the largest end over rows, or of one field; NaN where nothing was measured."""
    lows, highs = ([row[name] for row in rows] for name in ((field, field) if field else ("low", "high")))
    known = [[value for value in ends if not math.isnan(value)] for ends in (lows, highs)]
    return min(known[0], default=math.nan), max(known[1], default=math.nan)


def measured(rows) -> str:
    """What was measured over rows, with its unit; a dash where the interval says nothing."""
    (low, high), of = span(rows), unit(rows[0]["what"])
    if math.isnan(low) or math.isnan(high) or (low <= 0 and math.isinf(high)):
        return "–"
    return (f"{low:g}–{high:g}" if of == PLACES and low < high else between((low, high))) + of


def unit(what: str) -> str:
    """The unit of what a pair is compared in; of orders none."""
    found = (of for word, of in UNITS.items() if f" {word} " in what)
    return "" if what.startswith("order of") else next(found, "")


def called(what: str, labels: dict) -> str:
    """A pair or a method as pages name it: methods by their labels, columns by those of their axes."""
    known = AXIS_LABELS | labels
    return WORD.sub(lambda word: known.get(word[0], axis_label(word[0]) if "_" in word[0] else word[0]), what)


#: What rows of one number share; a number over several panels shares all but the panel.
KEY = ("column", "data", "what", "metric", "over", "required", "panel")


def cells(rows, labels, titles, key=KEY) -> list[dict]:
    """Rows of one claim grouped by what they share, in the order in which they come.

    Parameters
    ----------
    rows : list of dict
        Of `read_verdicts`, of the sentence itself.
    labels, titles : dict
        Method and panel → what they are called.
    """
    groups = {}
    for row in rows:
        groups.setdefault(tuple(str(row[name]) for name in key), []).append(row)
    return [_cell(own, labels, titles) for own in groups.values()]


def numbers(rows, labels) -> list[dict]:
    """The numbers of a claim as published, over its panels."""
    return cells([r for r in rows if r["column"] == "published" and r["what"]], labels, {}, KEY[:-1])


def _cell(rows, labels, titles):
    known = [row["truth"] for row in rows if row["truth"] is not None]
    first, panels = rows[0], {row["panel"] for row in rows}
    axes = first["metric"], first["over"]
    return {
        "column": first["column"],
        "panel": first["panel"],
        "panels": len(panels),
        "title": titles.get(first["panel"], first["panel"]),
        "data": KINDS.get(first["data"], first["data"]),
        "what": called(first["what"], labels),
        "criterion": " over ".join(axis_label(name) for name in axes if name) if unit(first["what"]) else "",
        "measured": measured(rows),
        "required": "" if math.isnan(first["required"]) else exact(first["required"]),
        "true": sum(known),
        "false": len(known) - sum(known),
        "open": len(rows) - len(known),
        "reason": "; ".join(dict.fromkeys(row["reason"] for row in rows if row["reason"])),
        "length": ", ".join(dict.fromkeys(row["length"] for row in rows if row["length"])),
    }
