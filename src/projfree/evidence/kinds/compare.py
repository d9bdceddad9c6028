"""Kinds that compare running bests at parts of the budget."""

from fractions import Fraction

from ..panel import Missing, flat
from .base import Finding, kind

#: Below this ratio of a baseline to the reference, a panel cannot show an advantage over the baseline.
HEADROOM = 1.05


def when(part: float) -> str:
    """Words for a part of the budget."""
    return "end" if part == 1 else f"{Fraction(part).limit_denominator(100)} of the budget"


def named(group) -> str:
    """Words for a method or the best of several."""
    names = flat(group)
    return names[0] if len(names) == 1 else f"min({', '.join(names)})"


class Race:
    """Values of groups of methods on one panel and seed, up to their common end.

    Running bests, or with `current` the values themselves; of a group, the least.
    """

    def __init__(self, panel, seed, groups, metric, excess, axis, current=False):
        self.panel, self.seed, self.current = panel, seed, current
        self.options = {"metric": metric, "excess": excess, "axis": axis}
        self.end = panel.end(flat(*groups), seed, axis)
        if not self.end > 0:
            raise Missing(f"{axis} spent by {', '.join(flat(*groups))} in {panel.name}")

    def curves(self, group):
        return self.panel.curves(group, self.seed, **self.options)

    def value(self, group, part):
        x = part * self.end
        return min(curve.current(x) if self.current else curve.at(x) for curve in self.curves(group))

    def area(self, group):
        """Area per unit of the axis, so that it reads as a mean exponent."""
        return min(curve.area(self.end) for curve in self.curves(group)) / self.end

    def ratio(self, a, b, part):
        return quotient(self.value(a, part), self.value(b, part))

    def headroom(self, b, full):
        """How far `b` is above the reference `full` at the end, and a remark where that is too little.

        Where a baseline is as good as exact gradients, no method can show an advantage over it.
        """
        if full is None:
            return {}, ""
        room = self.ratio(b, full, 1.0)
        little = f"{self.panel.name} leaves no headroom over {named(full)}." if room < HEADROOM else ""
        return {f"headroom over {named(full)}": room}, little


def quotient(a: float, b: float) -> float:
    """Quotient of two values ≥ 0, with 0 / 0 = 1: equal."""
    return a / b if b else (1.0 if a == 0 else float("inf"))


@kind
def beats(
    panel,
    seed,
    *,
    a,
    b,
    metric,
    threshold=0.95,
    excess=False,
    at=(0.25, 0.5, 1.0),
    axis="cpu_seconds",
    area=True,
    headroom: str | None = None,
):
    """B(a) ≤ threshold · B(b) at each part of the budget and, with `area`, a smaller area (groups: best).

    `headroom` names a method, such as one with exact gradients; how far `b` is above it is told too.
    """
    race = Race(panel, seed, (a, b), metric, excess, axis)
    ratios = {part: race.ratio(a, b, part) for part in at}
    measured = {f"ratio at {when(part)}": ratios[part] for part in reversed(at)}
    truth = all(ratio <= threshold for ratio in ratios.values())
    if area:
        measured["mean log10 gained"] = race.area(b) - race.area(a)
        truth = truth and measured["mean log10 gained"] > 0
    room, remark = race.headroom(b, headroom)
    return Finding(truth, measured | room, remark)


@kind
def about_equal(
    panel,
    seed,
    *,
    a,
    b,
    metric,
    threshold=0.25,
    excess=False,
    at=(0.5, 1.0),
    axis="cpu_seconds",
    current=False,
):
    """B(a) and B(b), or with `current` the values themselves, within a factor 1 + threshold of each other."""
    race = Race(panel, seed, (a, b), metric, excess, axis, current)
    ratios = {part: race.ratio(a, b, part) for part in at}
    truth = all(1 / (1 + threshold) <= ratio <= 1 + threshold for ratio in ratios.values())
    return Finding(truth, {f"ratio at {when(part)}": ratios[part] for part in reversed(at)})


@kind
def ratio_shrinks(
    panel, seed, *, a, b, other, metric, threshold=1.0, excess=False, at=(0.5, 1.0), axis="cpu_seconds"
):
    """B(a)/B(b) here is below threshold · the same ratio on the panel `other`, at each part of the budget."""
    here = Race(panel, seed, (a, b), metric, excess, axis)
    there = Race(panel.evidence.panel(other), seed, (a, b), metric, excess, axis)
    measured, truth = {}, True
    for part in reversed(at):
        ratio, its = here.ratio(a, b, part), there.ratio(a, b, part)
        measured |= {f"ratio at {when(part)}": ratio, f"ratio at {when(part)}, {other}": its}
        truth = truth and ratio < threshold * its
    return Finding(truth, measured)
