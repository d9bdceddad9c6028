"""Measured numbers in words, which are never infinite."""

import math
from collections.abc import Iterable
from statistics import median

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
