"""Claims of a paper → verdicts: the entries of claims.json."""

from pathlib import Path

from .aggregates import combine, follow, heads, named, order
from .checks import check_claims, checks_of
from .judging.combined import combined_fields
from .judging.entry import entry_of, remarks_of
from .judging.fragility import graded
from .judging.grammar import is_sentence
from .outcomes import judge_all
from .panel import Evidence
from .tables import untuned
from .wording import (
    STAMP,
    brief,
    coverage_words,
    measured_words,
    number,
    reading_words,
    remarks_on,
    threshold_words,
)

SCALES = {"x0.5": 0.5, "x2": 2.0}


def evaluate(spec: dict, tidy_dir, tuning_dir=None) -> list[dict]:
    """Judge every claim of a paper by its tidy tables.

    Parameters
    ----------
    spec : dict
        Resolved study spec of the paper: ``prefix``, ``experiments``, ``claims``.
    tidy_dir : Path
        Folder with ``<experiment>.csv``. What is not there makes claims `not_testable`, naming it.
    tuning_dir : Path, optional
        Folder with the tables of tried values: against baselines that these say to be untuned nothing is won.

    Returns
    -------
    list of dict
        Entries of claims.json: each claim, followed by its lettered parts.

    Raises
    ------
    ValueError
        For an unknown key, kind, parameter, experiment, method or claim in the claims.
    """
    check_claims(spec)
    evidence = Evidence(spec, Path(tidy_dir))
    evidence.untuned = untuned(tuning_dir) if tuning_dir else {}
    claims, found = named(spec["claims"]), {}
    for name in order(spec["claims"]):
        found[name] = _entry(evidence, *claims[name], found)
    return [{"id": f"{spec['prefix']}-{name}", **_noted(found[name])} for name in claims]


def _entry(evidence, claim, part, found):
    """One entry but for its id: a claim of the parts found before, a part, or one that follows."""
    if part is None:
        parts = {name.rpartition(".")[2]: found[name] for name in heads(claim)}
        return {**_words(claim), **_combined(parts, lambda verdicts: combine(verdicts.values()))}
    if "follows" in part:
        return {**_words(claim, part), **_follows(part, found)}
    judge = _judge_sentences if all(map(is_sentence, part.get("tests", []))) else _judge_part
    return judge(evidence, claim, part)


def _noted(entry):
    """The entry with its remarks and the verdicts under other readings as a note, and its views graded."""
    remarks = entry.pop("remarks") + reading_words(entry["verdict_readings"])
    views = entry.pop("views", None)
    fragility = {} if views is None else {"fragility": graded(entry["verdict"], views)}
    return {**entry, **fragility, "note": " ".join(dict.fromkeys(remarks))}


def _judge_sentences(evidence, claim, part):
    """All fields of a part in the vocabulary of sentences but its id."""
    entry = {**_words(claim, part), **entry_of(evidence, part)}
    return entry | {"remarks": remarks_of(evidence, part, entry)}


def _words(claim, part=None):
    return {key: (part or {}).get(key) or claim.get(key, "") for key in ("quote", "where", "statement")}


def _judge_part(evidence, claim, part):
    """All fields of one part's entry but its id, and remarks for its note."""

    def outcomes(view=None, scale=1.0):
        return judge_all(evidence, checks_of(part, evidence.spec, view, scale))

    def verdict(found):
        return "not_testable" if part.get("not_judged") else combine(outcome.verdict for outcome in found)

    main = outcomes()
    strong = outcomes(part["strong"]) if part.get("strong") else []
    readings = {name: outcomes(view) for name, view in (part.get("readings") or {}).items()}
    views = ({"strong baseline": strong} if strong else {}) | readings
    return {
        **_words(claim, part),
        "verdict": verdict(main),
        "verdict_strong": combine(outcome.verdict for outcome in strong) if strong else None,
        "measured": measured_words(main),
        "threshold": threshold_words(main),
        "sensitivity": {name: verdict(outcomes(scale=scale)) for name, scale in SCALES.items()},
        "verdict_readings": {name: verdict(found) for name, found in readings.items()},
        "seeds": sorted({seed for outcome in main for seed in outcome.seeds}),
        "traces": list(dict.fromkeys(trace for outcome in main for trace in outcome.traces)),
        "remarks": remarks_on(evidence, part, main, strong) + coverage_words(main, views),
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
                **_cell(key),
                "true": truth,
                **{k: number(v) for k, v in outcome.numbers[key].items()},
            }
            for key, truth in outcome.truths.items()
        ],
    }


def _cell(key):
    """A seed, or a (panel, seed) cell, in words; the mean of the seeds has the number −1."""
    if isinstance(key, tuple):
        return {"panel": key[0], **_cell(key[1])}
    return {"seed": key if key >= 0 else "mean"}


def _follows(part, found):
    """Fields of a part that follows from others, which need not be parts of the same claim."""
    sources = {name: found[name] for name in part["follows"]["from"]}
    entry = _combined(sources, lambda verdicts: follow(verdicts, part["follows"].get("needed", ())))
    untested = [name for name, source in sources.items() if source["verdict"] == "not_testable"]
    remarks = [f"Not testable: {', '.join(untested)}."] if untested else []
    remarks += [remark for remark in entry["remarks"] if remark.startswith(STAMP)]
    remarks += [part["note"].strip()] if part.get("note") else []
    return entry | {"remarks": remarks, "extra": bool(part.get("extra"))}


def _combined(parts, rule):
    """Fields that follow from those of others; `rule` makes one verdict of a dictionary of verdicts."""
    readings = dict.fromkeys(name for p in parts.values() for name in p["verdict_readings"])

    def verdict(of):
        return rule({name: of(part) for name, part in parts.items()})

    def union(key):
        return list(dict.fromkeys(item for p in parts.values() for item in p[key]))

    return {
        "verdict": verdict(lambda p: p["verdict"]),
        "verdict_strong": verdict(lambda p: p["verdict_strong"] or p["verdict"])
        if any(p["verdict_strong"] for p in parts.values())
        else None,
        "measured": {name: brief(p) for name, p in parts.items()},
        "threshold": {name: p["threshold"] for name, p in parts.items()},
        "sensitivity": {s: verdict(lambda p, s=s: p["sensitivity"][s]) for s in SCALES},
        "verdict_readings": {
            reading: verdict(lambda p, r=reading: p["verdict_readings"].get(r, p["verdict"]))
            for reading in readings
        },
        "seeds": sorted(union("seeds")),
        "traces": union("traces"),
        "remarks": union("remarks"),
        "extra": False,
        "panels": [],
    } | combined_fields(list(parts.values()), verdict)
