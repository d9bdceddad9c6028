"""What a claim asks of the drawn figure: each measure is one thing that a reader can check with a ruler.

All take a panel or a list of panels, and a method or several, and give findings, one a panel, pair and seed.
Times are of the axis `over`; the scale of heights is the one in which the paper draws the metric.
"""

from collections.abc import Callable, Iterable
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from projfree.trace.timers import belongs

from .evidence import CLOCK, NotRun, Outside, Panel
from .findings import AGREED, Finding, decided
from .races import PLACES, TIED, VISIBLE, Race

#: Of places and of heights so many have to say something, and so many of the lowest have a veto.
LEAST, LOWEST = 3, 3
#: What is said of seconds whose noise nobody knows: no seed of a method was run again.
ONCE = "seconds measured once"
#: What a measure takes of the records of a run; a row's statistic → one number, or all.
STATISTICS: dict[str, Callable] = {
    "every": lambda values: values,
    "last": lambda values: values.iloc[-1:],
    "first": lambda values: values.iloc[:1],
    "median": lambda values: values.median(),
    "mean": lambda values: values.mean(),
    "largest": lambda values: values.max(),
    "least": lambda values: values.min(),
}


def listed(panels: Panel | Iterable[Panel]) -> list[Panel]:
    """One panel or several, as a list."""
    return [panels] if isinstance(panels, Panel) else list(panels)


def each(names) -> list:
    """One name (or function) or several, as a list."""
    return [names] if isinstance(names, str) or callable(names) else list(names)


def about_panel(panel: Panel, *methods: str) -> dict:
    """What each finding of methods in a panel says beside its numbers: kind of data, length of the runs."""
    return {"panel": panel.name, "data": panel.data, "length": panel.length(*methods)}


def measured(panel, methods, what, low, required, *, high=None, truth=(), **fields) -> Finding:
    """A finding of a measure of one claim: a number, or an interval, that is at least what is required.

    Parameters
    ----------
    methods : str or list of str
        Whose runs are measured.
    truth : bool or None, optional
        Where it is another one. `fields` has the other fields of a finding.
    """
    low, high = float(low), float(low if high is None else high)
    truth = decided(low, high, required) if isinstance(truth, tuple) else truth
    fields = about_panel(panel, *each(methods)) | fields
    return Finding(what=what, low=low, high=high, required=required, truth=truth, **fields)


def compared(panels, a, b, words, metric, over, required, judge, scale=None) -> list[Finding]:
    """A finding for each panel and seed of two methods, or of each two; where one was not run it says so.

    Seeds that repeat one computation are its repetitions: of such methods a panel has one finding.

    Parameters
    ----------
    words : str
        Between the two forms: ``below``.
    judge : callable
        Race → low, high, truth, reason.
    """
    findings, every = [], product(each(a), each(b), listed(panels))
    for a, b, panel in every:
        drawn, counted = map(panel.evidence.own, (metric, over))
        try:
            pair, axis = f"{panel.form(a)} {words} {panel.form(b)}", panel.over.get(counted, counted)
            fields: dict[str, Any] = {"metric": drawn, "over": axis}
            one = len(panel.seeds(a, b)) > 1 and all(panel.one_computation(m, drawn) for m in (a, b))
            for seed in [None] if one else panel.seeds(a, b):
                race = Race.of(panel, a, b, drawn, axis, seed, scale)
                low, high, truth, reason = judge(race)
                if axis == CLOCK and not all(map(panel.repeated, (a, b))):
                    reason = "; ".join(filter(None, (reason, ONCE)))
                fields |= {"high": high, "seed": seed, "truth": truth, "reason": reason}
                findings.append(measured(panel, (a, b), pair, low, required, **fields))
        except NotRun as missing:
            names = map(panel.evidence.own, (a, b))
            findings.append(absent(panel, f" {words} ".join(names), missing, drawn, counted))
    return findings


def absent(panel: Panel, what: str, missing: NotRun, metric: str = "", over: str = "") -> Finding:
    """The finding of what was not run."""
    outside = isinstance(missing, Outside)
    fields: dict[str, Any] = {"reason": str(missing), "absent": True, "outside": outside}
    return Finding(panel.name, what, metric=metric, over=over, **fields)


