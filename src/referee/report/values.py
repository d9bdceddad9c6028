"""Numbers, nested values and titles as people read them; no figure, no page, no file."""

import math
import re

from ..evidence.words import number

#: Below it every whole number is a float of its own.
EXACT = 2.0**53
#: What Markdown, or the host that renders it, reads as a mark.
MARKS = re.compile(r"[\\`*_\[\]<>|~$&]")


def plain(value):
    """The value in JSON's own types: numpy scalars unpacked, NaN and infinities in words."""
    if isinstance(value, dict):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple, set)) or (hasattr(value, "tolist") and getattr(value, "ndim", 0)):
        return [plain(inner) for inner in value]
    value = value.item() if hasattr(value, "item") else value
    if isinstance(value, float):
        return value if math.isfinite(value) else _float(value)
    return value if value is None or isinstance(value, (bool, int, str)) else str(value)


def rounded(values, digits=4):
    """Floats with so many significant digits, NaN as null: curves for a page."""
    return [float(f"{v:.{digits}g}") if math.isfinite(v) else None for v in values]


def text(value, digits=3):
    """One scalar as text: significant digits, plain words for yes, no, nothing and infinity."""
    value = value.item() if hasattr(value, "item") else value
    if value is None or value == "":
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}".replace(",", "\u202f") if abs(value) >= 10_000 else str(value)
    return _float(value, digits) if isinstance(value, float) else str(value)


def _float(value, digits=3):
    if not math.isfinite(value):
        return number(value)
    if value == int(value) and abs(value) < 1e6:
        return str(int(value))
    short = f"{value:.{digits}g}"
    mantissa, _, exponent = short.partition("e")
    return f"{mantissa}·10{superscript(int(exponent))}" if exponent else short


def parsed(cell):
    """A cell of a CSV as what it is: a truth, a number, whole where it is (a count), or words."""
    if cell in ("True", "False"):
        return cell == "True"
    try:
        value = float(cell)
    except ValueError:
        return cell
    return int(value) if value.is_integer() and abs(value) < EXACT else value


def superscript(number):
    """A whole number as a raised one."""
    return str(number).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def is_table(value):
    """Whether a value reads best as a table: several records, in a list or under names, that are flat."""
    rows = list(value.values()) if isinstance(value, dict) else value
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) and row for row in rows):
        return False
    return all(not isinstance(cell, (dict, list)) for row in rows for cell in row.values())


def as_table(value):
    """Header and rows of a value for which `is_table` holds; names become the first column."""
    named = isinstance(value, dict)
    records = list(value.items() if named else enumerate(value, 1))
    header = list(dict.fromkeys(key for _, record in records for key in record))
    rows = [[name, *(record.get(key, "") for key in header)] for name, record in records]
    return {"header": ["" if named else "#", *header], "rows": rows}


def short(words, limit=60):
    """The words, or as many whole ones of them as the limit lets stand."""
    words = " ".join(str(words).split())
    return words if len(words) <= limit else words[: limit - 1].rsplit(" ", 1)[0] + " …"


def markdown(words):
    """Words as a line of Markdown that shows them as they are, in a table too."""
    return MARKS.sub(r"\\\g<0>", " ".join(str(words).split()))


def titled(label, titles):
    """The label of a panel, ``key · test · number``, with the title of its experiment."""
    key, *rest = label.split(" · ")
    return " · ".join([titles.get(key, key), *rest])
