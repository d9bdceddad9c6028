"""The summary of a paper, and the table of tasks: declared sentences and rows, filled from claims.json."""

import re
from fnmatch import fnmatchcase

from ..evidence.judging.ranges import Range
from ..evidence.words import STAMP, between, fair_cell
from ..study.models.claim import Amount, Finding, Task
from .values import titled

INF = float("inf")
#: So many places are named.
FEW = 3
NUMBER = r"(-?[\d.]+(?:e[+-]?\d+)?)"
#: As claims.json tells a range, after the word of its number ("ratio").
RANGES = (
    (re.compile(rf"(?:\D* )?at least {NUMBER}$"), lambda low: Range(low, INF)),
    (re.compile(rf"(?:\D* )?at most {NUMBER}$"), lambda high: Range(0.0, high)),
    (re.compile(rf"(?:\D* )?{NUMBER} to {NUMBER}$"), Range),
    (re.compile(rf"(?:\D* )?{NUMBER}$"), Range.of),
)


def read_range(told) -> Range | None:
    """A number of claims.json, or the range that its words say; None for other words."""
    if isinstance(told, (int, float)) and not isinstance(told, bool):
        return Range.of(told)
    for pattern, made in RANGES:
        if found := pattern.match(str(told)):
            return made(*map(float, found.groups()))
    return None


def findings(spec, entries) -> list[dict]:
    """Sentences of the summary of a paper.

    Parameters
    ----------
    spec : dict
        The study of the paper: ``findings``, ``prefix``.
    entries : list of dict
        Of claims.json, each with ``headline``.

    Returns
    -------
    list of dict
        ``words``, ``claims`` (ids), ``front``; ``turned``: ids of claims whose headline is not the one that
        the sentence assumes. The words of such a sentence are not to be shown.
    """
    found, prefix = {entry["id"]: entry for entry in entries}, spec["prefix"]
    told = [Finding.model_validate(given) for given in spec.get("findings") or []]
    titles = {name: given["title"] for name, given in spec.get("experiments", {}).items()}
    return [_finding(one, found, prefix, titles) for one in told]


def _finding(finding, entries, prefix, titles):
    assumed = {f"{prefix}-{name}": headline for name, headline in finding.rests_on.items()}
    turned = [n for n, headline in assumed.items() if entries.get(n, {}).get("headline") != headline]
    words = (
        ""
        if turned
        else finding.text.format_map(
            {name: amount_words(amount, entries, prefix) for name, amount in finding.numbers.items()}
        ).removesuffix(".")
        + f"{_on_stand_ins(finding, entries, prefix, titles)}."
    )
    return {"words": words, "claims": list(assumed), "front": finding.front, "turned": turned}


def _on_stand_ins(finding, entries, prefix, titles):
    """Words in brackets if panels of a finding are on generated data, by the notes of its claims."""
    generated = []
    for claim in finding.rests_on:
        entry = entries[f"{prefix}-{claim}"]
        note = entry.get("note", "").partition(STAMP)[2]
        numbers = [a for a in finding.numbers.values() if a.claim == claim]
        chosen = [name for a in numbers for name in a.panels or ["*"]] or ["*"]
        panels = [p["panel"] for p in entry.get("panels", ()) if _chosen(p["panel"], chosen)]
        plots = [name.partition(" · ")[0] for name in panels]
        generated += [f"“{titles.get(name, name)}”" in note for name in plots] or [False, True] * bool(note)
    if not any(generated) or "stand-in" in finding.text:
        return ""
    return " (stand-in data)" if all(generated) else " (partly stand-in data)"