def below(
    panels, a: str, b: str, metric: str, *, over: str = CLOCK, scale: str | None = None
) -> list[Finding]:
    """The line of a is lower than that of b along the axis: *outperforms, better, followed by*.

    At ten places evenly spaced along the drawn axis a line is lower if it is so by more than 2 % of the drawn
    height. Of the places that differ a is lower at four fifths, and b is not at the last: true. The same of
    b: false. Fewer than three differ: close, which is undecided. Else the lines cross, which is false.
    ``low`` and ``high`` count the places at which a is lower: surely, and at most.
    """
    return compared(panels, a, b, "below", metric, over, AGREED * PLACES, along, scale)


def along(race: Race) -> tuple[float, float, bool | None, str]:
    """Whether a is lower at the places of one figure: low, high, truth, reason; see `below`."""
    lower, higher = _seen(race)
    ahead, behind = int(lower.sum()), int(higher.sum())
    numbers = float(ahead), float(PLACES - behind)
    if ahead + behind < LEAST:
        return *numbers, None, f"close: {ahead + behind} of {PLACES} points differ"
    if ahead >= AGREED * (ahead + behind) and not higher[-1]:
        return *numbers, True, ""
    if behind >= AGREED * (ahead + behind) and not lower[-1]:
        return *numbers, False, "behind"
    where = [", ".join(f"{x:.3g}" for x in race.places()[chosen]) or "none" for chosen in (lower, higher)]
    return *numbers, False, f"crosses: lower at {where[0]}, higher at {where[1]}"


def _seen(race):
    """At which places a is lower, and at which b, by more than what can be seen."""
    (a_low, a_high), (b_low, b_high) = (race.at(side, race.places()) for side in "ab")
    with np.errstate(invalid="ignore"):
        visible = VISIBLE * race.height
        return b_low - a_high > visible, a_low - b_high > visible


def about(
    panels, a: str, b: str, metric: str, *, within: float | None = None, over: str = CLOCK, scale=None
) -> list[Finding]:
    """The two lines are close: *almost identical, similar, the same*.

    Fewer than three of ten places differ by more than 2 % of the drawn height. With `within`, instead: at
    four fifths of ten heights neither takes more than so many times as long as the other.
    """

    def close(race):
        apart = int(np.sum(_seen(race)))
        return (
            float(apart),
            float(apart),
            apart < LEAST,
            "" if apart < LEAST else f"{apart} of {PLACES} points differ",
        )

    def in_time(race):
        ratios = [race.ratio(level) for level in race.heights()]
        near = [low >= 1 / within and high <= within for low, high in ratios]
        far = [low > within or high < 1 / within for low, high in ratios]
        numbers = _ends(pair for pair, *truths in zip(ratios, near, far, strict=True) if any(truths))
        if sum(near) + sum(far) < LEAST:
            return *numbers, None, f"{sum(near) + sum(far)} of {len(ratios)} levels could be compared"
        share = sum(near) / (sum(near) + sum(far))
        return *numbers, share >= AGREED, ""

    judge = close if within is None else in_time
    return compared(panels, a, b, "about", metric, over, within or float(LEAST), judge, scale)


def faster(
    panels,
    a: str,
    b: str,
    metric: str,
    *,
    by: float = 1.0,
    to: float | pd.Series | None = None,
    over: str = CLOCK,
    scale=None,
) -> list[Finding]:
    """The line of a is down `by` times sooner than that of b: *faster, N times, an order of magnitude*.

    At ten heights at 5, 15, … 95 % of the drawn way from the higher start to the better end; or at the
    height `to` of the paper's own alone, of all seeds or one a seed. A line is at a height from the record
    after its last one above it; what never comes there takes at least the axis. A height says yes, no, or
    nothing where its interval spans `by`. Of those that say something, at least three, four fifths yes and
    none of the lowest three heights no: true; likewise no: false. Else the lines cross, which is false;
    fewer than three: undecided.
    ``low`` and ``high`` are the least and the largest ratio over the heights that say something.
    """
    return compared(panels, a, b, "before", metric, over, by, partial(down, by=by, to=to), scale)


