"""Rules that say what a published table says, written without the judge: for `published_truth`.

A rule is a function (paper, panel) → seed → True, False or None, where the records leave it open.
"""

import gzip
import json
from functools import cache, partial
from itertools import pairwise

import numpy as np
import pandas as pd
from places import ROOT

REPORTS = ROOT / "reports/reference"
#: Levels are these shares of the way from the start to the least value known.
SHARES = (0.5, 0.2, 0.1, 0.05, 0.01)
#: Times, or shares of a drawn axis, that differ by less are the same to a reader.
SAME = 0.01
#: "Clearly", "significantly", "much": 1.25 times at least; what is not even better is false.
CLEARLY = None


# --- tables


@cache
def table(paper, panel):
    """The published table of a panel, without runs that ended in an error."""
    frame = pd.read_csv(REPORTS / paper / "evidence" / f"{panel}.csv.gz", low_memory=False)
    return frame[frame["end_status"] != "error"].sort_values("iteration", kind="stable")


@cache
def experiments(paper):
    """What was run, by panel."""
    packed = (REPORTS / paper / "evidence/study.json.gz").read_bytes()
    return json.loads(gzip.decompress(packed))["experiments"]


@cache
def runs(paper, panel, *methods, repetition=0):
    """Seed → method → records, of the seeds that all ran; ``method@panel`` ran in another panel."""
    found = {}
    for name in methods:
        method, _, elsewhere = name.partition("@")
        frame = table(paper, elsewhere or panel)
        frame = frame[frame["method"] == method]
        if "repetition" in frame:
            frame = frame[frame["repetition"] == repetition]
        found[name] = dict(list(frame.groupby("seed")))
    seeds = sorted(set.intersection(*map(set, found.values())))
    return {int(seed): {name: found[name][seed] for name in methods} for seed in seeds}


def of_each(method, truth):
    """A rule: the truth of the records of one method."""
    return lambda paper, panel: {s: truth(g[method]) for s, g in runs(paper, panel, method).items()}


def of_all(methods, truth):
    """A rule: the truth of the records of several methods, in their order."""
    return lambda paper, panel: {s: truth(*g.values()) for s, g in runs(paper, panel, *methods).items()}


def of_mean(method, truth):
    """A rule on the mean of the records over the seeds."""

    def rule(paper, panel):
        frame = table(paper, panel)
        numbers = frame[frame["method"] == method].drop(columns="seed")
        return {-1: truth(numbers.groupby("iteration", as_index=False).mean(numeric_only=True))}

    return rule


@cache
def least_known(paper, panel, metric, seed):
    """The least value of an objective in the panels that share its instance and objective."""

    def instance(name):
        given = entry[name]
        return [given.get("instance_of") or name, given.get("problem"), given.get("penalty")]

    def probed(name):
        return any(method.get("probe") for method in (entry[name].get("define") or {}).values())

    entry = experiments(paper)
    same = [n for n in entry if n == panel or instance(n) == instance(panel) and not probed(n)]
    frames = [table(paper, n) for n in same if (REPORTS / paper / f"evidence/{n}.csv.gz").exists()]
    return np.nanmin([f.loc[f["seed"] == seed, metric].min() for f in frames if metric in f])


# --- times


def race_end(paper, panel, group, axis):
    """Where a race ends: at the budget, or where a run was cut that could have gone on."""
    limit = (experiments(paper)[panel].get("budget") or {}).get(axis, np.inf)
    going = [
        r[axis].iloc[-1] for r in group.values() if r["end_status"].iloc[-1] not in ("converged", "stalled")
    ]
    return min(limit, *going) if going else max(r[axis].iloc[-1] for r in group.values())


def known(run, metric, axis, end=np.inf):
    """Places and values on an axis, those that overran the end by 1 % too."""
    x, y = run[axis].to_numpy(float), run[metric].to_numpy(float)
    kept = ~np.isnan(x) & ~np.isnan(y) & (x <= 1.01 * end)
    return x[kept], y[kept]


