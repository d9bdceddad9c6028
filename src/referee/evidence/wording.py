"""Verdicts in words: measured numbers, notes, and a short rendering for a terminal."""

import math
from typing import NamedTuple


class Verdict(NamedTuple):
    """How a verdict is shown, everywhere: its mark, its words, and those for several claims."""

    mark: str
    words: str
    of_several: str


VERDICTS = {
    "holds": Verdict("✓", "holds", "hold"),
    "holds_in_part": Verdict("◐", "holds in part", "hold in part"),
    "fails": Verdict("✗", "fails", "fail"),
    "not_testable": Verdict("○", "not testable", "cannot be tested"),
}
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


def reading_words(readings: dict) -> list[str]:
    """Verdicts under other readings, one sentence each."""
    return [f"{name}: {VERDICTS[verdict].words}." for name, verdict in readings.items()]


def explain(claims: list[dict]) -> str:
    """Claims for a terminal: id, verdict, verdict against the strong baseline, one line of numbers."""
    lines = [("claim", "verdict", "strong baseline", "measured")]
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
