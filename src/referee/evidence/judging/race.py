"""The curves of one cell (panel and seed) that a statistic reads: how they end, are drawn, are compared."""

import math
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from .ranges import Run

#: Share of the axis below which two curves are one line to a reader of the figure.
VISIBLE = 0.01


class Drawn(NamedTuple):
    """Scale of an axis (``log`` or ``linear``) and the length drawn, in that scale (natural logarithms)."""

    scale: str
    length: float

    @property
    def visible(self) -> float:
        """The least difference that can be seen, in the scale."""
        return VISIBLE * self.length


def drawn(race) -> Drawn:
    """Scale by the figure of that metric and panel, else log for what is positive; length by the curves."""
    curves = [race.values(run) for run in race.runs]
    values = np.concatenate(curves)
    values = values[np.isfinite(values)]
    scale = "linear" if race.signed else _drawn_on(race) or _natural(values)
    return Drawn(scale, _length([y[0] for y in curves], values, scale))


def _drawn_on(race):
    return race.panel.evidence.scales.get((race.panel.name, race.metric))


def _natural(values):
    return "log" if values.size and values.min() >= 0 else "linear"


def _length(starts, values, scale):
    """From the least value to the start, above which no figure goes (to the largest without a start)."""
    starts = [y for y in starts if values.size and values.min() < y < np.inf]
    values = np.minimum(values, max(starts)) if starts else values
    values = np.log(values[values > 0]) if scale == "log" else values
    return float(np.ptp(values)) if values.size else 0.0


#: A run that ended in one of these ways has nothing more to show: it reaches no level below its last.
STOPPED = ("converged", "stalled", "diverged")
#: Metrics whose least known value says where their levels lie.
OBJECTIVES = ("objective", "surrogate")
SECONDS = ("cpu_seconds", "wall_seconds")
#: A run ends just after its budget; its last record counts at t_end if it overran by less than this factor.
GRACE = 1.01


@dataclass(frozen=True)
class Line:
    """One run's records, smaller being better; a record holds until the next one.

    Attributes
    ----------
    x, y : (T,) arrays
        Axis (not falling) and value; a run that diverged ends at ∞.
    stopped : bool
        Whether it ended by itself, not by its budget.
    """

    x: np.ndarray
    y: np.ndarray
    stopped: bool

    def until(self, end: float) -> "Line":
        """The records at or before `end`, the first at least."""
        last = max(int(np.searchsorted(self.x, end * GRACE, side="right")), 1)
        return self if last == len(self.x) else Line(self.x[:last], self.y[:last], False)

    @property
    def last(self) -> float:
        """The last value."""
        return float(self.y[-1])


