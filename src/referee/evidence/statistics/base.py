"""What a statistic is: a function of (race, metric, parameters) that returns a `Reading`."""

import inspect
from functools import cache
from importlib import import_module
from typing import NamedTuple

from projfree.ground.names import require

from ...ground import rooms
from ..judging.operands import Run
from ..judging.ranges import Range

#: Module → name → statistic: a paper finds those of its room and of `evidence.statistics` alone.
FOUND = {}


class Reading(NamedTuple):
    """What a statistic says of the runs of one cell.

    Attributes
    ----------
    entries : list of str
        Words for each of its numbers: levels, parts of the budget, windows. A relation takes their median.
    ranges : dict
        Run → one `Range` an entry.
    scale : str
        ``log``: ratios are judged; ``linear``: differences are.
    visible : float
        The least difference that counts, in that scale.
    series : bool
        Whether the entries follow each other along the axis.
    noise : float
        How far the same run lies from itself when it is repeated, in the scale.
    levels : tuple of float
        Where its entries stand on the axis of the metric, of times to levels.
    """

    entries: list[str]
    ranges: dict[Run, list[Range]]
    scale: str = "log"
    visible: float = 0.0
    series: bool = False
    noise: float = 0.0
    levels: tuple = ()


class Said(NamedTuple):
    """How a statistic is said in a sentence, of ``{metric}`` and its parameters; see `statistic`."""

    what: str
    when: str
    to: str


def statistic(function=None, *, along: bool = False, said: str = "", when: str = "", to: str = ""):
    """Register a function ``(race, *, …) -> Reading`` under its name.

    Parameters
    ----------
    along : bool
        Whether it needs an axis, ``over``.
    said, when, to : str
        For sentences: what it is, “the mean height of {metric}”; when it is read, “at the end ”; of times
        what they are to do, “settle at levels of {metric}”. ``{name}`` is the metric without its article.
    """
    if function is None:
        return lambda given: statistic(given, along=along, said=said, when=when, to=to)
    what = f"the {{over}} to {to}" if to else said or function.__name__.replace("_", " ") + " of {metric}"
    function.along, function.said = along, Said(what, when, to)
    FOUND.setdefault(function.__module__, {})[function.__name__] = function
    return function


def modules(paper: str) -> list[str]:
    """Modules with the statistics that a paper may use; judging depends on them."""
    return rooms.every(paper, "statistics")


@cache
def statistics_of(paper: str) -> dict:
    """The statistics that a paper may use, by name."""
    found = {}
    for module in modules(paper):
        import_module(module)
        for name, function in FOUND.get(module, {}).items():
            if name in found:
                raise ValueError(f"{module}: {found[name].__module__} has a statistic {name!r} too")
            found[name] = function
    return found


def lookup(name: str, paper: str):
    """The statistic of that name; an unknown one is an error that lists the known."""
    known = statistics_of(paper)
    require([name], sorted(known), "statistic")
    return known[name]


def parameters_of(function) -> dict:
    """A statistic's parameters → defaults, ``inspect.Parameter.empty`` where it has none."""
    given = list(inspect.signature(function).parameters.items())[1:]  # but the race, or the readings
    return {name: parameter.default for name, parameter in given}
