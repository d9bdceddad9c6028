"""Claims judged: rows of verdicts.csv, and claims.json as a view of them."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from inspect import signature
from math import isfinite, nan
from typing import Any

from .claims import Claim, claims_of
from .evidence import PUBLISHED, Evidence, NotRun, Outside
from .findings import VERDICTS, Finding, at_length, cells, together, verdict, word

FAIR = "fair"
OPEN = ("not_testable", "not_run")
#: Columns of verdicts.csv. `call` is empty for the sentence itself, else the name of a reading.
COLUMNS = (
    *("claim", "part", "column", "call", "verdict", "headline", "panel", "data", "what", "metric", "over"),
    *("seed", "low", "high", "required", "truth", "reason", "length"),
)


@dataclass
class Call:
    """One judgement of one claim: in a column, as it stands or under a reading."""

    claim: Claim
    column: str
    name: str = ""
    findings: list[Finding] = field(default_factory=list)
    used: set = field(default_factory=set)

    @property
    def verdict(self) -> str:
        """The verdict over what was measured, provisional or not; of a late event at the paper's length
        only.
        """
        return verdict(at_length(self.findings) if self.claim.late else self.findings, self.claim.ask)

    @property
    def headline(self) -> str:
        """The verdict, but runs that are shorter than the paper's axis fail no claim."""
        known = self.verdict
        return verdict(at_length(self.findings), self.claim.ask) if known == "fails" else known


def judge_paper(
    paper: str, tables=None, *, columns=(PUBLISHED, FAIR), run: str = "full", only=None
) -> list[Call]:
    """Judge the claims of a paper on folders of tables.

    Parameters
    ----------
    tables : list of Path, optional
        Folders with tidy tables, the first wins; the published evidence by default.
    columns : tuple of str
        Columns of forms.yaml. Besides the first, a column has calls for claims only that compare forms.
    run : str
        A run that is smaller than the full one leaves claims out on whose panels it has nothing.
    only : iterable of str, optional
        Ids of claims, without prefix; a claim with its parts.

    Returns
    -------
    list of Call
        Of each claim and column the sentence itself; in the first column its readings too.
    """
    judged = []
    evidence = {column: Evidence(paper, column, tables, run) for column in columns}
    for claim in claims_of(paper):
        if claim.function is None or (only is not None and not {claim.id, claim.base} & set(only)):
            continue
        first = call(claim, evidence[columns[0]])
        if run != "full" and not first.findings:
            continue
        judged.append(first)
        for name, (arguments, _) in claim.readings.items():
            judged.append(call(claim, evidence[columns[0]], name, arguments))
        for column in columns[1:]:
            other = call(claim, evidence[column])
            judged += [other] if evidence[column].in_forms else []
    return judged


def call(claim: Claim, evidence: Evidence, name: str = "", arguments=None) -> Call:
    """One judgement; what was not run is a finding that says so.

    Parameters
    ----------
    arguments : dict, optional
        Keywords of the claim, and names of panels, methods, columns → what is read in their place.
    """
    evidence.clear()
    function: Any = claim.function
    keywords = {k: v for k, v in (arguments or {}).items() if k in signature(function).parameters}
    names = {k: v for k, v in (arguments or {}).items() if k not in keywords}
    evidence.exchanged, evidence.met = names, set()
    try:
        findings = list(function(evidence, **keywords))
    except NotRun as missing:
        outside = isinstance(missing, Outside)
        findings = [Finding("", claim.id, reason=str(missing), absent=True, outside=outside)]
    finally:
        evidence.exchanged = {}
    if names and not keywords and not evidence.met and not all(finding.absent for finding in findings):
        raise ValueError(f"{claim.id}, {name}: it has no keyword and reads nothing called {', '.join(names)}")
    findings = [finding for finding in findings if not finding.outside]
    return Call(claim, evidence.column, name, findings, set(evidence.used))


