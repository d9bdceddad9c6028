"""Verdicts under every alternative of the deviation register, and what turns on which choice."""

import json
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from projfree.ground.sealed import atomic_write

from ..ground import bounded
from ..study.models.paper import Paper
from .aggregates import leaves
from .judging.fragility import regraded

#: What a table must have to be read, and what it has.
NEEDED = ["deviation", "alternative", "claim", "verdict", "main_verdict"]
COLUMNS = [*NEEDED, "turns", "otherwise", "panels", "measured"]
DECIDED = ("holds", "holds_in_part", "fails")
#: What a choice, and what a claim, is told of: how many verdicts there are, and which of them turn.
SUMMARIES = {"choices": ["deviation", "alternative"], "claims": ["claim"]}


class Under(NamedTuple):
    """A paper's verdicts under an alternative.

    Attributes
    ----------
    deviation, alternative : str
        The entry of the register, and what it is called there.
    experiments : list of str
        Those that are run under it.
    paper : Paper
        With the claims that these can answer.
    main, other : list of dict
        The entries of the main run judged on the same panels, and those under the alternative.
    """

    deviation: str
    alternative: str
    experiments: list[str]
    paper: Paper
    main: list[dict]
    other: list[dict]


def collect(found: list[Under], output) -> None:
    """Write one row an alternative and claim that could be judged under it, and what turns, beside it.

    A verdict turns (``turns``: yes or no) where it differs and a panel that is decided under both choices is
    decided otherwise (``otherwise`` names such panels). Where verdicts differ as panels are open under one
    choice, that is resolution and not the choice; these cannot be compared, and ``turns`` is empty.

    Parameters
    ----------
    found : list of Under
    output : path of the CSV
        Beside it ``…-choices.csv`` (flips of each choice) and ``…-claims.csv`` (of each claim).
    """
    table = pd.DataFrame([row for under in found for row in _rows(under)], columns=COLUMNS)
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
    found = comparable(read_alternatives(path)).groupby("claim")
    views = {
        claim: dict(zip(_names(part), (part["turns"] == "no").tolist(), strict=True)) for claim, part in found
    }
    return [
        entry | {"fragility": regraded(entry["verdict"], entry["fragility"], views.get(entry["id"], {}))}
        for entry in entries
    ]


def read_alternatives(path) -> pd.DataFrame:
    """The table of `collect`, all text.

    In one that was published before panels were compared (no column ``turns``), a verdict turns where it
    differs.

    Raises
    ------
    ValueError
        If columns are missing.
    """
    table = bounded.table(path, dtype=str, keep_default_na=False)
    if lacks := set(NEEDED) - set(table):
        raise ValueError(f"{path}: lacks the columns {', '.join(sorted(lacks))}")
    if "turns" not in table:
        turns = (table["verdict"] != table["main_verdict"]).map({True: "yes", False: "no"})
        table["turns"] = turns.where(table["main_verdict"].isin(DECIDED), "")
    return table


def comparable(table: pd.DataFrame) -> pd.DataFrame:
    """Rows that say whether the verdict turns."""
    return table[table["turns"] != ""]


def _names(table):
    return table["deviation"] + " " + table["alternative"]


def _write(table, path):
    atomic_write(path, table.to_csv(index=False))


def _summary(table, keys):
    """How many verdicts each has that can be compared, and those that turn, in words."""
    groups = comparable(table).groupby(keys, sort=False)
    rows = [[*key, len(part), *_turned(part, keys)] for key, part in groups]
    return pd.DataFrame(rows, columns=[*keys, "judged", "turned", "flips"])


def _turned(part, keys):
    turned = part[part["turns"] == "yes"]
    names = turned["claim"] if "claim" not in keys else _names(turned)
    told = [
        f"{n}: {a} → {b}" for n, a, b in zip(names, turned["main_verdict"], turned["verdict"], strict=True)
    ]
    return len(turned), "; ".join(told)


def _rows(under):
    made_of = _parts(under.paper)
    ours, theirs = ({entry["id"]: entry for entry in entries} for entries in (under.main, under.other))
    for name, entry in theirs.items():
        if entry["verdict"] != "not_testable":
            pairs = [(ours[part], theirs[part]) for part in made_of[name]]
            otherwise = [words for pair in pairs for words in _otherwise(*pair)]
            verdicts = entry["verdict"], ours[name]["verdict"]
            measured = json.dumps(entry["measured"], ensure_ascii=False)[:300]
            told = ["; ".join(otherwise), ", ".join(under.experiments), measured]
            turns = _turns(*verdicts, otherwise)
            yield [under.deviation, under.alternative, name, *verdicts, turns, *told]


def _parts(paper):
    """Entry → those that make its verdict by their own sentences."""
    return {
        f"{paper.prefix}-{name}": [f"{paper.prefix}-{leaf}" for leaf in found]
        for name, found in leaves(paper.claims).items()
    }


def _otherwise(ours, theirs):
    """Panels of a part that are decided otherwise than in the main run, in words."""
    main = {panel["panel"]: panel["verdict"] for panel in ours["panels"]}
    for panel in theirs["panels"]:
        pair = main.get(panel["panel"]), panel["verdict"]
        if pair[0] != pair[1] and set(pair) <= set(DECIDED):
            yield f"{theirs['id']} {panel['panel']}: {pair[0]} → {pair[1]}"


def _turns(verdict, main_verdict, otherwise):
    if main_verdict not in DECIDED or (verdict != main_verdict and not otherwise):
        return ""
    return "no" if verdict == main_verdict else "yes"