def down(
    race: Race, by: float = 1.0, to: float | pd.Series | None = None
) -> tuple[float, float, bool | None, str]:
    """Whether a is at the heights of one figure `by` times sooner: low, high, truth, reason; see `faster`."""
    if to is not None:
        if isinstance(to, pd.Series):  # seeds that repeat one computation have one height
            to = float(to.min() if race.seed is None else to[race.seed])
        low, high = race.ratio(to)
        truth, late = decided(low, high, by), [np.isinf(race.passed(side, to)[1]) for side in "ab"]
        why = "neither method reached the level" if all(late) else "the interval contains the required value"
        return low, high, truth, why if truth is None else ""
    ratios = [race.ratio(level) for level in race.heights()]
    truths = [decided(low, high, by) for low, high in ratios]
    yes, no, lowest = truths.count(True), truths.count(False), truths[-LOWEST:]
    numbers = _ends(pair for pair, truth in zip(ratios, truths, strict=True) if truth is not None)
    if yes + no < LEAST:
        return *numbers, None, f"{yes + no} of {len(ratios)} levels could be compared"
    if yes >= AGREED * (yes + no) and False not in lowest:
        return *numbers, True, ""
    if no >= AGREED * (yes + no) and True not in lowest:
        return *numbers, False, ""
    return *numbers, False, f"crosses: earlier at {yes} of {len(ratios)} levels, later at {no}"


def _ends(intervals):
    """The least and the largest end of intervals; of none (0, ∞), which says nothing."""
    intervals = list(intervals)
    return min((low for low, _ in intervals), default=0.0), max(
        (high for _, high in intervals), default=np.inf
    )


def lower_at(
    panels, a: str, b: str, metric: str, *, share: float = 1.0, by: float = 1.0, over: str = CLOCK, scale=None
) -> list[Finding]:
    """The height of a at a share of the axis, by default its end, is at most one `by`-th of that of b.

    Ends within 1 % of the drawn height are tied, which is undecided. ``low`` and ``high`` are b's value over
    a's.
    """

    def judge(race):
        (a_low, a_high), (b_low, b_high) = (race.at(side, np.array([share * race.end])) for side in "ab")
        values = [float(race.values(each[0])) for each in (a_low, a_high, b_low, b_high)]
        with np.errstate(divide="ignore", invalid="ignore"):
            low, high = (float(np.divide(values[i], values[j])) for i, j in ((2, 1), (3, 0)))
        tie = TIED * race.height
        if by == 1:
            truth = True if b_low[0] - a_high[0] > tie else False if a_low[0] - b_high[0] > tie else None
        else:
            truth = decided(low, high, by)
        return (
            low,
            high,
            truth,
            "" if truth is not None else "tied" if by == 1 else "the interval contains the required value",
        )

    return compared(panels, a, b, "lower than", metric, over, by, judge, scale)


def ordered(panels, methods, metric: str, *, over: str = CLOCK, scale: str | None = None) -> list[Finding]:
    """Each of the lines is below the next one: *performs the best and is followed by*."""
    pairs = zip(methods, methods[1:], strict=False)
    return [f for a, b in pairs for f in below(panels, a, b, metric, over=over, scale=scale)]


def share_of_time(
    panels, method: str, timer: str, *, most: float | None = None, least: float | None = None
) -> list[Finding]:
    """The share of a method's CPU seconds that an oracle or a phase has at the end of the run."""

    def share(rows):
        begin = "seconds_"
        parts = [c for c in rows if c.startswith(begin) and belongs(c.removeprefix(begin), timer)]
        if not parts:
            raise NotRun(f"nothing timed {timer}")
        return rows[parts].sum(axis=1) / rows[CLOCK]

    measure, bound = (at_most, most) if least is None else (at_least, least)
    return measure(panels, method, share, bound, stat="last", name=f"share of {timer}")