def under(paper: str, name: str, choice: str, tables, base, *, run: str, only=None) -> list[dict]:
    """The readings that a run under an alternative is: each claim without the choice and with it.

    Parameters
    ----------
    name, choice : str
        The alternative, and the entry of the register that it is of.
    run : str
        The run under the alternative; the base run is cut to it.
    tables, base : list of Path
        Folders with the run under the alternative, then what it has of the base run; those of the reduced run
        without it.

    Returns
    -------
    list of dict
        As `entries` takes them.
    """
    known, prefix = [], Evidence(paper, run=run).study.prefix
    for folders in (base, tables):
        judged = judge_paper(paper, folders, columns=(PUBLISHED,), run=run, only=only)
        known.append({id: own[PUBLISHED] for id, own in _verdicts(judgeable(paper, judged), judged).items()})
    fields = {"reading": name, "choice": choice}
    without, with_it = known
    both = [id for id in without if id in with_it]
    return [fields | {"claim": f"{prefix}-{id}", "base": without[id], "verdict": with_it[id]} for id in both]


def judgeable(paper: str, judged: Iterable[Call]) -> list[Claim]:
    """The claims that have a verdict: all, or where some were not judged those of the judged alone, with what
    follows from nothing else.
    """
    claims, ids = claims_of(paper), {each.claim.id for each in judged}
    if all(claim.id in ids for claim in claims if claim.function):
        return claims
    while True:
        known = ids | {claim.base for claim in claims if claim.id in ids}
        more = {c.id for c in claims if c.of and set(c.of) <= known} - ids
        if not more:
            return [claim for claim in claims if claim.id in ids]
        ids |= more


def rows(paper: str, judged: Iterable[Call], prefix: str) -> list[dict]:
    """The rows of verdicts.csv: one a finding, and one a sentence that is not judged or follows from
    others.
    """
    judged, table = list(judged), []
    for each in judged:
        fields: dict = {"claim": f"{prefix}-{each.claim.id}", "part": each.claim.part, "column": each.column}
        fields |= {"call": each.name, "verdict": each.verdict, "headline": each.headline}
        table += [fields | asdict(f) for f in (_over_seeds(each.findings) if each.name else each.findings)]
    claims = judgeable(paper, judged)
    entries = _verdicts(claims, judged)
    for claim in claims:
        fields = {
            "claim": f"{prefix}-{claim.id}",
            "part": claim.part,
            "column": PUBLISHED,
            "low": nan,
            "high": nan,
        }
        if claim.why:
            table.append(fields | {"verdict": "not_judged", "headline": "not_judged", "reason": claim.why})
        for column, own in entries[claim.id].items() if claim.of else ():
            for name in claim.of:
                holds = {"holds": True, "fails": False}.get(
                    entries[name].get(column) or entries[name][PUBLISHED]
                )
                words = {"column": column, "verdict": own, "headline": own}
                table.append(fields | words | {"what": f"{prefix}-{name}", "truth": holds})
    return [{column: _plain(row.get(column)) for column in COLUMNS} for row in table]


def _over_seeds(findings):
    """Of a reading a row a cell: no reader of verdicts.csv looks at the seeds of one."""
    groups = {}
    for f in findings:
        groups.setdefault((f.panel, f.what, f.absent), []).append(f)
    for own in groups.values():
        ends = {"low": min(f.low for f in own), "high": max(f.high for f in own)}
        reasons = "; ".join(dict.fromkeys(f.reason for f in own if f.reason))
        yield replace(own[0], seed=None, truth=word(f.truth for f in own), reason=reasons, **ends)


def _plain(value):
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: ""}[value]
    if isinstance(value, float):
        return f"{value:.6g}" if value == value else ""
    return value


def _verdicts(claims, judged, kind="verdict"):
    """Id of each claim and part → column → verdict."""
    words = {}
    for each in judged:
        if not each.name:
            words.setdefault(each.claim.id, {})[each.column] = getattr(each, kind)
    waiting = [claim for claim in claims if claim.id not in words]
    for claim in waiting:
        words[claim.id] = {PUBLISHED: "not_judged" if claim.why else "not_testable"}

    def whole(base):
        parts = [words[c.id] for c in claims if c.base == base and (c.headline or c.id == base) and not c.why]
        columns = dict.fromkeys(column for part in parts for column in part)
        return {column: together(part.get(column) or part[PUBLISHED] for part in parts) for column in columns}

    bases = dict.fromkeys(claim.base for claim in claims)
    for claim in (claim for claim in waiting if claim.of):
        for name in claim.of:
            words.setdefault(name, whole(name) if name in bases else {})
        words[claim.id] = {}
        for column in dict.fromkeys([PUBLISHED, *(c for name in claim.of for c in words[name])]):
            of = {name: words[name].get(column) or words[name][PUBLISHED] for name in claim.of}
            needed = [of[name] for name in claim.needed]
            words[claim.id][column] = together(of.values(), claim.ask, needed)
    return words | {base: words.get(base) or whole(base) for base in bases}


