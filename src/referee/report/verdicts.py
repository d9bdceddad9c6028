"""verdicts.csv for pages: its rows read, and grouped to one a panel and pair."""

import csv
import io
import math
import re
from itertools import groupby
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


def cells(rows, labels, titles) -> list[dict]:
    """Rows of one claim grouped by column, panel, kind of data and pair.

    Parameters
    ----------
    rows : list of dict
        Of `read_verdicts`, of the sentence itself.
    labels, titles : dict
        Method and panel → what they are called.
    """

    def key(row):
        return tuple(row[name] for name in ("column", "panel", "data", "what"))

    return [_cell(*names, list(own), labels, titles) for names, own in groupby(sorted(rows, key=key), key)]


def _cell(column, panel, data, what, rows, labels, titles):
    known = [row["truth"] for row in rows if row["truth"] is not None]
    required = rows[0]["required"]
    return {
        "column": column,
        "panel": panel,
        "title": titles.get(panel, panel),
        "data": KINDS.get(data, data),
        "what": called(what, labels),
        "criterion": axis_label(rows[0]["metric"]) if unit(what) and rows[0]["metric"] else "",
        "measured": measured(rows),
        "required": "" if math.isnan(required) else exact(required),
        "true": sum(known),
        "false": len(known) - sum(known),
        "open": len(rows) - len(known),
        "reason": "; ".join(dict.fromkeys(row["reason"] for row in rows if row["reason"])),
        "length": ", ".join(dict.fromkeys(row["length"] for row in rows if row["length"])),
    }


def numbers(rows, labels) -> list[dict]:
    """The numbers of a claim as published, over its panels: one a pair and kind of data."""
    told = []
    rows = [row for row in rows if row["column"] == "published" and row["what"]]
    for what, data in dict.fromkeys((row["what"], row["data"]) for row in rows):
        own = [row for row in rows if (row["what"], row["data"]) == (what, data)]
        told.append(
            _cell("published", "", data, what, own, labels, {}) | {"panels": len({r["panel"] for r in own})}
        )
    return told