def at_most(
    panels,
    method: str,
    measure,
    bound,
    *,
    by: float = 1.0,
    stat: str = "every",
    slack: float = 0.0,
    pooled: bool = False,
    name: str = "",
    sign: int = 1,
) -> list[Finding]:
    """A measured value is at most `by` times a number or another column: bounds, costs, levels.

    Parameters
    ----------
    measure : str or callable, or several
        A column, or a function of the records of a run.
    bound : float or str or callable
        With a column ``low`` and ``high`` are the ratio to it, else the value.
    stat : str
        ``every`` record, the ``last``, the ``first``, or their ``median``, ``mean``, ``largest``, ``least``.
    slack : float
        Rounding: so much of the bound, or of 1 if that is more, is given.
    pooled : bool
        Over the means of the seeds, record by record.
    name : str
        What a function measures, in a few words.
    sign : int
        −1 turns it into `at_least`.
    """
    how = {"by": by, "stat": stat, "slack": slack, "pooled": pooled, "name": name, "sign": sign}
    every = product(each(method), each(measure), listed(panels))
    return [f for own, of, panel in every for f in _held(panel, own, of, bound, **how)]


def _held(panel, method, measure, bound, *, by, stat, slack, pooled, name, sign):
    measure, bound = map(panel.evidence.own, (measure, bound))
    name = name or (measure if isinstance(measure, str) else getattr(measure, "__name__", ""))
    limit, findings = (bound if not callable(bound) else "the bound"), []
    words = f"{name} at {'most' if sign > 0 else 'least'} {limit if by == 1 else f'{by:g} × {limit}'}"
    required = by * bound if isinstance(bound, (int, float)) else by
    try:
        rows = means(panel.rows(method)) if pooled else panel.rows(method)
        for seed, own in rows.groupby("seed"):
            truths, numbers = [], []
            for _, run in own.groupby("repetition"):
                values = pd.DataFrame({"v": _read(run, measure), "w": _read(run, bound)}).dropna()
                v, w = (np.atleast_1d(STATISTICS[stat](values[column])) for column in "vw")
                room = slack * np.maximum(1, np.abs(w)) if slack else 0.0
                held = sign * v <= sign * w * by + room
                truths.append(bool(held.all()) if len(held) else None)
                with np.errstate(divide="ignore", invalid="ignore"):
                    ratio = (v / w)[(w != 0) | ~held]  # of a bound of 0, only where it is broken
                numbers += list(map(float, ratio if isinstance(bound, str) and len(ratio) else v))
            agreed = truths[0] if len(set(truths)) == 1 else None
            reason = "" if agreed is not None else "repetitions differ" if any(truths) else "no values"
            fields = {"seed": None if pooled else seed, "metric": name, "truth": agreed, "reason": reason}
            ends = min(numbers, default=0.0), max(numbers, default=np.inf)
            what = f"{panel.form(method)}: {words}"
            findings.append(measured(panel, method, what, ends[0], required, high=ends[1], **fields))
    except NotRun as missing:
        findings.append(absent(panel, f"{panel.evidence.own(method)}: {words}", missing, name))
    return findings


def at_least(panels, method: str, measure, bound, **how) -> list[Finding]:
    """A measured value is at least `by` times a number or another column; keywords as of `at_most`."""
    return at_most(panels, method, measure, bound, sign=-1, **how)


def zero(panels, method, column, within: float | None = None) -> list[Finding]:
    """A measured column is 0 to within rounding, at every record; each of several with its own `within`."""

    def held(name, within):
        return at_most(panels, method, lambda rows: _read(rows, name).abs(), within, name=f"|{name}|")

    columns = column if isinstance(column, dict) else dict.fromkeys(each(column), within)
    return [f for name, own in columns.items() for f in held(name, own)]


def _read(run, of):
    """A column, a function of the records, or a number."""
    if callable(of):
        return of(run)
    if isinstance(of, str):
        if of not in run:
            raise NotRun(f"nothing recorded {of}")
        return run[of]
    return pd.Series(float(of), run.index)


def means(rows: pd.DataFrame) -> pd.DataFrame:
    """The records of a method averaged over its seeds, record by record, as one run."""
    first = rows[rows["repetition"] == 0].drop_duplicates(["seed", "iteration"], keep="last")
    numbers = first.select_dtypes(np.number).columns.difference(["seed", "repetition", "iteration"])
    averages = first.groupby("iteration", as_index=False)[list(numbers)].mean()
    return averages.assign(seed=-1, repetition=0)