def amount_words(amount: Amount, entries: dict, prefix: str) -> str:
    """A number of a sentence in words.

    Raises
    ------
    ValueError
        For a claim, a panel or a field that claims.json does not have, and for what is no number.
    """
    name = f"{prefix}-{amount.claim}"
    if name not in entries:
        raise ValueError(f"findings: claims.json has no claim {name}")
    place = f"{name}, {amount.field}"
    if not amount.panels:
        return _told(_at(entries[name], amount.field, place), amount, place)
    panels = [p for p in entries[name]["panels"] if _chosen(p["panel"], amount.panels)]
    values = [read_range(p["medians"].get(amount.field)) for p in panels]
    if not values or None in values:
        raise ValueError(f"findings: {place}: no number on {', '.join(amount.panels)}")
    return _words(Range(min(r.low for r in values), max(r.high for r in values)), amount)


def _chosen(name, patterns):
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def _at(entry, field, place):
    for key in field.split("."):
        if not isinstance(entry, dict) or key not in entry:
            raise ValueError(f"findings: {place}: claims.json has no {key}")
        entry = entry[key]
    return entry


def _told(value, amount, place):
    """Counts ("2 of 3") as they are."""
    if re.fullmatch(r"\d+ of \d+", str(value)):
        return str(value)
    span = read_range(value)
    if span is None:
        raise ValueError(f"findings: {place} is no number: {value!r}")
    return _words(span, amount)


def _words(span, amount):
    if amount.inverse:
        span = Range(1 / span.high if span.high else INF, 1 / span.low if span.low else INF)
    span = Range(span.low * amount.times, span.high * amount.times)
    return between(Range.of(getattr(span, amount.end)) if amount.end else span, amount.digits)


def tasks(spec, entries, titles) -> list[dict]:
    """Rows of “Which method should I use?”: who wins the fair comparison, by how much, and where not.

    Parameters
    ----------
    spec, entries
        As of `findings`.
    titles : dict
        Panel → what it is called.

    Returns
    -------
    list of dict
        ``task, claim`` (its id), ``wins`` and ``loses``, which have ``who, by, where``; ``undecided``:
        places; ``known``: whether the claims tell its panels apart.
    """
    found = {entry["id"]: entry for entry in entries}
    told = [Task.model_validate(given) for given in spec.get("tasks") or []]
    asked = [(task, found.get(f"{spec['prefix']}-{task.claim}")) for task in told]
    return [_row(task, entry, titles) for task, entry in asked if entry]  # a small run has not all claims


def _row(task, entry, titles):
    sides, panels = {True: [], False: [], None: []}, _panels(task, entry)
    for panel in panels:
        sides[_first_wins(panel)].append(panel)
    first = len(sides[True]) >= len(sides[False])
    names = {True: task.method, False: task.rival}
    wins, loses = (
        {"who": names[side], **_score(sides[side], side, task, titles)} for side in (first, not first)
    )
    told = {"task": task.task, "claim": entry["id"], "wins": wins, "loses": loses}
    return told | {"undecided": _places(sides[None], titles), "known": bool(panels)}


def _panels(task, entry):
    """Panels of the fair comparison with their numbers; none where claims.json does not tell them apart."""
    cell = fair_cell(entry)
    panels = cell.get("by_panel", [])
    if cell and not panels and len(entry["panels"]) == 1:
        panels = [{"panel": entry["panels"][0]["panel"], **cell}]
    return [panel for panel in panels if not task.panels or _chosen(panel["panel"], task.panels)]


def _first_wins(panel):
    """Whether the first side wins a panel; None where it is not decided, or by no number."""
    span = read_range(panel.get("interval", ""))
    if panel["verdict"] == "not_testable" or span is None:
        return None
    return True if span.high < 1 else False if span.low > 1 else None


def _score(panels, first, task, titles):
    spans = [read_range(panel["interval"]) for panel in panels]
    if not spans:
        return {"by": "", "where": ""}
    span = Range(min(r.low for r in spans), max(r.high for r in spans))
    by = _words(span, Amount(claim="", field="", inverse=first))
    return {"by": f"{by} {task.better}", "where": _places(panels, titles)}


def _places(panels, titles):
    """The titles of a few panels, else how many they are."""
    names = list(dict.fromkeys(titled(panel["panel"], titles) for panel in panels))
    return "; ".join(names) if len(names) <= FEW else f"{len(names)} panels"
