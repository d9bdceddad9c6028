"""Verdicts under every alternative of the deviation register, and what turns on which choice."""

import json
from pathlib import Path

import pandas as pd

from ..ground.sealed import atomic_write
from .judging.fragility import regraded

COLUMNS = ["deviation", "alternative", "claim", "verdict", "main_verdict", "panels", "measured"]
#: What a choice, and what a claim, is told of: how many verdicts there are, and which of them turn.
SUMMARIES = {"choices": ["deviation", "alternative"], "claims": ["claim"]}


def collect(found: list[tuple[dict, list, list]], output) -> None:
    """Write one row an alternative and claim that could be judged under it, and what turns, beside it.

    Parameters
    ----------
    found : list of (choice, main, other)
        The alternative (``deviation, name, experiments``), the entries of the main run judged on its panels,
        and its own entries.
    output : path of the CSV
        Beside it ``…-choices.csv`` (flips of each choice) and ``…-claims.csv`` (of each claim).
    """
    table = pd.DataFrame(
        [row for choice, main, other in found for row in _rows(choice, main, other)], columns=COLUMNS
    )
    _write(table, Path(output))
    for name, keys in SUMMARIES.items():
        _write(_summary(table, keys), Path(output).with_stem(f"{Path(output).stem}-{name}"))


def with_alternatives(entries: list[dict], path) -> list[dict]:
    """Entries of claims.json with the verdicts under alternatives among the views of their fragility.

    Parameters
    ----------
    entries : list of dict
        As `evaluate` makes them.
    path : Path
        The table of `collect`. Without it the entries stay as they are.
    """
    if not Path(path).is_file():
        return entries
    found = _comparable(pd.read_csv(path, dtype=str, keep_default_na=False)).groupby("claim")
    views = {
        claim: dict(zip(_names(part), (part["verdict"] == part["main_verdict"]).tolist(), strict=True))
        for claim, part in found
    }
    return [
        entry | {"fragility": regraded(entry["verdict"], entry["fragility"], views.get(entry["id"], {}))}
        for entry in entries
    ]


def _comparable(table):
    """Rows whose claim is decided on those panels in the main run too."""
    return table[table["main_verdict"].isin(["holds", "holds_in_part", "fails"])]


def _names(table):
    return table["deviation"] + " " + table["alternative"]


def _write(table, path):
    atomic_write(path, table.to_csv(index=False))


def _summary(table, keys):
    """How many verdicts each has that can be compared, and those that turn, in words."""
    groups = _comparable(table).groupby(keys, sort=False)
    rows = [[*key, len(part), *_turned(part, keys)] for key, part in groups]
    return pd.DataFrame(rows, columns=[*keys, "judged", "turned", "flips"])


def _turned(part, keys):
    turned = part[part["verdict"] != part["main_verdict"]]
    names = turned["claim"] if "claim" not in keys else _names(turned)
    told = [
        f"{n}: {a} → {b}" for n, a, b in zip(names, turned["main_verdict"], turned["verdict"], strict=True)
    ]
    return len(turned), "; ".join(told)


def _rows(choice, main, other):
    verdicts = {entry["id"]: entry["verdict"] for entry in main}
    for entry in other:
        if entry["verdict"] != "not_testable":
            panels = ", ".join(choice["experiments"])
            measured = json.dumps(entry["measured"], ensure_ascii=False)[:300]
            own, main_verdict = entry["verdict"], verdicts.get(entry["id"], "")
            yield [choice["deviation"], choice["name"], entry["id"], own, main_verdict, panels, measured]