def reached(run, metric, axis, level, end):
    """When a run is at or below a level for good: after one record, by the next; or not before the end."""
    x, y = known(run, metric, axis, end)
    above = np.flatnonzero(~(y <= level))
    if not above.size:
        return x[0], x[0]
    if above[-1] + 1 < len(x):
        return x[above[-1]], x[above[-1] + 1]
    stopped = run["end_status"].iloc[-1] in ("converged", "stalled") and len(x) == len(
        known(run, metric, axis)[0]
    )
    return (np.inf if stopped else end), np.inf


def levels_of(group, metric, axis, end, least, common=True):
    """Shares of the way from the lowest start to the least value known, and the worst of the ends."""
    start = min(known(run, metric, axis)[1][0] for run in group.values())
    worst = max(known(run, metric, axis, end)[1][-1] for run in group.values())
    levels = [least + share * (start - least) for share in SHARES]
    return levels + ([worst] if common and worst < least + 0.9 * (start - least) else [])


def ratios(group, ours, theirs, metric, axis, end, levels):
    """Between which two numbers log(their time / our time) lies at each level; the best of each side."""
    found = []
    for level in levels:
        time = {m: reached(run, metric, axis, level, end) for m, run in group.items()}
        with np.errstate(divide="ignore", invalid="ignore"):
            sides = [[min(time[m][k] for m in side) for k in (0, 1)] for side in (ours, theirs)]
            (a, b), (c, d) = np.log(sides)
        low = -np.inf if np.isinf(c) and c == b else c - b
        high = np.inf if np.isinf(d) and d == a else d - a
        found.append((low, high))
    return found


def told(intervals):
    """Those that say something: a level that neither reaches does not."""
    return [interval for interval in intervals if interval != (-np.inf, np.inf)]


def median(intervals):
    """The median of the lower and of the upper ends."""
    return tuple(np.median(told(intervals), axis=0)) if told(intervals) else (-np.inf, np.inf)


def clock(paper, panel, methods, number):
    """Log of the largest over the smallest number among the repetitions of the first seed."""
    again = [number(runs(paper, panel, *methods, repetition=k)) for k in range(3)]
    values = [np.array(v)[(np.array(v) > 0) & np.isfinite(v)] for v in zip(*again, strict=True)]
    return max((np.log(v.max() / v.min()) for v in values if len(v)), default=0.0)


def in_sight(half, level, least):
    """Whether a logarithmic axis shows a level above the least; its start is twice as far as half."""
    return least == 0 or np.log(level / least) >= SAME * np.log((2 * half - least) / least)


def timed(rule, ours, theirs, metric, axis, least=None, levels=None, common=True):
    """A rule on log(their time / our time) at each level, the noise of the clock, and the common level.

    Where curves have merged, by 1 % of the axis, the level that all reach says nothing.
    """
    ours, theirs = list(np.atleast_1d(ours)), list(np.atleast_1d(theirs))

    def judged(paper, panel):
        found, visible, repeated = {}, {}, 0.0
        for seed, group in runs(paper, panel, *ours, *theirs).items():
            end = race_end(paper, panel, group, axis)
            low = least_known(paper, panel, metric, seed) if least is None and not levels else least
            given = levels(group) if callable(levels) else levels
            marks = given or levels_of(group, metric, axis, end, low, common)
            found[seed] = ratios(group, ours, theirs, metric, axis, end, marks)
            shown = not given and len(marks) > len(SHARES) and in_sight(marks[0], marks[-1], low)
            visible[seed] = found[seed][-1] if shown else (-np.inf, np.inf)
            if axis == "cpu_seconds" and seed == 0:
                times = partial(_times, metric=metric, axis=axis, end=end, levels=marks)
                repeated = clock(paper, panel, [*ours, *theirs], times)
        return rule(found, max(SAME, repeated), visible)

    return judged


def _times(group, metric, axis, end, levels):
    return [np.mean(reached(run, metric, axis, level, end)) for run in group[0].values() for level in levels]


