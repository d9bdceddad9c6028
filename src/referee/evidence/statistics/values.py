"""Values at the end and on the way, at equal levels and ranks; counts; shares of time."""

from fractions import Fraction

import numpy as np

from projfree.trace.timers import belongs

from ..judging.cost_model import TIMER
from ..judging.race import GRACE, levels_of
from ..judging.ranges import ANY, Range
from ..panel import Missing, Outside
from .base import Reading, Said, statistic
from .times import least_of

#: The places of `value` that need no axis.
OFF_AXIS = ("last", "record", "rank")


def when(part: float) -> str:
    """Words for a part of the budget."""
    return "the end" if part == 1 else f"{Fraction(part).limit_denominator(100)} of the budget"


def value_at(line, x: float, scale: str) -> float:
    """The value of a curve at `x`: between two records on the line that a figure draws between them."""
    before = line.until(x)
    after = slice(len(before.y), len(before.y) + 1)
    if before.x[-1] * GRACE >= x or not np.isfinite(line.y[after]).any():
        return before.last
    low, high = before.last, float(line.y[after][0])
    share = float((x - before.x[-1]) / (line.x[after][0] - before.x[-1]))
    if scale == "log" and low > 0 < high:
        return low ** (1 - share) * high**share
    return low + share * (high - low)


def _place(at):
    """The kind of a place, and what it is given."""
    return next(iter(at.items())) if isinstance(at, dict) else (at, None)


def _said(given):
    kind, found = _place(given["at"])
    per, minus = given["per"], given["minus"]
    what = "the remaining share of {metric}" if per == "start" else "{metric}"
    what += f" over the {per}" if per and per != "start" else ""
    what = "the distance from the best {name}" if minus else what
    begin = {
        "end": "at the end ",
        "last": "at the last iterate ",
        "share": "on the way ",
        "record": f"after record {found} ",
        "rank": "at equal rank ",
        "level": f"at equal levels of the {found} ",
    }[kind]
    begin = "where it has settled, " + begin if given["settled"] else begin
    begin = "where it escapes, " + begin if given["given"] else begin
    return Said(what, begin)


@statistic(_said, along=lambda given: _place(given["at"])[0] not in OFF_AXIS)
def value(race, *, at="end", shares=None, per=None, minus=None, settled=None, given=None):
    """The metric at a place of the run.

    Parameters
    ----------
    at : str or dict
        ``end``: t_end, the end of the panel's budget; ``last``: the last iterate, whenever the run ended;
        ``{share: 0.5}`` (or a list): a share of the budget; ``{record: 1}``; ``{rank: 3}``: the least at each
        rank from 3 on that all runs have; ``{level: objective}``: where the run has settled at levels of
        that metric (`shares`), between the records around.
    per : str, optional
        ``start``: over the run's own first value; a metric: over its value at the same place.
    minus : list, optional
        Less the least value that any of these methods reached; at least 0.
    settled : dict, optional
        ``{since, within}``: only of runs that fell by at most `within` since that part of the budget; one
        that rises away from its least value has settled.
    given : dict, optional
        ``{metric, above, else}``: only of runs whose last value of that metric is above a number.
    """
    kind, place = _place(at)
    for run in race.runs:
        _require(race, run, settled, given)
    if kind == "level":
        return _at_levels(race, place, shares)
    if kind == "rank":
        return _at_ranks(race, least=place)
    if kind == "end" and per == "start":
        found = _at_end(race)
    elif kind in ("end", "share"):
        found = _on_axis(race, [1.0] if kind == "end" else place if isinstance(place, list) else [place])
    else:
        found = _off_axis(race, place if kind == "record" else -1)
    return found if per is None and minus is None else _related(race, found, at, per, minus)


def _require(race, run, settled, given):
    if given and not race.on(metric=given["metric"], best=False).values(run)[-1] > given["above"]:
        raise Outside(f"{given['metric']} of {run.method} above {given['above']:g}")
    if settled is None:
        return
    end = race.panel_of(run).end([run.method], race.seed, race.axis)
    line = race.on(best=False).lines[run].until(end)
    then = line.until(settled["since"] * end).last
    if line.last < (1 - settled["within"]) * then:
        raise Missing(f"settled run of {run.method}: it fell by {1 - line.last / then:.1%} at last")


def _at_end(race):
    """Values at t_end; records after the budget are not used."""
    ranges = {run: [Range.of(line.until(race.end).last)] for run, line in race.lines.items()}
    return Reading(["the end"], ranges, race.drawn.scale, race.drawn.visible)


