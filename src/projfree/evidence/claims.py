"""Claims of a paper → verdicts (SPEC-common 0.6; entries of claims.json as in the contract)."""

from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from .checks import Check, check_claims, checks_of, parts_of
from .kinds import lookup
from .panel import Evidence, Missing
from .wording import brief, measured_words, number, reading_words, remarks_on, threshold_words

IN_PART = 0.2  # below this share of the seeds a statement fails
SCALES = {"x0.5": 0.5, "x2": 2.0}
EPS = 1e-9


@dataclass
class Outcome:
    """What one check found: per seed its truth and numbers, or what is missing."""

    check: Check
    truths: dict[int, bool] = field(default_factory=dict)
    numbers: dict[int, dict] = field(default_factory=dict)
    missing: str = ""
    remarks: list[str] = field(default_factory=list)
    traces: list[str] = field(default_factory=list)
    seeds: list[int] = field(default_factory=list)

    @property
    def verdict(self) -> str:
        """Verdict on this panel alone, by the share of seeds in which it is true."""
        if self.missing:
            return "not_testable"
        true = sum(self.truths.values()) / len(self.truths)
        quota = self.check.quota
        if true >= quota - EPS:
            return "holds"
        return "holds_in_part" if true >= min(IN_PART, quota) - EPS else "fails"

    @property
    def medians(self) -> dict[str, float]:
        """Median over the seeds of each number."""
        words = dict.fromkeys(word for numbers in self.numbers.values() for word in numbers)
        return {word: _median(numbers[word] for numbers in self.numbers.values()) for word in words}


def _median(values):
    """Median of what is a number; NaN if nothing is."""
    return median([value for value in values if value == value] or [float("nan")])


def combine(verdicts) -> str:
    """One verdict of several: all hold, all fail, or in part; not testable as soon as one is not."""
    verdicts = set(verdicts)
    if "not_testable" in verdicts or not verdicts:
        return "not_testable"
    return verdicts.pop() if len(verdicts) == 1 else "holds_in_part"


def evaluate(spec: dict, tidy_dir) -> list[dict]:
    """Judge every claim of a paper by its tidy tables.

    Parameters
    ----------
    spec : dict
        Resolved study spec of the paper: ``prefix``, ``experiments``, ``claims``.
    tidy_dir : Path
        Folder with ``<experiment>.csv``. What is not there makes claims `not_testable`, naming it.

    Returns
    -------
    list of dict
        Entries of claims.json: each claim, followed by its lettered parts.

    Raises
    ------
    ValueError
        For an unknown key, kind, parameter, experiment or method in the claims.
    """
    check_claims(spec)
    evidence = Evidence(spec, Path(tidy_dir))
    return [entry for claim in spec["claims"] for entry in _entries(evidence, claim, spec["prefix"])]


def _entries(evidence, claim, prefix):
    """A claim's own entry and those of its parts."""
    name = f"{prefix}-{claim['id']}"
    parts = {letter: _judge_part(evidence, claim, part) for letter, part in parts_of(claim).items()}
    if "" in parts:
        entries = [{"id": name, **parts[""]}]
    else:
        heads = {letter: part for letter, part in parts.items() if not part["extra"]}
        entries = [{"id": name, **_words(claim), **_combined(heads)}]
        entries += [{"id": f"{name}.{letter}", **part} for letter, part in parts.items()]
    for entry in entries:
        remarks = entry.pop("remarks") + reading_words(entry["verdict_readings"])
        entry["note"] = " ".join(dict.fromkeys(remarks))
    return entries


def _words(claim, part=None):
    return {key: (part or {}).get(key) or claim.get(key, "") for key in ("quote", "where", "statement")}


def _judge_part(evidence, claim, part):
    """All fields of one part's entry but its id, and remarks for its note."""

    def outcomes(view=None, scale=1.0):
        return [judge(evidence, check) for check in checks_of(part, view, scale)]

    def verdict(view=None, scale=1.0):
        if part.get("not_judged"):
            return "not_testable"
        return combine(outcome.verdict for outcome in outcomes(view, scale))

    main = outcomes()
    strong = outcomes(part["strong"]) if part.get("strong") else []
    return {
        **_words(claim, part),
        "verdict": verdict(),
        "verdict_strong": combine(outcome.verdict for outcome in strong) if strong else None,
        "measured": measured_words(main),
        "threshold": threshold_words(main),
        "sensitivity": {name: verdict(scale=scale) for name, scale in SCALES.items()},
        "verdict_readings": {name: verdict(view) for name, view in (part.get("readings") or {}).items()},
        "seeds": sorted({seed for outcome in main for seed in outcome.seeds}),
        "traces": list(dict.fromkeys(trace for outcome in main for trace in outcome.traces)),
        "remarks": remarks_on(evidence, part, main, strong),
        "extra": bool(part.get("extra")),
        "panels": [_panel_entry(outcome) for outcome in main],
    }


def _panel_entry(outcome):
    """The numbers of one panel, seed by seed, for who wants to look closer."""
    return {
        "panel": outcome.check.label,
        "verdict": outcome.verdict,
        "seeds": [
            {
                "seed": seed if seed >= 0 else "mean",
                "true": truth,
                **{k: number(v) for k, v in outcome.numbers[seed].items()},
            }
            for seed, truth in outcome.truths.items()
        ],
    }


def judge(evidence: Evidence, check: Check) -> Outcome:
    """One kind on one panel, seed by seed."""
    outcome = Outcome(check)
    try:
        _run(evidence, check, outcome)
    except Missing as missing:
        outcome.missing = str(missing)
    return outcome


def _run(evidence, check, outcome):
    panels = [evidence.panel(name) for name in (check.experiment, check.args.get("other")) if name]
    outcome.traces = [trace for panel in panels for trace in panel.traces(check.methods)]
    outcome.remarks = [
        f"Runs that ended in an error: {'; '.join(p.errors)} in {p.name}." for p in panels if p.errors
    ]
    common = set.intersection(*(set(panel.seeds(check.methods)) for panel in panels))
    if not common:
        raise Missing(f"a seed in both {' and '.join(panel.name for panel in panels)}")
    panel = evidence.panel(check.experiment, check.pool)
    outcome.seeds = sorted(common)
    for seed in [-1] if check.pool else outcome.seeds:
        found = lookup(check.kind)(panel, seed, **check.args)
        outcome.truths[seed], outcome.numbers[seed] = bool(found.truth), found.measured
        outcome.remarks += [found.remark] if found.remark else []


def _combined(parts):
    """Fields of a claim that follow from its parts (those without "+")."""
    strong = [p["verdict_strong"] for p in parts.values() if p["verdict_strong"]]
    names = dict.fromkeys(name for p in parts.values() for name in p["verdict_readings"])

    def union(key):
        return list(dict.fromkeys(item for p in parts.values() for item in p[key]))

    return {
        "verdict": combine(p["verdict"] for p in parts.values()),
        "verdict_strong": combine(p["verdict_strong"] or p["verdict"] for p in parts.values())
        if strong
        else None,
        "measured": {letter: brief(p) for letter, p in parts.items()},
        "threshold": {letter: p["threshold"] for letter, p in parts.items()},
        "sensitivity": {s: combine(p["sensitivity"][s] for p in parts.values()) for s in SCALES},
        "verdict_readings": {
            name: combine(p["verdict_readings"].get(name, p["verdict"]) for p in parts.values())
            for name in names
        },
        "seeds": sorted(union("seeds")),
        "traces": union("traces"),
        "remarks": union("remarks"),
        "extra": False,
        "panels": [],
    }
