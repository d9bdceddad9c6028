"""All in words: axes, metrics and experiments; verdicts; measured numbers, which are never infinite."""

import math
import re
from collections import Counter
from collections.abc import Iterable
from statistics import median
from typing import NamedTuple

from .columns import COLUMNS
from .judging.ranges import Range

AXIS_LABELS = {
    "cpu_seconds": "CPU time (s)",
    "model_seconds": "model time (s)",
    "wall_seconds": "wall time (s)",
    "iteration": "iterations",
    "FO": "full gradients (FO)",
    "IFO": "component gradients (IFO)",
    "IFO/n": "full-gradient equivalents (IFO/n)",
    "IFO+SSO": "oracle calls (IFO + SSO)",
    "(IFO+SSO)/n": "oracle calls over n ((IFO + SSO)/n)",
    "SSO": "Hessian-vector products (SSO)",
    "LO": "linear minimisations (LO)",
    "PO": "projections (PO)",
    "PU": "polar searches (PU)",
    "matvec": "matrix-vector products",
    "FO+matvec/10": "work (FO + matvec/10)",
    "outer": "outer iterations",
    "weight": "λ",
    "delta": "δ of the descent test",
    "objective": "objective F",
    "sq_gradient_mapping": "squared gradient mapping ‖g‖²",
    "fw_gap": "Frank-Wolfe gap",
    "saddle_fw_gap": "saddle Frank-Wolfe gap",
    "fw_gap_phi": "Frank-Wolfe gap of φ (y exact)",
    "rmse_test": "test RMSE",
    "accuracy_test": "test accuracy",
    "rmse_best": "least test RMSE",
    "error_test": "test error",
    "error_clean": "reconstruction error",
    "error_noisy": "error on the noisy views",
    "reconstruction_error": "reconstruction error (RMSE)",
    "crit": "distance to a critical point",
    "gradient_error": "error of the gradient estimate",
    "relative_gap": "Frank-Wolfe gap over the radius, V/R",
    "polar_ratio": "polar over λ, κ°(−∇ℓ)/λ",
    "excess": "excess over the reference (share of the start's)",
    "seconds": "CPU time (s)",
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
    return _minus(f"{float(f'{value:.{whole}g}'):,.{max(0, digits - _places(value))}f}")


def exact(value: float) -> str:
    """A number that somebody chose: up to four digits, without zeros behind them."""
    short = f"{value:.4g}"
    if "e" not in short:
        return _minus(short)
    mantissa, _, exponent = short.partition("e")
    raised = f"10{str(int(exponent)).translate(SUPERSCRIPTS)}"
    return _minus(raised if mantissa == "1" else f"{mantissa}·{raised}")


SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def _places(value):
    """Digits before the decimal point; not above 0 for what is below 1."""
    return math.floor(math.log10(abs(value))) + 1


def _minus(words):
    return words.replace("-", "−")


def between(value: Range, digits: int = 2) -> str:
    """A range in a sentence: “2.4–3.0”, “at least 249”, one number if both ends read alike."""
    low, high = value
    if not _finite(high):
        return f"at least {figure(low, digits)}"
    if not _finite(low) or low == 0 < high:
        return f"at most {figure(high, digits)}"
    told = figure(low, digits), figure(high, digits)
    if told[0] == told[1] and not math.isclose(low, high, rel_tol=1e-3):
        told = figure(low, digits + 1), figure(high, digits + 1)
    if told[0] == told[1]:
        return told[0]
    return (" to " if low < 0 else "–").join(told)


#: How a reason why nothing is decided begins → as people read it.
REASONS = {
    "within the resolution": "too close to call",
    "its control holds too": "the negative control passes too",
    "neither side moves": "neither side made progress",
    "the bound lies within its range": "the limit is inside the measured range",
    "its range is open": "the limit is inside the measured range",
    "seconds that were not measured repeatedly": "the seconds were measured once only",
}


def reason_words(why: str) -> str:
    """A reason why nothing is decided, as people read it."""
    return REASONS.get(why, why)


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
    "not_run": Verdict("○", "not run at length", "are not run at length"),
    "not_judged": Verdict("–", "not judged", "are not judged"),
}
#: The word of two columns (docs/judging-reference.md) → how it is shown.
HEADLINES = {
    "holds": VERDICTS["holds"],
    "as_published": Verdict("(✓)", "holds as published only", "hold as published only"),
    "in_part": VERDICTS["holds_in_part"],
    "fails": VERDICTS["fails"],
    "open": VERDICTS["not_testable"],
    "not_run": VERDICTS["not_run"],
    "not_judged": VERDICTS["not_judged"],
}
#: Of a fair comparison, in a sentence.
FAIR = {"holds": "holds", "holds_in_part": "holds in part", "fails": "fails", "not_testable": "undecided"}
#: Types of claims that name competitors.
COMPARED = ("comparison", "order")


def headline_words(entry: dict) -> str:
    """An entry's two columns in words: “holds as published, not in a fair comparison (1 of 3 panels)”.

    Parameters
    ----------
    entry : dict
        Of claims.json, with ``headline``.
    """
    word, fair = entry["headline"], entry["verdict_strong"]
    if fair is None:
        unrun = entry.get("type") in COMPARED and word in ("holds", "in_part", "open")
        return HEADLINES[word].words + ("; no fair comparison was run" if unrun else "")
    if word == "as_published":
        if fair == "not_testable":
            return "holds as published; fair comparison: undecided"
        return "holds as published, not in a fair comparison" + _panels_of(entry)
    if word in ("in_part", "open"):
        begin = {"in_part": "holds in part as published", "open": "undecided as published"}[word]
        return f"{begin}; fair comparison: {FAIR[fair]}" + _panels_of(entry) * (fair == "holds_in_part")
    return HEADLINES[word].words


