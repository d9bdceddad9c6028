"""Statistics of the course of one curve: changes between two places, and plateaus."""

import math

import numpy as np

from ..judging.race import levels_of
from ..judging.ranges import Range, Run
from ..panel import Missing, NotReached
from .base import Reading, Said, statistic
from .times import settled

#: Rises are counted above this share of the start.
FLOOR = 1e-6


def _of_each(race, words, number):
    return Reading([words], {run: [Range.of(number(run))] for run in race.runs}, "linear")


def _words(place):
    if isinstance(place, dict):
        kind, given = next(iter(place.items()))
        return {"share": f"{given:g} of the budget", "record": f"record {given}"}.get(kind, f"{kind} {given}")
    return {"end": "the end", "last": "the last value"}.get(place, f"the {place.replace('_', ' ')}")


def _said_change(given):
    if given["parts"]:
        return Said("the first over the last fall of {metric}")
    if given["visible"]:
        return Said("the rebound of {metric}")
    return Said(f"{{metric}} at {_words(given['to'])} over that at {_words(given['origin'])}")


def _on_axis(given):
    return bool(given["parts"]) or any(
        place == "end" or "share" in place for place in (given["origin"], given["to"])
    )


@statistic(_said_change, along=_on_axis)
def change(
    race, *, origin="start", to="last", visible=False, falling=None, gate=None, parts=None, share=0.01
):
    """The value at one place of a run over that at another.

    Parameters
    ----------
    origin, to : str or dict
        ``start``, ``last``, ``end`` (of the budget), ``least``, ``largest``; ``{share: 0.5}`` of the budget,
        ``{record: 1}``, ``{least_from: 1}``: the least from that record on.
    visible : bool
        1 where the rise cannot be seen: below 1 % of the axis as it is drawn, or 10⁻⁶ of the start; or where
        the least value is the first or the last.
    falling : str, optional
        A metric that must not rise between the two, or there is no change.
    gate : dict, optional
        ``{metric, below}``, with ``below`` a number or ``{panel, method, metric, where}``, the value there of
        the same seed: what a sentence presupposes. A run says something only once its metric has got below.
    parts : int, optional
        In place of it the fall over the first of so many equal parts of the way to the level `share` over
        that in the last. What is still falling has no last part.
    """
    if parts:
        return _of_each(race, "first part / last part", lambda run: _steepness(race, run, parts, share))

    def number(run):
        if gate:
            _pass(race, run, **gate)
        values = race.values(run)
        if visible and not _seen(race, run, values, falling):
            return 1.0
        below, above = (_at(race, run, values, place) for place in (origin, to))
        return float(above / below) if below else math.inf

    return _of_each(race, f"{_words(to)} / {_words(origin)}", number)


def _at(race, run, values, place):
    if isinstance(place, str):
        return {
            "start": lambda: values[0],
            "last": lambda: values[-1],
            "end": lambda: _holds(race.lines[run], race.end),
            "least": values.min,
            "largest": values.max,
        }[place]()
    kind, given = next(iter(place.items()))
    if kind == "share":
        return _holds(race.lines[run], given * race.end)
    if given >= len(values):
        raise Missing(f"record {given}")
    return values[given] if kind == "record" else values[given:].min()


def _seen(race, run, values, falling):
    at = int(np.argmin(values))
    least, last = values[at], values[-1]
    drawn = race.drawn
    rise = math.log(last / least) if drawn.scale == "log" and least > 0 else last - least
    above = rise > drawn.visible and last - least > FLOOR * abs(values[0])
    return 0 < at < len(values) - 1 and above and _falls(race, run, falling, at)


def _falls(race, run, falling, at):
    if falling is None:
        return True
    course = race.records(run, race.metric, falling)[falling].to_numpy(float)
    return course[-1] <= course[at]


def _pass(race, run, metric, below):
    limit = below if not isinstance(below, dict) else _elsewhere(race, **below)
    reached = race.on(metric=metric).values(run).min()
    if not reached < limit:
        raise NotReached(f"{metric} of {run.method} below {limit:.6g}: it got to {reached:.6g}")


def _elsewhere(race, panel, method, metric, where):
    """A number that another panel of the same instances has."""
    run = Run(method, panel)
    return float(race.on(runs=[run], metric=metric, where=where).values(run)[-1])


def _steepness(race, run, parts, share):
    line, (level,) = race.lines[run], levels_of(race, shares=[share], common=False).values()
    end = settled(line, level).high
    if end == math.inf:
        raise Missing(f"settled run of {run.method}: it is still falling")
    first, last = (
        _holds(line, end * x) - _holds(line, end * y) for x, y in [(0, 1 / parts), (1 - 1 / parts, 1)]
    )
    return first / last if last > 0 else math.inf


@statistic(lambda given: Said("the largest fall after a plateau of {metric}"), along=True)
def plateau(race, *, flat=1e-3):
    """The largest fall after an x over whose latter half, [x/2, x], the fall was at most `flat`; relative."""

    def number(run):
        line = race.lines[run].until(race.end)
        later = [
            1 - line.last / y for x, y in zip(line.x[1:], line.y[1:], strict=True) if _flat(line, x, flat)
        ]
        return max(later, default=0.0)

    return _of_each(race, "fall after a plateau", number)


def _flat(line, x, flat):
    then = _holds(line, x)
    return _holds(line, x / 2) - then <= flat * then


def _holds(line, x):
    """The value that holds at x."""
    return float(line.y[max(int(np.searchsorted(line.x, x, side="right")) - 1, 0)])
