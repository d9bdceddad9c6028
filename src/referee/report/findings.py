"""Sentences that people wrote on a paper, filled from verdicts.csv."""

import math
import re
from fnmatch import fnmatchcase

from ..evidence.words import between
from ..judge.findings import word
from ..study import load, papers
from ..study.models.findings import Message, Sentence, Task
from .values import titled
from .verdicts import absent, span

#: Counts of points on a curve that have better words, unless they end a range.
COUNT, COUNTS = (
    re.compile(r"(?<!to )(?<!than )(?<![–\d])\b(0|10) of ten\b"),
    {"0": "none of the ten", "10": "all ten"},
)
#: Column → the key of claims.json with its verdict.
COLUMNS = {"published": "verdict", "fair": "verdict_strong"}


def written(paper: str) -> dict:
    """What is said of a paper today; nothing of a paper that the project does not have."""
    if paper not in papers():
        return {}
    spec = load(paper).spec
    return {key: spec[key] for key in ("messages", "sentences", "tasks", "figures") if key in spec}


def messages(spec, entries, rows) -> list[dict]:
    """What a reader of the paper takes home: ``paper, we, data, turns``, ``claims`` (ids) and ``stale``.

    `entries` and `rows` are of claims.json and verdicts.csv. Stale are ids of claims whose verdict is not
    that which the message was written for; then its words are empty.
    """
    by_id, result = {entry["id"]: entry for entry in entries}, []
    for one in map(Message.model_validate, spec.get("messages") or []):
        verdicts = {f"{spec['prefix']}-{name}": verdict for name, verdict in one.claims.items()}
        stale = [
            n for n, verdict in verdicts.items() if verdict not in verdicts_of(by_id.get(n), "published")
        ]
        we = "" if stale else filled(one, rows, spec["prefix"])
        message = {"paper": one.paper, "we": we, "data": one.data, "turns": one.turns}
        known = [name for name in verdicts if name in by_id]
        headlines = {n: {key: by_id[n][key] for key in ("headline", "verdict_strong")} for n in known}
        result.append(message | {"claims": list(verdicts), "stale": stale, "verdicts": headlines})
    return result


def leading(every) -> list[dict]:
    """The main message, which is the first, then the first that holds in both columns and that fails."""
    every = [one for one in every if not one["stale"]]
    of = [next(iter(one["verdicts"].values())) for one in every]
    alike = [{"headline": verdict, "verdict_strong": verdict} for verdict in ("holds", "fails")]
    first = [of.index(verdicts) for verdicts in alike if verdicts in of]
    return [every[i] for i in dict.fromkeys([0, *first])] if every else []


def sentences(spec, entries, rows) -> dict[tuple[str, str], dict]:
    """(claim, column) → ``text``, empty where it is ``stale``: the verdict is not that it was written for."""
    by_id, result = {entry["id"]: entry for entry in entries}, {}
    for one in map(Sentence.model_validate, spec.get("sentences") or []):
        name = f"{spec['prefix']}-{one.claim}"
        stale = one.verdict not in verdicts_of(by_id.get(name), one.column)
        text = "" if stale else filled(one, rows, spec["prefix"])
        result[name, one.column] = {"text": text, "stale": stale}
    return result


def verdicts_of(entry, column):
    """What an entry says of a column; of the first, the word for both too."""
    if not entry:
        return ()
    return (entry[COLUMNS[column]], *([entry["headline"]] if column == "published" else ()))


def filled(one, rows, prefix) -> str:
    """The text of a message or a sentence with its numbers; raises as `number`."""
    claim, column = getattr(one, "claim", None), getattr(one, "column", "published")
    numbers = {n: number(amount, rows, prefix, claim, column) for n, amount in one.numbers.items()}
    return COUNT.sub(lambda count: COUNTS[count[1]], one.written.format_map(numbers))


def number(amount, rows, prefix, claim=None, column="published") -> str:
    """A number of a sentence in words; `claim` and `column` are the sentence's.

    Raises
    ------
    ValueError
        For a number that no row has, and for one that is not finite.
    """
    name, column = f"{prefix}-{amount.claim or claim}", amount.column or column
    own = [row for row in rows if row["column"] == column and not row["call"] and _asked(row, name, amount)]
    low, high = span(own, amount.field)
    if amount.inverse:
        low, high = (1 / high if high else math.inf), (1 / low if low else math.inf)
    low, high = low * amount.times, high * amount.times
    low, high = {"least": (low, low), "greatest": (high, high), "range": (low, high)}[amount.statistic]
    if math.isnan(low) or math.isnan(high) or math.isinf(low) or (math.isinf(high) and low <= 0):
        place = f"{name}, {column}, panel {amount.panel}, {amount.what}"
        raise ValueError(f"findings: {place}: {len(own)} rows of verdicts.csv have no such number")
    return between((low, high), amount.round)


def _asked(row, name, amount):
    """Whether a row is of the claim, or of one of its parts, and of the panels and pairs of a number."""
    return (
        (row["claim"] == name or row["claim"].startswith(f"{name}."))
        and amount.part in (None, row["part"], row["claim"].rpartition(".")[2])
        and amount.data in (None, row["data"])
        and all(fnmatchcase(row[key], getattr(amount, key)) for key in ("panel", "what"))
    )


def tasks(spec, rows, titles) -> list[dict]:
    """Rows of “Which method should I use?”: where each side of a fair comparison is ahead.

    Each has ``task, claim`` (its id), ``method``, ``rival``, and the panels ``ahead`` and ``behind`` in four
    fifths of the decided seeds, which are half of all at least, and ``open``: lines that cross or are close.
    """
    result = []
    for task in map(Task.model_validate, spec.get("tasks") or []):
        name, panels = f"{spec['prefix']}-{task.claim}", task.panels or ["*"]
        own = [r for r in rows if r["claim"] == name and r["column"] == "fair" and not r["call"]]
        own = [r for r in own if fnmatchcase(r["what"], task.what) and not absent(r)]
        own = [r for r in own if any(fnmatchcase(r["panel"], panel) for panel in panels)]
        sides = {"ahead": [], "behind": [], "open": []}
        for panel in dict.fromkeys(row["panel"] for row in own):
            judged = [r for r in own if r["panel"] == panel]
            ahead = word(r["truth"] for r in judged)
            unlost = word(r["reason"].startswith("crosses") or r["truth"] for r in judged)
            side = "ahead" if ahead else "behind" if unlost is False else "open"
            sides[side].append(titled(panel, titles))
        if own:  # a small run has not all claims
            about = {"task": task.task, "claim": name, "method": task.method, "rival": task.rival}
            result.append(about | sides)
    return result
