"""One kind on one panel → an outcome and its verdict; outcomes of a test in cells → one."""

from dataclasses import dataclass, field, replace
from statistics import median

from .checks import Check
from .kinds import lookup
from .panel import Evidence, Missing

IN_PART = 0.2  # below this share of the seeds a statement fails
EPS = 1e-9


@dataclass
class Outcome:
    """What one check found: per seed its truth and numbers, or what is missing.

    Of a test in cells, the truths and numbers of all its panels; their keys are (panel, seed).
    """

    check: Check
    truths: dict = field(default_factory=dict)
    numbers: dict = field(default_factory=dict)
    missing: str = ""
    remarks: list[str] = field(default_factory=list)
    traces: list[str] = field(default_factory=list)
    seeds: list[int] = field(default_factory=list)
    experiments: list[str] = field(default_factory=list)

    @property
    def share(self) -> float:
        """Share of the seeds or cells in which it is true."""
        return sum(self.truths.values()) / len(self.truths)

    @property
    def verdict(self) -> str:
        """Verdict on this panel alone, or on all cells, by the share in which it is true."""
        if self.missing:
            return "not_testable"
        quota = self.check.quota
        cells = self.check.cells or {"holds": quota, "in_part": min(IN_PART, quota)}
        if self.share >= cells["holds"] - EPS:
            return "holds"
        return "holds_in_part" if self.share >= cells["in_part"] - EPS else "fails"

    @property
    def medians(self) -> dict[str, float]:
        """Median over the seeds of each number; before them, of cells, the share and its interval."""
        words = dict.fromkeys(word for numbers in self.numbers.values() for word in numbers)
        found = {
            word: _median(numbers[word] for numbers in self.numbers.values() if word in numbers)
            for word in words
        }
        return self._interval() | found if self.check.cells else found

    def _interval(self):
        """Share of cells with its 95 % interval of Wilson, which takes the cells as independent."""
        number = len(self.truths)
        from scipy.stats import binomtest  # takes a second to load, and tidy tables do not need it

        low, high = binomtest(sum(self.truths.values()), number).proportion_ci(method="wilson")
        return {"share": self.share, "95 % from": float(low), "95 % to": float(high), "cells": number}


def _median(values):
    """Median of what is a number; NaN if nothing is."""
    return median([value for value in values if value == value] or [float("nan")])


def judge_all(evidence: Evidence, checks: list[Check]) -> list[Outcome]:
    """Outcomes of a part's checks; those of one test in cells become one."""
    found = {}
    for check in checks:
        found.setdefault((check.group, check.group or check.label), []).append(judge(evidence, check))
    return [_in_cells(group) if group[0].check.cells else group[0] for group in found.values()]


def _in_cells(outcomes):
    """All (panel, seed) cells of a test as one outcome."""

    def cells(name):
        return {(o.check.label, seed): value for o in outcomes for seed, value in getattr(o, name).items()}

    def union(name):
        return list(dict.fromkeys(item for o in outcomes for item in getattr(o, name)))

    first = outcomes[0].check
    lists = {name: union(name) for name in ("remarks", "traces", "seeds", "experiments")}
    missing = "; ".join(dict.fromkeys(o.missing for o in outcomes if o.missing))
    return Outcome(replace(first, label=first.group), cells("truths"), cells("numbers"), missing, **lists)


def judge(evidence: Evidence, check: Check) -> Outcome:
    """One kind on one panel, seed by seed. The same measurement is made once per evidence."""
    key = check.kind, check.experiment, check.pool, repr(sorted(check.args.items()))
    if key not in evidence.judged:
        evidence.judged[key] = _judged(evidence, check)
    return replace(evidence.judged[key], check=check)


def _judged(evidence, check):
    outcome = Outcome(check, experiments=[n for n in (check.experiment, check.args.get("other")) if n])
    try:
        _run(evidence, check, outcome)
    except Missing as missing:
        outcome.missing = str(missing)
    return outcome


def _run(evidence, check, outcome):
    panels = [evidence.panel(name) for name in outcome.experiments]
    outcome.traces = [trace for panel in panels for trace in panel.traces(check.methods)]
    outcome.remarks = [
        f"Runs that ended in an error: {'; '.join(p.errors)} in {p.name}." for p in panels if p.errors
    ]
    common = set.intersection(*(set(panel.seeds(check.methods)) for panel in panels))
    if not common:
        raise Missing(f"a seed in both {' and '.join(panel.name for panel in panels)}")
    panel = evidence.panel(check.experiment, check.pool)
    outcome.seeds = sorted(common)
    kind = lookup(check.kind, evidence.spec["paper"])
    for seed in [-1] if check.pool else outcome.seeds:
        found = kind(panel, seed, **check.args)
        outcome.truths[seed], outcome.numbers[seed] = bool(found.truth), found.measured
        outcome.remarks += [found.remark] if found.remark else []
