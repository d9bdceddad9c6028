"""verdicts.csv for pages: its rows read, and grouped to one a panel and pair."""

import csv
import io
import math
import re
from pathlib import Path

from ..common import bounded
from ..evidence.words import AXIS_LABELS, COLUMNS, axis_label, between, exact
from ..judge.findings import AGREED, word
from ..judge.measures import LEAST
from .html import WORDS

NAME = "verdicts.csv"
NUMBERS = ("low", "high", "required")
READ = (*["claim", "part", "column", "call", "panel", "data", "what", "truth", "reason", "length"], *NUMBERS)
#: Kind of data → its words.
KINDS = {"real": "real data", "generated": "generated data", "stand-in": "stand-in data"}
TRUTHS = {"true": True, "false": False, "": None}
PLACES, TIMES = " of 10 points", " times"
#: Words between two lines along an axis → what is required where places are counted.
COUNTED = {"below": AGREED * 10, "about": LEAST}
#: The same words → what is required, in words.
RULES = {"below": "four fifths of those that differ", "about": f"fewer than {LEAST}"}
#: How many comparisons have to be true for a claim to hold.
ASKS = {
    "everywhere": "All have to be true.",
    "mostly": "More than half have to be true.",
    "somewhere": "One true comparison is enough.",
}
#: Words of a comparison of two numbers: their ratio or, where 0 is required, their difference.
COMPARED = re.compile(r" (below|before|lower than|about|over) |^factor |^ratio ")
#: A bound: a number, or a column to which what is shown is the ratio.
BOUND = re.compile(r" at (?:most|least) (?:\S+ × )?(.+)$")
#: A function of a claim that has no name.
NAMELESS = "<lambda>"
SHARE = re.compile(r"share of (\w+)")
WORD = re.compile(r"[\w-]+(?:\.\d+)?")
#: Columns of one word that is no English, or says too little in a sentence.
BARE = ["eps", "sfo", "fo", "lo", "ifo", "kappa", "theorem3", "upper", "promised", "allowed", "bound", "rise"]
#: Axis or such a column → its name in a pair.
NAMES = {name: label for name, label in AXIS_LABELS.items() if name != "iteration"}
NAMES |= {name: COLUMNS[name] for name in BARE}
NUMERIC = re.compile(r"[-+]?[\d.]+(?:e[-+]?\d+)?")


def read_verdicts(path) -> list[dict]:
    """Rows of verdicts.csv: numbers as floats, NaN where there is none; `truth` as True, False or None.

    Raises
    ------
    ValueError
        For a file without a column that pages read.
    """
    rows = list(csv.DictReader(io.StringIO(bounded.text(Path(path)), newline="")))
    if rows and (missing := [name for name in READ if name not in rows[0]]):
        raise ValueError(f"{path} lacks the columns {', '.join(missing)}")
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
    (low, high), of = span(rows), unit(rows[0])
    if math.isnan(low) or math.isinf(low) or math.isnan(high) or (low <= 0 and math.isinf(high)):
        return "–"
    if of != PLACES:
        return between((low, high)) + of
    known = [(row["low"], row["high"]) for row in rows if not math.isnan(row["low"] + row["high"])]
    lower, higher, tied = (
        f"{min(counts):g}–{max(counts):g}" if min(counts) < max(counts) else f"{counts[0]:g}"
        for counts in zip(*((low, 10 - high, high - low) for low, high in known), strict=True)
    )
    if _counted(rows[0]) == "about":
        return f"different at {lower}{PLACES}"
    return f"lower at {lower}{PLACES}, higher at {higher}, tied at {tied}"


def basis(rows, ask) -> str:
    """Which rows of a claim, in one column, carry its verdict, as `judge.findings.verdict` takes them."""
    real = [row for row in rows if row["data"] != "stand-in"]
    own, groups = real or rows, {}
    for row in own:
        groups.setdefault((row["panel"], row["what"]), []).append(row)
    ran = {row["panel"] for row in own if not absent(row)}
    groups = {key: each for key, each in groups.items() if key[0] not in ran or not absent(each[0])}
    if not groups:
        return ""
    words = [word(row["truth"] for row in each) for each in groups.values()]
    kinds = " and ".join(dict.fromkeys(KINDS[row["data"]] for row in own if row["data"]))
    counts = f"true in {words.count(True)} of {len(words)} comparisons"
    for truth, name in ((False, "false"), (None, "undecided")):
        counts += f", {name} in {words.count(truth)}" if truth in words else ""
    sentences = [f"Decided on {kinds or 'these rows'}: {counts}."]
    sentences += [ASKS[ask]] if ask in ASKS and len(words) > 1 else []
    return " ".join(sentences + ["Stand-ins are shown only."] * (len(own) < len(rows)))


