"""Numbers known up to an interval, in three-valued logic; operands, whose ranges are compared."""

import math
from dataclasses import dataclass
from typing import NamedTuple

from ...ground.operands import ON, OVER


class Range(NamedTuple):
    """All that a number may be; ``high`` is ∞ for "at least ``low``"."""

    low: float
    high: float

    @classmethod
    def of(cls, value: float) -> "Range":
        """A number that is known exactly."""
        return cls(float(value), float(value))

    def mapped(self, increasing) -> "Range":
        """The range of an increasing function of the number."""
        return Range(increasing(self.low), increasing(self.high))

    def widened(self, by: float) -> "Range":
        """The range with `by` more on both sides."""
        return Range(self.low - by, self.high + by)

    @property
    def middle(self) -> float:
        """Its middle; ±∞ or NaN if it has no end."""
        return _mean(self.low, self.high)


ANY = Range(-math.inf, math.inf)


def _mean(a, b):
    return (float(a) + float(b)) / 2


def difference(a: Range, b: Range) -> Range:
    """All that b − a may be; equal infinities leave it open."""
    return Range(_less(b.low, a.high, -math.inf), _less(b.high, a.low, math.inf))


def _less(x, y, unknown):
    return unknown if math.isinf(x) and x == y else x - y


def log(value: float) -> float:
    """Logarithm with log 0 = −∞."""
    return math.log(value) if value > 0 else -math.inf


def quotient(a: Range, b: Range) -> Range:
    """All that a/b may be, for numbers that are not negative."""
    return difference(b.mapped(log), a.mapped(log)).mapped(exp)


def exp(value: float) -> float:
    """Exponential that is finite for finite values."""
    return math.exp(min(value, 700)) if value < math.inf else math.inf


def median(ranges: list[Range]) -> Range:
    """Medians of the lower and of the upper ends; antisymmetric. Ranges that say nothing leave."""
    known = [r for r in ranges if r != ANY]
    if not known:
        return ANY
    low, high = (_median([r[end] for r in known]) for end in (0, 1))
    return Range(-math.inf if math.isnan(low) else low, math.inf if math.isnan(high) else high)


def _median(values):
    values, half = sorted(values), len(values) // 2
    return values[half] if len(values) % 2 else _mean(values[half - 1], values[half])


def least(ranges: list[Range]) -> Range:
    """The least of several numbers."""
    return Range(min(r.low for r in ranges), min(r.high for r in ranges))


def above(margin: Range, threshold: float = 0.0) -> bool | None:
    """Whether a number is at least the threshold; None if the range does not decide."""
    if margin.low >= threshold:
        return True
    return False if margin.high < threshold else None


def every(truths) -> bool | None:
    """Three-valued "and": one that is false settles it."""
    truths = list(truths)
    if False in truths:
        return False
    return None if None in truths else True


class Run(NamedTuple):
    """A method, and the panel it ran on: the sentence's own unless it names another."""

    method: str
    panel: str = ""


@dataclass(frozen=True)
class Operand:
    """The best of `runs`, over the best of `per` if there are any."""

    runs: tuple[Run, ...]
    per: tuple[Run, ...] = ()

    def entries(self, found: dict[Run, list[Range]]) -> list[Range]:
        """Its ranges, one an entry of the statistic."""
        own = _best(self.runs, found)
        if not self.per:
            return own
        return [quotient(x, y) for x, y in zip(own, _best(self.per, found), strict=True)]

    def __str__(self):
        return OVER.join(_words(group) for group in (self.runs, self.per) if group)


def _best(runs, found):
    return [least(entries) for entries in zip(*(found[run] for run in runs), strict=True)]


def _words(runs):
    names = [ON.join(filter(None, run)) for run in runs]
    return names[0] if len(names) == 1 else f"min({', '.join(names)})"


def operand(text) -> Operand:
    """Parse an operand; a list is the best of its methods, and of those of lists in it."""
    if isinstance(text, list):
        return Operand(tuple(run for name in text for run in operand(name).runs))
    above, _, below = str(text).partition(OVER)
    return Operand((_run(above),), (_run(below),) if below else ())


def _run(text):
    method, _, panel = text.strip().partition(ON)
    return Run(method, panel)


def runs_of(operands) -> list[Run]:
    """All runs that operands need, each once."""
    return list(dict.fromkeys(run for o in operands for run in (*o.runs, *o.per)))
