"""Kinds that compare running bests at parts of the budget (SPEC-common 0.6)."""

from fractions import Fraction

from scipy.stats import kendalltau

from ..panel import Missing, flat
from .base import Finding, kind


def when(part: float) -> str:
    """Words for a part of the budget."""
    return "end" if part == 1 else f"{Fraction(part).limit_denominator(100)} of the budget"


def named(group) -> str:
    """Words for a method or the best of several."""
    names = flat(group)
    return names[0] if len(names) == 1 else f"min({', '.join(names)})"


class _Race:
    """Running bests of groups of methods on one panel and seed, up to their common end."""

    def __init__(self, panel, seed, groups, metric, excess, axis):
        self.panel, self.seed = panel, seed
        self.options = {"metric": metric, "excess": excess, "axis": axis}
        self.end = panel.end(flat(*groups), seed, axis)
        if not self.end > 0:
            raise Missing(f"{axis} spent by {', '.join(flat(*groups))} in {panel.name}")

    def curves(self, group):
        return self.panel.curves(group, self.seed, **self.options)

    def best(self, group, part):
        return min(curve.at(part * self.end) for curve in self.curves(group))

    def area(self, group):
        """Area per unit of the axis, so that it reads as a mean exponent."""
        return min(curve.area(self.end) for curve in self.curves(group)) / self.end

    def ratio(self, a, b, part):
        return quotient(self.best(a, part), self.best(b, part))


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
):
    """B(a) ≤ threshold · B(b) at each part of the budget and, with `area`, a smaller area (groups: best)."""
    race = _Race(panel, seed, (a, b), metric, excess, axis)
    ratios = {part: race.ratio(a, b, part) for part in at}
    measured = {f"ratio at {when(part)}": ratios[part] for part in reversed(at)}
    truth = all(ratio <= threshold for ratio in ratios.values())
    if area:
        measured["mean log10 gained"] = race.area(b) - race.area(a)
        truth = truth and measured["mean log10 gained"] > 0
    return Finding(truth, measured)


@kind
def not_beats(
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
):
    """`beats` does not hold."""
    found = beats(
        panel, seed, a=a, b=b, metric=metric, threshold=threshold, excess=excess, at=at, axis=axis, area=area
    )
    return found._replace(truth=not found.truth)


@kind
def about_equal(
    panel, seed, *, a, b, metric, threshold=0.25, excess=False, at=(0.5, 1.0), axis="cpu_seconds"
):
    """B(a) and B(b) within a factor 1 + threshold of each other."""
    race = _Race(panel, seed, (a, b), metric, excess, axis)
    ratios = {part: race.ratio(a, b, part) for part in at}
    truth = all(1 / (1 + threshold) <= ratio <= 1 + threshold for ratio in ratios.values())
    return Finding(truth, {f"ratio at {when(part)}": ratios[part] for part in reversed(at)})


@kind
def order(panel, seed, *, methods, metric, threshold=0.98, excess=False, at=1.0, also=(), axis="cpu_seconds"):
    """Methods from best to worst: each B ≤ threshold · the next at `at`; Kendall's τ there and at `also`."""
    race = _Race(panel, seed, methods, metric, excess, axis)
    best = [race.best(group, at) for group in methods]
    pairs = list(zip(methods, best, methods[1:], best[1:], strict=False))
    measured = {f"Kendall τ at {when(part)}": _tau(race, methods, part) for part in (at, *also)}
    measured |= {f"{named(one)} / {named(two)}": quotient(x, y) for one, x, two, y in pairs}
    return Finding(all(quotient(x, y) <= threshold for _, x, _, y in pairs), measured)


def _tau(race, methods, part):
    return float(kendalltau(range(len(methods)), [race.best(group, part) for group in methods]).statistic)


@kind
def ratio_shrinks(
    panel, seed, *, a, b, other, metric, threshold=1.0, excess=False, at=(0.5, 1.0), axis="cpu_seconds"
):
    """B(a)/B(b) here is below threshold · the same ratio on the panel `other`, at each part of the budget."""
    here = _Race(panel, seed, (a, b), metric, excess, axis)
    there = _Race(panel.evidence.panel(other), seed, (a, b), metric, excess, axis)
    measured, truth = {}, True
    for part in reversed(at):
        ratio, its = here.ratio(a, b, part), there.ratio(a, b, part)
        measured |= {f"ratio at {when(part)}": ratio, f"ratio at {when(part)}, {other}": its}
        truth = truth and ratio < threshold * its
    return Finding(truth, measured)


@kind
def crossing(
    panel, seed, *, a, b, metric, threshold=1.0, excess=False, early=0.1, late=1.0, axis="cpu_seconds"
):
    """First `a` is ahead, then `b`: B(a) < threshold · B(b) at `early`, B(b) < threshold · B(a) at `late`."""
    race = _Race(panel, seed, (a, b), metric, excess, axis)
    first, last = race.ratio(a, b, early), race.ratio(b, a, late)
    measured = {
        f"{named(a)} / {named(b)} at {when(early)}": first,
        f"{named(b)} / {named(a)} at {when(late)}": last,
    }
    return Finding(first < threshold and last < threshold, measured)