@dataclass
class Race:
    """One metric of several runs against one axis, in one seed of one panel.

    Attributes
    ----------
    excess : bool
        The metric less the least value known of the instance.
    lowest : float, optional
        The value that no run can be below, where the metric is no objective.
    upper : float, optional
        The metric is to be large, at most this: upper − metric is judged.
    signed : bool
        Values have signs: differences are judged.
    where : dict
        Column → values: only these records count.
    bound : column or number, optional
        The metric is judged as a share of it, record by record.
    best : bool
        Running best in place of the current value, where the figure or the theorem speaks of it; it begins
        after record 0.
    """

    panel: object
    seed: int
    runs: list[Run]
    metric: str
    axis: str = ""
    excess: bool = False
    lowest: float | None = None
    upper: float | None = None
    signed: bool = False
    best: bool = False
    where: dict = field(default_factory=dict)
    bound: str | float | None = None

    def panel_of(self, run: Run):
        """The panel of a run."""
        return self.panel.evidence.panel(run.panel) if run.panel else self.panel

    def records(self, run: Run, *columns):
        """Records of a run in which all columns are numbers, and that `where` chooses."""
        return self.panel_of(run).records([run.method], self.seed, columns, self.where)

    def values(self, run: Run) -> np.ndarray:
        """The metric of a run, record by record, as it is judged."""
        columns = [self.bound] if isinstance(self.bound, str) else []
        return self._judged(self.records(run, self.metric, *columns), run)

    def _judged(self, records, run):
        panel = self.panel_of(run)
        y = panel.column(records, self.metric)
        if self.upper is not None:
            y = self.upper - y
        if self.excess:
            y = y - self._bottom(panel)
        if self.bound is not None:
            limit = panel.column(records, self.bound) if isinstance(self.bound, str) else self.bound
            with np.errstate(divide="ignore", invalid="ignore"):
                y = y / limit
        return y

    def unjudged(self, value: float) -> float:
        """Where a judged value stands on the axis of the metric; NaN for a share of a bound."""
        if self.bound is not None:
            return math.nan
        value += self.bottom if self.excess else 0.0
        return value if self.upper is None else self.upper - value

    @cached_property
    def lines(self) -> dict[Run, Line]:
        """The curve of each run."""
        return {run: self._line(run) for run in self.runs}

    def _line(self, run):
        records = self.records(run, self.metric, self.axis)
        x, y = self.panel_of(run).along(records, self.axis), self._judged(records, run)
        status = self.panel_of(run).end_status(records)
        if status == "diverged":
            x, y = np.append(x, x[-1]), np.append(y, math.inf)
        return Line(x, self._course(y), status in STOPPED)

    def course(self, run: Run) -> np.ndarray:
        """The metric of a run, record by record; of the running best where that counts."""
        return self._course(self.values(run))

    def _course(self, y):
        return np.append(y[:1], np.minimum.accumulate(y[1:])) if self.best else y

    @cached_property
    def end(self) -> float:
        """t_end: the budget, or where the first of the runs was cut that could have gone on.

        What a run that was cut would have become is not known: its last value does not hold until the budget.
        """
        ends = {run: self.panel_of(run).end([run.method], self.seed, self.axis) for run in self.runs}
        cut = [min(end, self.lines[run].x[-1]) for run, end in ends.items() if not self.lines[run].stopped]
        return float(min(cut) if cut else max(ends.values()))

    @cached_property
    def start(self) -> float:
        """F(0): the smallest start of the compared runs."""
        return min(float(line.y[0]) for line in self.lines.values())

    @property
    def bottom(self) -> float:
        """F*: `lowest`, else of an objective the least value known of the instance."""
        return self._bottom(self.panel)

    def _bottom(self, panel):
        if self.lowest is not None:
            return self.lowest
        if self.metric not in OBJECTIVES:
            raise ValueError(
                f"{self.metric} is no objective: its `lowest` value, or a `level`, has to be named"
            )
        return panel.lowest(self.seed, self.metric)

    @property
    def has_bottom(self) -> bool:
        """Whether its metric has a least value that is known."""
        return self.lowest is not None or self.metric in OBJECTIVES

    @property
    def floor(self) -> float:
        """The bottom in judged values: 0 of an excess."""
        return self._floor(self.panel)

    def _floor(self, panel):
        return 0.0 if self.excess else self._bottom(panel)

    def share_left(self, run: Run) -> float:
        """What is left at t_end of a run's way from its own start to the bottom; NaN without a way."""
        line, floor = self.lines[run], self._floor(self.panel_of(run))
        way = float(line.y[0]) - floor
        return (line.until(self.end).last - floor) / way if way > 0 else math.nan

    @property
    def by_clock(self) -> bool:
        """Whether its axis is seconds, which a machine does not repeat."""
        return self.axis in SECONDS

    @cached_property
    def drawn(self) -> Drawn:
        """Scale and range of the axis on which the paper draws the metric."""
        return drawn(self)

    def on(self, **changed) -> "Race":
        """The same race otherwise."""
        return replace(self, **changed)


SHARES = (0.5, 0.2, 0.1, 0.05, 0.01)
#: The common level has to lie so far below the start: else a run that diverged would set it.
COMMON = 0.9


def levels_of(race, level=None, shares=None, common=True) -> dict[str, float]:
    """Words → levels of a race.

    Parameters
    ----------
    level : number or list, optional
        Levels that the sentence names; they suffice alone.
    shares : list, optional
        Shares q of F(0) − F*: the levels F* + q (F(0) − F*).
    common : bool
        Also the worst of the values at the end, which all reach: of a metric whose bottom is not known
        (RMSE, accuracy) that level alone.

    Raises
    ------
    ValueError
        For shares of a metric that is no objective, without its ``lowest`` value.
    """
    if level is not None:
        return {f"{value:g}": float(value) for value in np.atleast_1d(level)}
    shares = ([] if not race.has_bottom else SHARES) if shares is None else shares
    floor = race.floor if race.has_bottom or shares else -math.inf
    way = race.start - floor
    found = {f"{share:.3g} of the start": floor + share * way for share in shares}
    worst = max(line.until(race.end).last for line in race.lines.values())
    if common and worst < (floor + COMMON * way if math.isfinite(way) else race.start):
        found["the worst end"] = worst
    return found
