"""All in words: axes, metrics and experiments; verdicts; measured numbers, which are never infinite."""

import math
import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import yaml

_NAMES = yaml.safe_load(Path(__file__).with_name("columns.yaml").read_text(encoding="utf-8"))
#: Axis → its label; column → its name as it stands after “the”.
AXIS_LABELS: dict[str, str] = _NAMES["axes"]
COLUMNS: dict[str, str] = _NAMES["columns"] | {
    f"{column}_{key}": f"{words} of {name}"
    for column, words in _NAMES["of_estimator"].items()
    for key, name in _NAMES["estimators"].items()
}

SECONDS_OF = re.compile("seconds_(?!ratio)")


def axis_label(name):
    """Label, with its unit, of an axis."""
    column, _, divisor = name.partition("/")
    if name not in AXIS_LABELS and divisor:
        return f"{axis_label(column)} / {axis_label(divisor)}"
    if "." in name and "/" not in name:
        return f"parameter {name.removeprefix('params.')}"
    known = AXIS_LABELS.get(name) or COLUMNS.get(name)
    return known or SECONDS_OF.sub("time of ", name).replace("_", " ")


def listed(names) -> str:
    """“a, b and c”."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


#: Numbers outside of these are written with a power of ten.
PLAIN = (1e-3, 1e5)


def figure(value: float, digits: int = 2) -> str:
    """A number in a sentence: so many significant digits, all of a whole number below a thousand."""
    if not math.isfinite(value):
        return number(value)
    if value == int(value) and abs(value) < 1000:
        return _minus(str(int(value)))
    if not PLAIN[0] <= abs(value) < PLAIN[1]:
        mantissa, _, exponent = f"{value:.{digits - 1}e}".partition("e")
        raised = str(int(exponent)).translate(SUPERSCRIPTS)
        return _minus(f"{mantissa.rstrip('0').rstrip('.')}·10{raised}")
    whole = max(digits, 3 if abs(value) >= 100 else 0)
    places = math.floor(math.log10(abs(value))) + 1  # before the decimal point
    return _minus(f"{float(f'{value:.{whole}g}'):,.{max(0, digits - places)}f}")


def exact(value: float) -> str:
    """A number that somebody chose: up to four digits, without zeros behind them."""
    short = f"{value:.4g}"
    if "e" not in short:
        return _minus(short)
    mantissa, _, exponent = short.partition("e")
    raised = f"10{str(int(exponent)).translate(SUPERSCRIPTS)}"
    return _minus(raised if mantissa == "1" else f"{mantissa}·{raised}")


SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def _minus(words):
    return words.replace("-", "−")


def between(value: tuple[float, float], digits: int = 2) -> str:
    """A range in a sentence: “2.4–3.0”, “at least 249”, one number if both ends read alike."""
    low, high = value
    if not _finite(high):
        return f"at least {figure(low, digits)}"
    if not _finite(low) or low == 0 < high:
        return f"at most {figure(high, digits)}"
    ends = figure(low, digits), figure(high, digits)
    if ends[0] == ends[1] and not math.isclose(low, high, rel_tol=1e-3):
        ends = figure(low, digits + 1), figure(high, digits + 1)
    if ends[0] == ends[1]:
        return ends[0]
    return (" to " if low < 0 else "–").join(ends)


def titles_of(titles: dict[str, str]) -> dict[str, str]:
    """Key → title of an experiment; with the key behind it if several have the same title."""
    times = Counter(titles.values())
    return {key: title if times[title] == 1 else f"{title} ({key})" for key, title in titles.items()}


class Verdict(NamedTuple):
    """Display of a verdict: its mark, its words, and its words for several claims."""

    mark: str
    words: str
    of_several: str


VERDICTS = {
    "holds": Verdict("✓", "holds", "hold"),
    "holds_in_part": Verdict("◐", "holds in part", "hold in part"),
    "fails": Verdict("✗", "fails", "fail"),
    "not_testable": Verdict("○", "undecided", "are undecided"),
    "not_run": Verdict("…", "run too short", "need longer runs"),
    "not_judged": Verdict("–", "not judged", "are not judged"),
}
#: The word of two columns → how it is shown.
HEADLINES = {
    "holds": VERDICTS["holds"],
    "as_published": Verdict("(✓)", "holds only as published", "hold only as published"),
    "in_part": VERDICTS["holds_in_part"],
    "fails": VERDICTS["fails"],
    "open": VERDICTS["not_testable"],
    "not_run": VERDICTS["not_run"],
    "not_judged": VERDICTS["not_judged"],
}


def number(value):
    """A number of four significant digits that JSON can hold; not-a-number and infinities in words."""
    if isinstance(value, str):
        return value
    value = float(value)
    if math.isnan(value):
        return "not a number"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    return int(value) if value == int(value) and abs(value) < 1e9 else float(f"{value:.4g}")


def explain(claims: list[dict]) -> str:
    """Claims for a terminal: id, verdict, verdict in the fair comparison, one line of numbers."""
    lines = [("claim", "as published", "fair comparison", "measured")]
    for claim in claims:
        shown = [VERDICTS[claim[key]].words if claim[key] else "–" for key in ("verdict", "verdict_strong")]
        name = ("  " if "." in claim["id"] else "") + claim["id"] + "+" * bool(claim.get("extra"))
        lines.append((name, *shown, _one_line(claim)))
    widths = [max(len(line[i]) for line in lines) for i in range(3)]
    return "\n".join(
        "  ".join([*(f"{w:{n}}" for w, n in zip(line, widths, strict=False)), line[3]]).rstrip()
        for line in lines
    )


def _one_line(claim):
    """Why it is undecided, or what was measured first."""
    if claim["verdict"] in ("not_testable", "not_run", "not_judged"):
        return claim["note"].split(". ")[0]
    place, values = next(((k, v) for k, v in claim["measured"].items() if isinstance(v, dict)), ("", {}))
    ends = [figure(values[end], 3) for end in ("low", "high") if end in values]
    return f"{place}: {' – '.join(dict.fromkeys(ends))}" if ends else ""


def _finite(value):
    """Whether a number is a measurement: no infinity, and not what stands for one."""
    return abs(value) < 1e300
