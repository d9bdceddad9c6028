"""Sentences that people wrote on a paper, filled from verdicts.csv."""

import math
from fnmatch import fnmatchcase

from ..evidence.words import between
from ..study import load, papers
from ..study.models.findings import Message, Sentence, Task
from .values import titled
from .verdicts import span

#: Column → the key of claims.json with its verdict.
COLUMNS = {"published": "verdict", "fair": "verdict_strong"}


#: The share of decided seeds that makes a side ahead in a panel.
AGREED = 0.8


def written(paper: str) -> dict:
    """What is said of a paper today; nothing of a paper that the project does not have."""
    if paper not in papers():
        return {}
    spec = load(paper).spec
    return {key: spec[key] for key in ("messages", "sentences", "tasks", "figures") if key in spec}


def messages(spec, entries, rows) -> list[dict]:
    """What a reader of the paper takes home.

    Parameters
    ----------
    spec : dict
        The study of the paper: ``messages``, ``prefix``.
    entries, rows : list of dict
        Of claims.json and verdicts.csv.

    Returns
    -------
    list of dict
        ``paper, we, data, turns``; ``claims`` (ids); ``stale``: ids of claims whose verdict is not the one
        that it was written for. The words of such a message are empty.
    """
    found, told = {entry["id"]: entry for entry in entries}, []
    for given in spec.get("messages") or []:
        one = Message.model_validate(given)
        written = {f"{spec['prefix']}-{name}": verdict for name, verdict in one.claims.items()}
        stale = [n for n, verdict in written.items() if verdict not in _verdicts(found.get(n), "published")]
        we = "" if stale else filled(one, rows, spec["prefix"])
        said = {"paper": one.paper, "we": we, "data": one.data, "turns": one.turns}
        told.append(said | {"claims": list(written), "stale": stale})
    return told


def sentences(spec, entries, rows) -> dict[tuple[str, str], dict]:
    """(claim, column) → ``text``, empty where it is ``stale``: the verdict is not that it was written for."""
    found, told = {entry["id"]: entry for entry in entries}, {}
    for given in spec.get("sentences") or []:
        one = Sentence.model_validate(given)
        name = f"{spec['prefix']}-{one.claim}"
        stale = one.verdict not in _verdicts(found.get(name), one.column)
        text = "" if stale else filled(one, rows, spec["prefix"])
        told[name, one.column] = {"text": text, "stale": stale}
    return told


def _verdicts(entry, column):
    """What an entry says of a column; of the first, the word for both too."""
    if not entry:
        return ()
    return (entry[COLUMNS[column]], *([entry["headline"]] if column == "published" else ()))


def filled(one, rows, prefix) -> str:
    """The text of a message or a sentence with its numbers.

    Raises
    ------
    ValueError
        For a number that no row has, and for one that is not finite.
    """
    claim, column = getattr(one, "claim", None), getattr(one, "column", "published")
    return one.written.format_map(
        {name: number(amount, rows, prefix, claim, column) for name, amount in one.numbers.items()}
    )


def number(amount, rows, prefix, claim=None, column="published") -> str:
    """A number of a sentence in words; `claim` and `column` are the sentence's."""
    name, column = f"{prefix}-{amount.claim or claim}", amount.column or column
    own = [row for row in rows if row["column"] == column and not row["call"] and _asked(row, name, amount)]
    low, high = span(own, amount.field)
    if amount.inverse:
        low, high = (1 / high if high else math.inf), (1 / low if low else math.inf)
    low, high = low * amount.times, high * amount.times
    low, high = {"least": (low, low), "greatest": (high, high), "range": (low, high)}[amount.statistic]
    if math.isnan(low) or math.isnan(high) or math.isinf(low) or (math.isinf(high) and low <= 0):
        said = f"{name}, {column}, panel {amount.panel}, {amount.what}"
        raise ValueError(f"findings: {said}: {len(own)} rows of verdicts.csv have no such number")
    return between((low, high), amount.round)


def _asked(row, name, amount):
    """Whether a row is of the claim, or of one of its parts, and of the panels and pairs of a number."""
    whole = row["claim"] == name or row["claim"].startswith(f"{name}.")
    part = amount.part in (None, row["part"], row["claim"].rpartition(".")[2])
    data = amount.data in (None, row["data"])
    return (
        whole
        and part
        and data
        and all(fnmatchcase(row[key], getattr(amount, key)) for key in ("panel", "what"))
    )


def tasks(spec, rows, titles) -> list[dict]:
    """Rows of “Which method should I use?”: where each side of a fair comparison is ahead.

    Returns
    -------
    list of dict
        ``task, claim`` (its id), ``method``, ``rival``, and the places ``ahead``, ``behind``, ``open``: lines
        that cross or are close.
    """
    told = []
    for given in spec.get("tasks") or []:
        task = Task.model_validate(given)
        name, wanted = f"{spec['prefix']}-{task.claim}", task.panels or ["*"]
        own = [r for r in rows if r["claim"] == name and r["column"] == "fair" and not r["call"]]
        own = [
            r
            for r in own
            if any(fnmatchcase(r["panel"], p) for p in wanted) and fnmatchcase(r["what"], task.what)
        ]
        sides = {"ahead": [], "behind": [], "open": []}
        for panel in dict.fromkeys(row["panel"] for row in own):
            seen = [r["truth"] for r in own if r["panel"] == panel and not r["reason"].startswith("crosses")]
            yes, no = seen.count(True), seen.count(False)
            whole = AGREED * max(yes + no, 1)
            side = "ahead" if yes >= whole else "behind" if no >= whole else "open"
            sides[side].append(titled(panel, titles))
        if own:  # a small run has not all claims
            told.append(
                {"task": task.task, "claim": name, "method": task.method, "rival": task.rival} | sides
            )
    return told