def sooner(*sides, factor=1.0, **how):
    """A rule: the second side takes `factor` times as long as the first, in the median over the levels.

    Where that is open the level decides that all reach, if it can be seen and none decides the other way.
    """

    def rule(found, noise, common):
        middle = {s: median(intervals) for s, intervals in found.items()}
        hidden, below = (
            max(noise, scatter([sum(i) / 2 for i in each.values() if np.isfinite(i).all()]))
            for each in (middle, common)
        )
        truths = {s: at_least(*interval, factor, hidden, SAME) for s, interval in middle.items()}
        for s in [s for s, truth in truths.items() if truth is None]:
            rungs = {at_least(*interval, factor, noise, SAME) for interval in found[s]}
            last = at_least(*common[s], factor, below, SAME)
            truths[s] = last if not {True, False} <= rungs else None
        return truths

    return timed(rule, *sides, **how)


def chain(*methods, **how):
    """A rule: each method is sooner than the next; one pair the other way round is enough against it."""

    def rule(paper, panel):
        found = [sooner(a, b, **how)(paper, panel) for a, b in pairwise(methods)]
        truths = {seed: [each[seed] for each in found] for seed in found[0]}
        return {s: False if False in t else None if None in t else True for s, t in truths.items()}

    return rule


def as_soon(*sides, within, quota, **how):
    """A rule: times differ by at most a factor 1 + `within` at a quota of the levels."""

    def rule(found, noise, common):
        near = {s: [coincide(*r, np.log1p(within), noise) for r in told(rs)] for s, rs in found.items()}
        return {seed: enough(truths, quota) for seed, truths in near.items()}

    return timed(rule, *sides, **how)


def somewhere(*sides, factor, **how):
    """A rule: the second side takes `factor` times as long as the first at some level."""

    def rule(found, noise, common):
        return {s: enough([at_least(*r, factor, noise) for r in told(rs)], 0.01) for s, rs in found.items()}

    return timed(rule, *sides, **how)


def coincide(low, high, tolerance, noise):
    """Whether an interval of log ratios lies within a tolerance, or beyond it and the noise."""
    if max(abs(low), abs(high)) <= tolerance:
        return True
    return False if low > max(tolerance, noise) or high < -max(tolerance, noise) else None


def enough(truths, quota):
    """Whether a quota of truths is true, whatever the open ones are."""
    if truths.count(True) >= quota * len(truths) > 0:
        return True
    return False if truths and len(truths) - truths.count(False) < quota * len(truths) else None


def at_least(low, high, factor, noise=0.0, same=0.0):
    """Whether an interval of log ratios lies at or above a factor, or below; strictly above 1, if it is 1."""
    if factor is CLEARLY:
        return True if low - noise >= np.log(1.25) else False if high + noise < 0 else None
    if factor == 1 and max(abs(low), abs(high)) <= same:
        return False
    low, high = low - np.log(factor), high - np.log(factor)
    return True if low >= noise else False if high < -noise else None


def scatter(values):
    """Twice the median absolute deviation of at least five seeds."""
    values = np.array([v for v in values if np.isfinite(v)])
    return 2 * np.median(np.abs(values - np.median(values))) if len(values) >= 5 else 0.0


# --- values


def last(run, metric):
    """The last value of a metric."""
    return run[metric].dropna().iloc[-1]


def a_pass(run, calls):
    """Calls a pass."""
    return run[calls].iloc[-1] / run["iteration"].iloc[-1]


def near_the_best(run, *others):
    """Whether the last error is within a point of the least of all."""
    least = min(r["error_test"].iloc[1:].min() for r in (run, *others))
    return bool(run["error_test"].iloc[-1] - least <= 1)


def near_best(method, metric):
    """Levels 1 % above the least that a method reached after its start."""
    return lambda group: [1.01 * group[method][metric].iloc[1:].min()]


def flat(method):
    """A rule: a run falls by less than 0.1 % in the last half of the race."""

    def rule(paper, panel):
        found = {}
        for seed, group in runs(paper, panel, method).items():
            x, y = known(group[method], "objective", "cpu_seconds")
            end = race_end(paper, panel, group, "cpu_seconds")
            then, there = (y[np.searchsorted(x, place, side="right") - 1] for place in (end / 2, end))
            found[seed] = bool(1 - there / then <= 0.001)
        return found

    return rule


def drawn_at(run, metric, axis, x):
    """The value at a place, on the line that a logarithmic axis draws between two records."""
    places, values = known(run, metric, axis)
    return float(np.exp(np.interp(x, places, np.log(values))))


