"""Statistics: functions of (race, parameters) that return a `Reading`; there are twelve."""

import inspect
from typing import NamedTuple

from projfree.ground.names import require

from ..judging.ranges import Range, Run

#: Name → statistic.
STATISTICS = {}


class Reading(NamedTuple):
    """The value of a statistic for the runs of one cell.

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
    """The words for a statistic in a sentence, with ``{metric}`` and its parameters.

    Attributes
    ----------
    what : str
        What it is: “the mean height of {metric}”; ``{name}`` is the metric without its article.
    when : str
        When it is read: “at the end ”.
    to : str
        Of times, what they are to: “settle at levels of {metric}”.
    """

    what: str
    when: str = ""
    to: str = ""


def statistic(said, along=False):
    """Register a function ``(race, *, …) -> Reading`` under its name.

    Parameters
    ----------
    said : callable
        Its parameters → `Said`.
    along : bool or callable
        Whether it needs an axis, ``over``; or parameters → that.
    """

    def registered(function):
        function.said, function.along = said, along if callable(along) else lambda _: along
        STATISTICS[function.__name__] = function
        return function

    return registered


def lookup(name: str):
    """The statistic of that name; an unknown one is an error that lists the known."""
    require([name], sorted(STATISTICS), "statistic")
    return STATISTICS[name]


def parameters_of(function) -> dict:
    """A statistic's parameters → defaults, ``inspect.Parameter.empty`` where it has none."""
    given = list(inspect.signature(function).parameters.items())[1:]  # but the race, or the readings
    return {name: parameter.default for name, parameter in given}