def entries(paper: str, judged: Iterable[Call], prefix: str, alternatives=()) -> list[dict]:
    """The entries of claims.json: each claim, followed by its parts.

    Parameters
    ----------
    alternatives : iterable of dict
        Readings that are runs: claim, reading, choice, base, verdict.
    """
    judged = list(judged)
    claims = judgeable(paper, judged)
    known, heads = _verdicts(claims, judged), _verdicts(claims, judged, "headline")
    listing = []
    for base in dict.fromkeys(claim.base for claim in claims):
        parts = [claim for claim in claims if claim.base == base]
        own = [_entry(claim, [j for j in judged if j.claim is claim], prefix) for claim in parts]
        if [claim.id for claim in parts] != [base]:
            own.insert(0, _whole(base, parts, own, prefix))
        for entry in own:
            name = entry["id"].removeprefix(f"{prefix}-")
            entry |= _columns(known[name], heads[name])
            if of := next((claim.of for claim in parts if claim.id == name), []):
                entry["measured"] = {f"{prefix}-{each}": known[each][PUBLISHED] for each in of}
            entry |= robustness(_own_readings(entry))
        listing += own
    return with_alternatives(listing, alternatives)


def with_alternatives(entries: list[dict], alternatives: Iterable[dict]) -> list[dict]:
    """Entries with the readings that runs under alternatives are, as `under` gives them."""
    run: dict[str, list] = {}
    for each in alternatives:
        run.setdefault(each["claim"], []).append(each)
    return [each | robustness([*each["readings"], *run.get(each["id"], ())]) for each in entries]


def _columns(known, heads):
    """Both columns, and the word that a reader sees first; a short run fails in neither it nor the second."""
    published, fair = heads.get(PUBLISHED), heads.get(FAIR)
    short = {"holds_in_part": "in_part", "not_testable": "open"}
    word = short.get(published, published)
    if published == "holds" and fair in ("fails", "holds_in_part"):  # what is undecided is not lost
        word = "as_published"
    return {"verdict": known.get(PUBLISHED), "verdict_strong": fair, "headline": word}


def _entry(claim, calls, prefix):
    """What one part says of its own: words, numbers, where they come from."""
    plain = [c for c in calls if not c.name and c.column == PUBLISHED]
    findings = plain[0].findings if plain else []
    lengths = dict.fromkeys(f.length for f in findings if f.length)
    groups = {}
    for f in findings:
        groups.setdefault(" · ".join(filter(None, (f.panel, f.what))), []).append(f)
    count = Counter(
        {True: "true", False: "false", None: "untestable"}[truth] for truth in cells(findings).values()
    )
    return {
        "id": f"{prefix}-{claim.id}",
        "part": claim.part,
        "quote": claim.quote,
        "where": claim.where,
        "statement": claim.statement or claim.why,
        "note": claim.note or _why_open(plain),
        "extra": not claim.headline,
        "ask": claim.ask,
        "measured": {key: _measured(group) for key, group in groups.items()}
        or {"not judged": claim.why or "nothing was run"},
        "threshold": {key: group[0].required for key, group in groups.items() if isfinite(group[0].required)},
        "cells": {name: count[name] for name in ("true", "false", "untestable")},
        "data": {
            kind: verdict([f for f in findings if f.data == kind], claim.ask)
            for kind in dict.fromkeys(f.data for f in findings if f.data)
        },
        "provisional": ", ".join(lengths),
        "seeds": sorted({f.seed for f in findings if f.seed is not None}),
        "panels": list(dict.fromkeys(f.panel for f in findings if f.panel)) or claim.panels,
        "forms": {c.column: sorted({form for _, form in c.used}) for c in calls if not c.name},
        "verdict_readings": {c.name: c.verdict for c in calls if c.name},
        "choices": {name: choice for name, (_, choice) in claim.readings.items()},
        "traces": [],
    }