def fair_cell(entry: dict) -> dict:
    """The cell of a race that is the fair comparison: the last that was run; empty without one."""
    run = [cell for cell in (entry.get("race") or {}).values() if isinstance(cell, dict)]
    return run[-1] if run[1:] else {}


def _panels_of(entry):
    """In how many panels of the fair comparison it holds, where that is known of one sentence."""
    told = fair_cell(entry).get("panels", "")
    return f" ({told} panels)" if told and not told.endswith(" of 1") else ""


#: How the remark begins that says which data only stand in for the paper's.
STAMP = "STAND-IN: "


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


def brief(part: dict) -> str:
    """One line for a part: its verdict, in how many panels it holds, and the range of its first number."""
    panels, measured = part["panels"], part["measured"]
    held = sum(panel["verdict"] == "holds" for panel in panels)
    words = VERDICTS[part["verdict"]].words
    if len(panels) > 1:
        words += f" ({held} of {len(panels)} panels)"
    span = _span(measured) if panels else ""
    return words + (f": {span}" if span else "")


def _span(measured):
    """The first measured number of each panel, as a range if panels share its name."""
    firsts = [next(iter(values.items())) for values in measured.values()]
    if not firsts:
        return ""
    name = firsts[0][0]
    values = [value for word, value in firsts if word == name and not isinstance(value, str)]
    if not values:
        return f"{name} {firsts[0][1]}"
    low, high = min(values), max(values)
    return f"{name} {low:g}" + (f" … {high:g}" if high > low else "")


def explain(claims: list[dict]) -> str:
    """Claims for a terminal: id, verdict, verdict in the fair comparison, one line of numbers."""
    lines = [("claim", "as published", "fair comparison", "measured")]
    for claim in claims:
        shown = [VERDICTS[claim[key]].words if claim[key] else "–" for key in ("verdict", "verdict_strong")]
        name = ("  " if "." in claim["id"] else "") + claim["id"] + "+" * bool(claim.get("extra"))
        lines.append((name, *shown, _one_line(claim)))
    return _aligned(lines)


def explain_controls(claims: list[dict]) -> str:
    """Claims for a terminal: id, verdict, what its control says, whether the test sees the difference."""
    lines = [("claim", "verdict", "control", "")]
    for claim in (claim for claim in claims if "controls" in claim):
        control = claim["controls"]
        words = f"{control['kind']}: {VERDICTS[control['verdict']].words}"
        blind = "vacuous: its control holds too" if claim["vacuous"] else ""
        lines.append((claim["id"], VERDICTS[claim["verdict"]].words, words, blind))
    return _aligned(lines)


def _aligned(lines):
    """Lines of four words, in columns."""
    widths = [max(len(line[i]) for line in lines) for i in range(3)]
    return "\n".join(
        "  ".join([*(f"{w:{n}}" for w, n in zip(line, widths, strict=False)), line[3]]).rstrip()
        for line in lines
    )


def _one_line(claim):
    if claim["verdict"] == "not_testable":
        return claim["note"].split(". ")[0]
    if not claim["panels"]:
        return ""
    return _span(claim["measured"])


def shown(value: Range, digits: int = 4):
    """A range for JSON: a number, or words where it is open or wide; None where nothing is known."""
    low, high = value
    if math.isnan(low) or math.isnan(high) or (not _finite(low) and not _finite(high)):
        return None
    if not _finite(high):
        return f"at least {_short(low, digits)}"
    if not _finite(low) or (low == 0 < high):
        return f"at most {_short(high, digits)}"
    if math.isclose(low, high, rel_tol=1e-3):
        return _rounded(value.middle, digits)
    return f"{_short(low, digits)} to {_short(high, digits)}"


def _finite(value):
    """Whether a number is a measurement: no infinity, and not what stands for one."""
    return abs(value) < 1e300


def _rounded(value, digits):
    value = float(f"{value:.{digits}g}")
    return int(value) if value == int(value) and abs(value) < 1e9 else value


def _short(value, digits=3):
    return f"{_rounded(value, digits):g}"


def middle_of(ranges: Iterable[Range]) -> Range:
    """Medians of the lower and the upper ends over the seeds."""
    ranges = [r for r in ranges if not math.isnan(r.middle) or _finite(r.low) or _finite(r.high)]
    if not ranges:
        return Range(math.nan, math.nan)
    return Range(median(r.low for r in ranges), median(r.high for r in ranges))


def medians(panel) -> dict[str, Range]:
    """Measured words → their medians over a panel's seeds."""
    names = dict.fromkeys(name for cell in panel.cells.values() for name in cell.measured)
    cells = panel.cells.values()
    return {name: middle_of(c.measured[name] for c in cells if name in c.measured) for name in names}


def measured(panel) -> dict:
    """Medians of a panel in words, and in how many seeds it is true."""
    numbers = {name: shown(value) for name, value in medians(panel).items()}
    known = [truth for truth in panel.truths() if truth is not None]
    words = f"{sum(known)} of {len(known)}" + (" (mean of seeds)" if panel.pool else "")
    open_ones = len(panel.cells) - len(known)
    words += f", {open_ones} open" if open_ones else ""
    return {name: value for name, value in numbers.items() if value is not None} | {"true in": words}