def lower(ours, theirs, metric, axis, factor=1.0, read=None, share=1.0):
    """A rule: the best of `theirs` is at least `factor` times the best of `ours` where the race ends.

    Visibly on the drawn, logarithmic, axis; beyond the scatter of five seeds, and of runs that were repeated.
    `read` (run, end) reads another number than the value at the end, or at a share of the race.
    """
    ours, theirs = list(np.atleast_1d(ours)), list(np.atleast_1d(theirs))
    read = read or (lambda run, end: drawn_at(run, metric, axis, share * end))

    def rule(paper, panel):
        gains, seen, noise = {}, {}, 0.0
        for seed, group in runs(paper, panel, *ours, *theirs).items():
            end = race_end(paper, panel, group, axis)
            value = {m: read(run, end) for m, run in group.items()}
            gains[seed] = np.log(min(value[m] for m in theirs) / min(value[m] for m in ours))
            curves = [known(run, metric, axis)[1] for run in group.values()]
            seen[seed] = SAME * np.log(max(y[0] for y in curves) / min(y.min() for y in curves))
            if axis == "cpu_seconds" and seed == 0 and "repetition" in table(paper, panel):
                ends = partial(_read, read=read, end=end)
                noise = clock(paper, panel, [*ours, *theirs], ends)
        noise = max(noise, scatter(gains.values()))
        return {s: at_least(g, g, factor, max(noise, seen[s]), seen[s]) for s, g in gains.items()}

    return rule


def _read(group, read, end):
    return [read(run, end) for run in group[0].values()]


def left(method, share, record=-1):
    """A rule: a record leaves at most a share of the way from the start to the least objective known."""

    def rule(paper, panel):
        found = {}
        for seed, group in runs(paper, panel, method).items():
            excess = group[method]["objective"].dropna() - least_known(paper, panel, "objective", seed)
            found[seed] = bool(excess.iloc[record] <= share * excess.iloc[0])
        return found

    return rule


def height(run, end, metric="fw_gap"):
    """Geometric mean height of a curve until the end, from the first record after the start."""
    x, y = (values[1:] for values in known(run, metric, "iteration", end))
    return np.exp(np.average(np.log(y), weights=np.diff(np.append(x, max(end, x[-1] + 1e-9)))))


def holds(truth, *methods):
    """A rule: something is true of the records of all methods."""
    return of_all(methods, lambda *found: all(bool(truth(run)) for run in found))


def spends(method, timer, low=0.0, high=1.0):
    """A rule: the share of the CPU seconds in a timer, and in what it calls."""

    def truth(run):
        end = run.dropna(subset=["cpu_seconds"]).iloc[-1]
        called = [c for c in run if c.startswith("seconds_") and c.endswith(f"_in_{timer}")]
        return low <= end[[f"seconds_{timer}", *called]].sum() / end["cpu_seconds"] <= high

    return holds(truth, method)


def costs(method, above, below, low=0.0, high=np.inf):
    """A rule: the median over the records of one column over another."""
    return holds(lambda run: low <= (run[above] / run[below]).median() <= high, method)


def grows(method, metric, column, low=-np.inf, high=np.inf, points=None, mean=False):
    """A rule: the slope of the last points in ``column`` or ``1/column``, on logarithmic axes, has limits.

    With all points, and without each of them; open where only some do. `mean`: of the mean over the seeds.
    """

    def truth(run):
        x, y = run[column.removeprefix("1/")].to_numpy(float), run[metric].to_numpy(float)
        x = 1 / x if column.startswith("1/") else x
        kept = [k for k in np.argsort(x, kind="stable") if 0 < x[k] < np.inf and y[k] > 0]
        x, y = (np.log(values[kept[-(points or len(kept)) :]]) for values in (x, y))
        parts = [(np.delete(x, k), np.delete(y, k)) for k in range(len(x))]
        inside = [low <= np.polyfit(*part, 1)[0] <= high for part in [(x, y), *parts]]
        return True if all(inside) else None if any(inside) else False

    return (of_mean if mean else of_each)(method, truth)
