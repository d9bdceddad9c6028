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
    scale = "linear" if race.signed else _scale(race.panel, race.metric) or _natural(values)
    return Drawn(scale, _length([y[0] for y in curves], values, scale))


def _natural(values):
    return "log" if values.size and values.min() >= 0 else "linear"


def _length(starts, values, scale):
    """From the least value to the start, above which no figure goes (to the largest without a start)."""
    starts = [y for y in starts if values.size and values.min() < y < np.inf]
    values = np.minimum(values, max(starts)) if starts else values
    values = np.log(values[values > 0]) if scale == "log" else values
    return float(np.ptp(values)) if values.size else 0.0


def _scale(panel, metric):
    figures = panel.evidence.spec.get("figures") or {}
    for figure in figures.values():
        for options in _panels(figure):
            if options.get("experiment") == panel.name and options.get("y") == metric:
                return options.get("y_scale") or ("log" if options.get("excess") else "linear")
    return None


def _panels(figure):
    """Options of all panels of a figure, those of a grid one a row and column."""
    yield from figure.get("panels") or []
    grid = figure.get("grid") or {}
    for row in grid.get("rows", []):
        for column in grid.get("columns", []):
            yield (grid.get("cells") or {}) | row | column