def _measured(group):
    low, high = min(f.low for f in group), max(f.high for f in group)
    known = [f.truth for f in group if f.truth is not None]
    more = f", {len(group) - len(known)} open" if len(known) < len(group) else ""
    fields = {
        "low": float(f"{low:.4g}"),
        "high": float(f"{high:.4g}"),
        "true in": f"{sum(known)} of {len(known)}{more}",
    }
    fields = {key: value for key, value in fields.items() if isinstance(value, str) or isfinite(value)}
    reasons = dict.fromkeys(f.reason for f in group if f.reason)
    return fields | ({"reason": "; ".join(reasons)} if reasons else {})


def _why_open(plain):
    reasons = dict.fromkeys(f.reason for c in plain for f in c.findings if f.truth is None and f.reason)
    split = [key for c in plain for key, truth in cells(c.findings).items() if truth is None]
    reasons = reasons or dict.fromkeys(f"seeds disagree on {what} in {panel}" for panel, what in split)
    return f"Open: {'; '.join(reasons)}." if plain and plain[0].verdict in OPEN and reasons else ""


def _whole(base, parts, own, prefix):
    """A claim with parts: what its headline parts say."""
    first, heads = own[0], [e for e, c in zip(own, parts, strict=True) if c.headline and not c.why]
    whole = {key: first[key] for key in ("quote", "where", "ask", "choices")}
    whole |= {"id": f"{prefix}-{base}", "part": "", "extra": False, "verdict_readings": {}}
    whole |= {key: " ".join(filter(None, (e[key] for e in heads))) for key in ("statement", "note")}
    whole |= {key: {e["id"].rpartition(".")[2]: e[key] for e in heads} for key in ("measured", "threshold")}
    whole |= {
        "cells": dict(sum((Counter(e["cells"]) for e in heads), Counter(true=0, false=0, untestable=0)))
    }
    whole |= {
        key: list(dict.fromkeys(x for e in heads for x in e[key])) for key in ("seeds", "panels", "traces")
    }
    whole |= {"provisional": ", ".join(dict.fromkeys(filter(None, (e["provisional"] for e in heads))))}
    kinds = dict.fromkeys(kind for e in heads for kind in e["data"])
    whole |= {"data": {kind: together(e["data"][kind] for e in heads if kind in e["data"]) for kind in kinds}}
    columns = dict.fromkeys(column for e in heads for column in e["forms"])
    whole |= {"forms": {c: sorted({f for e in heads for f in e["forms"].get(c, [])}) for c in columns}}
    if len(heads) == 1:
        whole |= {key: heads[0][key] for key in ("verdict_readings", "choices")}
    return whole


def _own_readings(entry):
    base, choices = entry["verdict"], entry.pop("choices")
    pairs = entry["verdict_readings"].items()
    return [
        {"reading": name, "choice": choices.get(name, ""), "base": base, "verdict": outcome}
        for name, outcome in pairs
    ]


def robustness(variants: list[dict]) -> dict:
    """In how many variants a verdict is the same, and which change it: sentences for every page.

    A variant changes the verdict if the two differ and both are decided; a variant that decides an undecided
    claim is named too.
    """
    keys = ("reading", "choice", "verdict", "base")
    variants = [{key: each.get(key, "") for key in keys} for each in variants]
    for each in variants:
        each["turns"] = each["verdict"] != each["base"] and not {each["verdict"], each["base"]} & set(OPEN)
    turning = [_named(e) for e in variants if e["turns"]]
    known = sum(not {e["verdict"], e["base"]} & set(OPEN) for e in variants)
    sentences = [f"Same verdict in {known - len(turning)} of {known} variants"] if known else []
    sentences += [f"Different with: {'; '.join(turning)}"] if turning else []
    decided = [e for e in variants if e["base"] in OPEN and e["verdict"] not in OPEN]
    words = [f"{VERDICTS[e['verdict']]} with {_named(e)}" for e in decided]
    sentences += [f"Undecided as judged; {', '.join(words)}"] if words else []
    return {"readings": variants, "robustness": ". ".join(sentences), "depends": bool(turning)}


def _named(reading):
    """A reading, with the entry of the register that it is a choice of."""
    return f"{reading['reading']} ({reading['choice']})" if reading["choice"] else reading["reading"]
