"""Two methods on one drawn figure: where their lines are at places and heights. No rule is here."""

from dataclasses import dataclass

import numpy as np

from .evidence import CLOCK, GRACE, Line, Panel

#: Share of the drawn height that a difference has to exceed to be seen, on the way and at the end.
VISIBLE, TIED = 0.02, 0.01
#: Places along the axis, and heights on the way down.
PLACES = HEIGHTS = 10


@dataclass(frozen=True)
class Race:
    """The lines of two methods with one seed, cut where the axis ends.

    Attributes
    ----------
    a, b : list of Line
        One a repetition.
    end : float
        End of the axis: the paper's, or where the first of the runs ended on its budget.
    scale, x_scale : str
        ``linear`` or ``log``, as drawn.
    tick : float
        Lowest tick of a logarithmic axis; 0 where none is known.
    seed : int, optional
    """

    a: list[Line]
    b: list[Line]
    end: float
    scale: str = "linear"
    x_scale: str = "linear"
    tick: float = 0.0
    seed: int | None = None

    @classmethod
    def of(cls, panel: Panel, a: str, b: str, metric: str, over: str, seed: int | None, scale=None) -> "Race":
        """The race of two methods in a panel."""
        lines = [panel.lines(method, metric, over, seed) for method in (a, b)]
        end = _end([*lines[0], *lines[1]], panel.axis.get(over, np.inf))
        x_scale = panel.scale(over) if over == CLOCK else "linear"
        first, second = ([_until(line, end) for line in each] for each in lines)
        return cls(
            first, second, end, scale or panel.scale(metric), x_scale, panel.axis.get(metric, 0.0), seed
        )

    @property
    def lines(self) -> list[Line]:
        """All of them."""
        return [*self.a, *self.b]

    def drawn(self, y):
        """Heights as drawn: logarithms on a logarithmic axis, whose lowest tick is the lowest of all."""
        if self.scale != "log":
            return np.asarray(y, float)
        positive = [line.y[line.y > 0].min() for line in self.lines if (line.y > 0).any()]
        with np.errstate(divide="ignore"):
            return np.log(np.maximum(y, max(self.tick, min(positive, default=0.0))))

    def values(self, drawn):
        """Values of heights as drawn."""
        return np.exp(drawn) if self.scale == "log" else np.asarray(drawn, float)

    @property
    def top(self) -> float:
        """The higher start, as drawn."""
        return float(max(self.drawn(line.y[0]) for line in self.lines))

    @property
    def bottom(self) -> float:
        """The better of the two ends, as drawn; of repetitions the median."""
        return float(min(np.median([self.drawn(line.y[-1]) for line in each]) for each in (self.a, self.b)))

    @property
    def height(self) -> float:
        """The height of the drawn axis: from the higher start to the lowest of the lines; from the highest
        of the lines where none is below its start.
        """
        drawn = np.concatenate([self.drawn(line.y) for line in self.lines])
        drawn = drawn[np.isfinite(drawn)]
        top = self.top if np.isfinite(self.top) and self.top > drawn.min() else drawn.max()
        return float(top - drawn.min())

    def places(self) -> np.ndarray:
        """Ten places evenly spaced along the axis as drawn, the last at its end."""
        if self.x_scale == "log":
            first = min(line.x[line.x > 0][0] for line in self.lines if (line.x > 0).any())
            return np.geomspace(first, self.end, PLACES + 1)[1:]
        return self.end * np.arange(1, PLACES + 1) / PLACES

    def at(self, side: str, x) -> tuple[np.ndarray, np.ndarray]:
        """Lowest and highest of the lines of a side at places, as drawn; a stopped line stays where it is."""
        heights = [_between(line.x, self.drawn(line.y), x) for line in getattr(self, side)]
        return np.min(heights, axis=0), np.max(heights, axis=0)

    def heights(self) -> np.ndarray:
        """Ten heights at 5, 15, … 95 % of the way from the higher start to the better end; none if neither
        falls.
        """
        if not self.bottom < self.top:
            return np.empty(0)
        shares = (np.arange(HEIGHTS) + 0.5) / HEIGHTS
        return self.values(self.top + shares * (self.bottom - self.top))

    def passed(self, side: str, level: float) -> tuple[float, float]:
        """When the lines of a side come to a level for good: the least and the largest time."""
        times = [settled(line, level, self.end) for line in getattr(self, side)]
        return min(low for low, _ in times), max(high for _, high in times)

    def ratio(self, level: float) -> tuple[float, float]:
        """How many times as long as a the line of b takes to a level, at least and at most."""
        (a_low, a_high), (b_low, b_high) = self.passed("a", level), self.passed("b", level)
        low = b_low / a_high if np.isfinite(a_high) and a_high > 0 else 0.0
        return low, b_high / a_low if a_low > 0 else np.inf


def settled(line: Line, level: float, end: float) -> tuple[float, float]:
    """From the last record above a level to the next one; from the end on where there is no next one."""
    above = np.flatnonzero(~(line.y <= level))
    if not above.size:
        return 0.0, float(line.x[0])
    last = above[-1]
    if last == len(line.y) - 1:
        return float(end), np.inf
    return float(line.x[last]), float(line.x[last + 1])


def _end(lines, axis):
    """The shortest of the runs that ended on their budget ends the axis, if the paper's does not."""
    stopped = [line.x[-1] for line in lines if line.end_status not in ("converged", "diverged")]
    return float(min([axis, *stopped]) if stopped else min(axis, max(line.x[-1] for line in lines)))


def _until(line, end):
    count = max(int(np.searchsorted(line.x, end * GRACE, "right")), 1)
    return Line(line.x[:count], line.y[:count], line.end_status)


def _between(x, y, places):
    """Along the drawn line; into what is infinite a line goes at its record."""
    finite = np.isfinite(y)
    heights = np.interp(places, x[finite], y[finite]) if finite.any() else np.full(len(places), np.inf)
    after = np.clip(np.searchsorted(x, places, "right") - 1, 0, len(x) - 1)
    return np.where(finite[after], heights, y[after])
