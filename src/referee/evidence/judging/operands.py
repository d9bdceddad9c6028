"""What is compared: ``casvrg``, ``casvrg@fig1-p10``, ``ours / theirs``, or the best of a list of them."""

from dataclasses import dataclass
from typing import NamedTuple

from ...ground.operands import ON, OVER
from .ranges import Range, least, quotient


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