def absent(row):
    """Whether a pair was not run."""
    return row["truth"] is None and "was not run" in row["reason"]


#: Words between two methods → what is compared of the second.
SUBJECTS = {" before ": "as long", " lower than ": "as high"}


def _with_subject(words, what, labels):
    """“SVFW: 0.14–0.29 times as long”: what a ratio between two methods is of."""
    for between_them, ending in SUBJECTS.items():
        if between_them in what and words.endswith(TIMES):
            rival = what.partition(between_them)[2].partition(",")[0]
            return f"{called(rival, labels)}: {words} {ending}"
    return words


def unit(row) -> str:
    """What a row counts: places, times as much; nothing of orders, differences and plain values."""
    what, required = row["what"], row["required"]
    if _counted(row):
        return PLACES
    if bound := BOUND.search(what):
        return "" if NUMERIC.fullmatch(bound[1]) or "share of" in what else TIMES
    if what.startswith("order of") or not required:
        return ""
    return TIMES if COMPARED.search(what) or (" above " in what and required >= 1) else ""


def _counted(row) -> str:
    """The word between two lines whose places are counted; empty for any other row."""
    own = (word for word, count in COUNTED.items() if f" {word} " in row["what"] and row["required"] == count)
    return next(own, "") if row["over"] else ""


def called(what: str, labels: dict) -> str:
    """A pair or a method as pages name it: methods by their labels, columns by those of their axes."""
    known = NAMES | labels
    what = what.replace(NAMELESS, "the value")
    what = SHARE.sub(lambda timer: f"share of {WORDS['timers'].get(timer[1], timer[1])}", what)
    return WORD.sub(lambda word: known.get(word[0], axis_label(word[0]) if "_" in word[0] else word[0]), what)


#: What rows of one number share; a number over several panels shares all but the panel.
KEY = ("column", "data", "what", "metric", "over", "required", "panel")


def cells(rows, labels, titles, key=KEY) -> list[dict]:
    """Rows of one claim grouped by what they share, in the order in which they come.

    labels, titles: method and panel → what they are called.
    """
    groups = {}
    for row in rows:
        groups.setdefault(tuple(str(row[name]) for name in key), []).append(row)
    result = []
    for own in groups.values():
        known = [row["truth"] for row in own if row["truth"] is not None]
        first, yes, of = own[0], sum(known), len(own)
        mark = "○" if not known else "✓" if yes == len(known) else "◐" if yes else "✗"
        unsettled = f", {of - len(known)} open" if 0 < len(known) < of else ""
        criterion = " over ".join(axis_label(first[key]) for key in ("metric", "over") if first[key])
        if BOUND.search(first["what"]) or first["what"].startswith("order of"):
            criterion = ""
        elif criterion and not first["required"]:
            criterion = f"difference in {criterion}"
        result.append(
            {
                "column": first["column"],
                "panel": first["panel"],
                "panels": len({row["panel"] for row in own}),
                "title": titles.get(first["panel"], first["panel"]),
                "data": KINDS.get(first["data"], first["data"]),
                "what": called(first["what"], labels),
                "criterion": criterion,
                "measured": _with_subject(measured(own), first["what"], labels),
                "required": RULES.get(_counted(first)) or _required(first),
                "true": yes,
                "false": len(known) - yes,
                "open": of - len(known),
                "met": f"{mark} {yes} of {of}{unsettled}",
                "reason": "; ".join(dict.fromkeys(row["reason"] for row in own if row["reason"])),
                "length": ", ".join(dict.fromkeys(row["length"] for row in own if row["length"])),
            }
        )
    return result


def _required(row):
    """What is required; of orders that shall agree the range of their ratio."""
    bound = row["required"]
    if row["what"].startswith("order of") and " about " in row["what"]:
        return f"{exact(1 - bound)}–{exact(1 + bound)}"
    return "" if math.isnan(bound) else exact(bound)


def numbers(rows, labels) -> list[dict]:
    """The numbers of a claim as published, over its panels."""
    return cells([r for r in rows if r["column"] == "published" and r["what"]], labels, {}, KEY[:-1])
