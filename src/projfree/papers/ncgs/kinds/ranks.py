"""Kinds about who is ahead of whom, and when."""

from projfree.evidence.kinds.base import Finding, kind
from projfree.evidence.kinds.compare import Race, beats, named, quotient, when


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
def order(panel, seed, *, methods, metric, threshold=0.98, excess=False, at=1.0, also=(), axis="cpu_seconds"):
    """Methods from best to worst: each B ≤ threshold · the next at `at`; Kendall's τ there and at `also`."""
    race = Race(panel, seed, methods, metric, excess, axis)
    best = [race.value(group, at) for group in methods]
    pairs = list(zip(methods, best, methods[1:], best[1:], strict=False))
    measured = {f"Kendall τ at {when(part)}": _tau(race, methods, part) for part in (at, *also)}
    measured |= {f"{named(one)} / {named(two)}": quotient(x, y) for one, x, two, y in pairs}
    return Finding(all(quotient(x, y) <= threshold for _, x, _, y in pairs), measured)


def _tau(race, methods, part):
    from scipy.stats import kendalltau  # takes a second to load, and tidy tables do not need it

    return float(kendalltau(range(len(methods)), [race.value(group, part) for group in methods]).statistic)


@kind
def crossing(
    panel, seed, *, a, b, metric, threshold=1.0, excess=False, early=0.1, late=1.0, axis="cpu_seconds"
):
    """First `a` is ahead, then `b`: B(a) < threshold · B(b) at `early`, B(b) < threshold · B(a) at `late`."""
    race = Race(panel, seed, (a, b), metric, excess, axis)
    first, last = race.ratio(a, b, early), race.ratio(b, a, late)
    measured = {
        f"{named(a)} / {named(b)} at {when(early)}": first,
        f"{named(b)} / {named(a)} at {when(late)}": last,
    }
    return Finding(first < threshold and last < threshold, measured)
