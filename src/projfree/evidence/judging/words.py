"""Verdicts in words: numbers that are never infinite, and one computed sentence for people."""

import math
from collections.abc import Iterable
from statistics import median

from ..relations import AtMost, Equal, Less, Monotone, Order, SlopeAtMost, Turns
from .ranges import Range


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


def sentence_of(judgement, labels: dict[str, str]) -> str:
    """One sentence: what is measured of whom, in how many panels and seeds, and its range.

    Parameters
    ----------
    labels : dict
        Method → how it is called in the figures.
    """
    said = f"{_where(judgement)} {_statement(judgement.sentence, labels)}"
    numbers = _numbers(judgement)
    return said + (f": {numbers}." if numbers else ".")


def _named(text, labels):
    if isinstance(text, list):
        names = [_named(name, labels) for name in text]
        return f"the best of {' and '.join(names)}" if len(names) > 1 else names[0]
    for mark, words in ((" / ", " over "), ("@", " on ")):
        if mark in str(text):
            return words.join(_named(part, labels) for part in text.split(mark))
    return labels.get(text, str(text))


def _statement(sentence, labels):
    relation, what = sentence.relation, _statistic(sentence)

    def name(text):
        return _named(text, labels)

    if isinstance(relation, Less):
        share = f"at most {1 / relation.factor:.4g} of" if relation.factor != 1 else "less than"
        return f"{what} of {name(relation.a)} is {share} that of {name(relation.than)}"
    if isinstance(relation, Equal) and relation.to_number:
        return f"{what} is {relation.to:g} within {relation.within:g}"
    if isinstance(relation, Equal):
        near = "the resolution" if relation.within is None else f"a factor {1 + relation.within:g}"
        return f"{what} of {name(relation.a)} equals that of {name(relation.to)} within {near}"
    if isinstance(relation, Order):
        return f"{what} is ordered {' < '.join(map(name, relation.methods))}"
    return f"{what} {_bounded(relation)}"


def _bounded(relation):
    if isinstance(relation, AtMost):
        factor = f"{relation.factor:g} times " if relation.factor != 1 else ""
        return f"is at {'least' if relation.at_least else 'most'} {factor}{relation.bound}"
    if isinstance(relation, SlopeAtMost):
        return f"is at most {relation.order:g} + {relation.within:g}"
    if isinstance(relation, Monotone):
        return "never falls" if relation.rising else "never rises"
    assert isinstance(relation, Turns)
    return "falls and then rises"


_STATISTICS = {
    "end": "{metric} at the end",
    "at": "{metric} on the way",
    "time_to": "the {over} to settle at levels of {metric}",
    "first": "the {over} to first reach levels of {metric}",
    "area": "the mean height of {metric}",
    "slope": "the order of {metric} in {against}",
    "mean": "mean {metric}",
    "quantile": "{metric}",
    "rank": "the rank correlation of {metric} with {by}",
    "count": "the number of {oracle} calls",
    "share": "the share of {timer}",
    "final": "{metric} of the last iterate",
}


def _statistic(sentence):
    given = {"over": sentence.over.replace("_", " "), **sentence.read, **sentence.options}
    words = _STATISTICS.get(sentence.statistic, sentence.statistic.replace("_", " ") + " of {metric}")
    return words.format_map(_Known(given))


class _Known(dict):
    """Words for a template; what is not given says nothing."""

    def __missing__(self, key):
        return ""


def _where(judgement):
    """In how many panels and seeds it is so, and how many are open."""
    held = [panel.holds(judgement.sentence.quota) for panel in judgement.panels]
    cells = judgement.counts
    known, unknown = cells["true"] + cells["false"], cells["untestable"]
    if not known:
        return "In none of the seeds can be said whether"
    seeds = f"{cells['true']} of {known} seeds" + (f", {unknown} open" if unknown else "")
    return f"In {held.count(True)} of {len(held)} panels ({seeds})" if len(held) > 1 else f"In {seeds}"


def _numbers(judgement):
    """The first measured number: its range over the panels, each the median of its seeds."""
    found = [next(iter(medians(p).items())) for p in judgement.panels if p.cells and medians(p)]
    known = [(name, value) for name, value in found if shown(value) is not None]
    if not known:
        return ""
    values = sorted((value for _, value in known), key=lambda r: (r.low, r.high))
    low, high = _apart(values[0], values[-1]) if len(values) > 1 else (shown(values[0], 3), None)
    small = "; small is good" if known[0][0] == "ratio" else ""
    return f"{known[0][0]} {low}" + (f" … {high}" if high not in (None, low) else "") + small


def _apart(low, high):
    """Both ends in 3 digits, in 5 where 3 hide the difference."""
    short = shown(low, 3), shown(high, 3)
    return short if short[0] != short[1] or low == high else (shown(low, 5), shown(high, 5))
