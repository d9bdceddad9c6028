"""How a metric is drawn: scale and range of its axis. What differs by less than 1 % of it is equal."""

from typing import NamedTuple

import numpy as np

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
