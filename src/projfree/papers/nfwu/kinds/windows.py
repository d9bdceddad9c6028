"""Kinds that cut the axis in equal parts (epochs): values at their ends, or means within them."""

import numpy as np

from projfree.evidence.curves import TINY
from projfree.evidence.kinds.base import Finding, kind
from projfree.evidence.kinds.compare import Race, named, quotient, when
from projfree.evidence.panel import Missing
from projfree.ground.names import require

VALUES = ("best", "current", "mean")


class _Windows:
    """A metric of groups of methods (of a group, the least), one number per part of the axis."""

    def __init__(self, panel, seed, groups, metric, windows, excess, axis, skip_zero=False):
        self.windows, self.skip_zero = windows, skip_zero
        self.race = Race(panel, seed, groups, metric, excess, axis)

    def series(self, group, value="mean") -> np.ndarray:
        """(windows,) `best` or `current` value at the end of each part, or `mean` within it."""
        require([value], VALUES, "value")
        return np.min([self._one(curve, value) for curve in self.race.curves(group)], axis=0)

    def _one(self, curve, value):
        end = self.race.end
        if value == "mean":
            return curve.means(end, self.windows, self.skip_zero)
        read = curve.at if value == "best" else curve.current
        return np.array([read(end * (k + 1) / self.windows) for k in range(self.windows)])

    def both(self, a, b, value="mean"):
        """The series of `a` and `b`, in the windows where both have a number."""
        first, second = self.series(a, value), self.series(b, value)
        known = np.isfinite(first) & np.isfinite(second)
        if not known.any():
            panel, metric = self.race.panel.name, self.race.options["metric"]
            raise Missing(f"{metric} of {named(a)} and {named(b)} within one window of {panel}")
        return first[known], second[known]


def _ratios(first, second):
    return np.array([quotient(x, y) for x, y in zip(first, second, strict=True)])


def _mean_log(values):
    return np.log(np.maximum(values, TINY)).mean()


@kind
def lower(
    panel,
    seed,
    *,
    a,
    b,
    metric,
    threshold=0.98,
    excess=False,
    at=(0.25, 0.5, 1.0),
    axis="iteration",
    mean=False,
    windows=20,
    headroom: str | None = None,
):
    """The current value, not the running best, of `a` is ≤ threshold · that of `b` at parts of the axis.

    With `mean`, the mean of the values at the ends of the windows has to be smaller too.
    """
    race = Race(panel, seed, (a, b), metric, excess, axis, current=True)
    ratios = {part: race.ratio(a, b, part) for part in at}
    measured = {f"ratio at {when(part)}": ratios[part] for part in reversed(at)}
    truth = all(ratio <= threshold for ratio in ratios.values())
    if mean:
        cut = _Windows(panel, seed, (a, b), metric, windows, excess, axis)
        measured["ratio of means"] = quotient(*(cut.series(group, "current").mean() for group in (a, b)))
        truth = truth and measured["ratio of means"] < 1
    room, remark = race.headroom(b, headroom)
    return Finding(bool(truth), measured | room, remark)


@kind
def window_ratio(
    panel,
    seed,
    *,
    a,
    b,
    metric,
    threshold=0.5,
    excess=False,
    axis="iteration",
    windows=20,
    skip_zero=False,
    share: float | None = None,
):
    """Geometric mean over the windows of mean(a)/mean(b) ≤ threshold, and so in a `share` of the windows."""
    cut = _Windows(panel, seed, (a, b), metric, windows, excess, axis, skip_zero)
    ratios = _ratios(*cut.both(a, b))
    together, below = float(np.exp(_mean_log(ratios))), float(np.mean(ratios <= threshold))
    measured = {
        "geometric mean of ratios": together,
        "share of windows below": below,
        "largest ratio": float(ratios.max()),
        "windows": len(ratios),
    }
    return Finding(together <= threshold and below >= (share or 0), measured)


@kind
def window_equal(
    panel,
    seed,
    *,
    a,
    b,
    metric,
    threshold=1.0,
    excess=False,
    at=(0.25, 0.5, 1.0),
    axis="iteration",
    windows=20,
    skip_zero=False,
):
    """The means within the windows that end at parts of the axis differ by at most a factor 1 + threshold."""
    cut = _Windows(panel, seed, (a, b), metric, windows, excess, axis, skip_zero)
    ends = [max(round(part * windows), 1) - 1 for part in at]
    ratios = dict(zip(at, _ratios(cut.series(a)[ends], cut.series(b)[ends]), strict=True))
    if np.isnan(list(ratios.values())).any():
        raise Missing(f"{metric} of {named(a)} and {named(b)} in each of those windows of {panel.name}")
    truth = all(1 / (1 + threshold) <= ratio <= 1 + threshold for ratio in ratios.values())
    return Finding(truth, {f"ratio at {when(part)}": ratios[part] for part in reversed(at)})


@kind
def slightly_better(
    panel,
    seed,
    *,
    a,
    b,
    metric,
    threshold=1.0,
    excess=False,
    axis="iteration",
    windows=20,
    skip_zero=False,
    value="current",
    log=False,
):
    """The mean over the windows, and the value in the last, are below threshold · those of `b`.

    `value`: ``best`` or ``current`` at the end of each window, or the ``mean`` within it;
    `log`: geometric means.
    """
    cut = _Windows(panel, seed, (a, b), metric, windows, excess, axis, skip_zero)
    first, second = cut.both(a, b, value)
    means = np.exp(_mean_log(first) - _mean_log(second)) if log else quotient(first.mean(), second.mean())
    measured = {"ratio of means": float(means), "ratio at end": quotient(first[-1], second[-1])}
    return Finding(bool(max(measured.values()) < threshold), measured)