def _on_axis(race, parts):
    scale = race.drawn.scale
    ranges = {
        run: [Range.of(value_at(line, part * race.end, scale)) for part in parts]
        for run, line in race.lines.items()
    }
    return Reading([when(part) for part in parts], ranges, scale, race.drawn.visible, len(parts) > 1)


def _off_axis(race, record):
    ranges = {run: [Range.of(_record(race.course(run), record))] for run in race.runs}
    words = "the last iterate" if record == -1 else f"record {record}"
    return Reading([words], ranges, race.drawn.scale)


def _record(values, record):
    if record >= len(values):
        raise Missing(f"record {record}")
    return values[record]


def _related(race, found, at, per, minus):
    """Values over others, or less the best."""
    if minus is not None:
        least = least_of(race, minus)
        ranges = {run: [Range.of(max(r.low - least, 0.0)) for r in own] for run, own in found.ranges.items()}
        return Reading(["above the best"], ranges, "linear")
    if per == "start":
        unit = {run: [Range.of(race.values(run)[0])] * len(own) for run, own in found.ranges.items()}
        words = ["share of the start"]
    else:
        unit, words = value(race.on(metric=per), at=at).ranges, [f"per {per}"]
    ranges = {
        run: [Range.of(x.low / y.low) for x, y in zip(own, unit[run], strict=True)]
        for run, own in found.ranges.items()
    }
    return Reading(words * len(found.entries), ranges)


def _at_levels(race, of, shares):
    levels = levels_of(race.on(metric=of), shares=shares)
    ranges = {run: [_there(race, run, of, level) for level in levels.values()] for run in race.runs}
    return Reading(list(levels), ranges, race.drawn.scale)


def _there(race, run, of, level):
    frame = race.records(run, race.metric, of)
    above = np.flatnonzero(~(frame[of].to_numpy(float) <= level))
    at = above[-1] + 1 if above.size else 0
    if at == len(frame):
        return ANY
    around = frame[race.metric].to_numpy(float)[max(at - 1, 0) : at + 1]
    return Range(float(around.min()), float(around.max()))


def _at_ranks(race, least):
    best = {}
    for run in race.runs:
        frame = race.records(run, race.metric, "rank")
        best[run] = frame[frame["rank"] >= least].groupby("rank")[race.metric].min()
    common = sorted(set.intersection(*(set(values.index) for values in best.values())))
    if not common:
        raise Missing(f"a rank of at least {least} that all of them have")
    ranges = {run: [Range.of(values[at]) for at in common] for run, values in best.items()}
    return Reading([f"rank {at:g}" for at in common], ranges)


def _said_count(given):
    per = " a pass" if given["per"] == "iteration" else f" per {given['per']}" if given["per"] else ""
    until = " to the level" if given["until"] else ""
    return Said(f"the number of {given['until'] or given['oracle']}{per}{until}")


@statistic(_said_count)
def count(race, *, oracle, per=None, until=None):
    """Calls of an oracle in the whole run.

    Parameters
    ----------
    oracle : str
        An axis: ``LO``, ``IFO+SSO``.
    per : str, optional
        Over that count at the end: ``iteration``.
    until : str, optional
        The column of calls so far: `oracle` is then that of the calls at which a probe saw its level
        reached, above `until` before. Between the records around it; at least all, if it never is.
    """
    if until:
        calls = {run: [_reached(race.records(run, oracle, until), oracle, until)] for run in race.runs}
        return Reading(["calls to the level"], calls)
    columns = [oracle, *([per] if per else [])]
    last = {run: race.records(run, *columns).iloc[-1] for run in race.runs}
    if per and (idle := [run.method for run, row in last.items() if not row[per] > 0]):
        raise Missing(f"{per} of {', '.join(idle)} in {race.panel.name}")
    found = {run: [Range.of(row[oracle] / (row[per] if per else 1))] for run, row in last.items()}
    return Reading(["calls"], found)


def _reached(phases, metric, by):
    calls, level = phases[by].to_numpy(float), float(phases[metric].iloc[-1])
    if level > calls[-1]:
        return Range(float(calls[-1]), np.inf)
    return Range(float(calls[calls < level].max(initial=0.0)), level)


@statistic(lambda given: Said(f"the share of the CPU time in {given['timer']}"))
def share(race, *, timer):
    """Share of the CPU seconds that an oracle took, or a phase with the oracles that it called."""
    found = {}
    for run in race.runs:
        last = race.records(run, f"{TIMER}{timer}", "cpu_seconds").iloc[-1]
        inside = [c for c in last.index if c.startswith(TIMER) and belongs(c.removeprefix(TIMER), timer)]
        spent = float(last["cpu_seconds"])
        found[run] = [Range.of(last[inside].sum() / spent if spent else np.nan)]
    return Reading([f"share of {timer}"], found, "linear")
