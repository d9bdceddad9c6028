"""Verdicts under every alternative of the deviation register, and what turns on which choice."""

import json
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from projfree.ground.sealed import atomic_write

from ..ground import bounded
from ..study.models.paper import Paper
from .aggregates import leaves
from .judging.quantifiers import turned

#: What a table must have to be read, and what it has.
NEEDED = ["deviation", "alternative", "claim", "verdict", "main_verdict"]
COLUMNS = [*NEEDED, "full_verdict", "turns", "otherwise", "panels", "measured"]
DECIDED = ("holds", "holds_in_part", "fails")
MATRIX = ["claim", "choice", "reading", "verdict", "verdict_without", "full_verdict", "turns"]
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
        The entries of the main run judged on the same panels, cut to the same size, and those under the
        alternative.
    full : list of dict
        The entries of the main run as it is; without them the column is empty.
    """

    deviation: str
    alternative: str
    experiments: list[str]
    paper: Paper
    main: list[dict]
    other: list[dict]
    full: list[dict] | None = None


def collect(found: list[Under], output) -> None:
    """Write one row an alternative and claim that is asked under it, and what turns, beside it.

    ``main_verdict`` is the main run's on the same panels at the same size, ``full_verdict`` its own.

    A verdict turns (``turns``: yes or no) where what holds fails or what fails holds; ``otherwise`` names the
    panels that are decided under both choices, and otherwise. It is empty where the verdict is open under
    one of them; such rows stay.

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


def with_readings(entries: list[dict], path) -> list[dict]:
    """Entries of claims.json with all readings under which they were judged, and what turns on them.

    Parameters
    ----------
    entries : list of dict
        As `evaluate` makes them.
    path : Path
        The table of `collect`; without it there are the readings of the same runs alone.

    Returns
    -------
    list of dict
        Each with ``readings`` (dicts ``reading, choice, verdict, base, turns``: `base` is the verdict without
        it on the same panels), ``robustness`` (a sentence) and ``depends``.
    """
    table = read_alternatives(path) if Path(path).is_file() else pd.DataFrame(columns=NEEDED)
    others = dict(list(table.groupby("claim")))
    return [_with_readings(entry, others.get(entry["id"])) for entry in entries]


def _with_readings(entry, table):
    told = [_reading(name, "", found, entry["verdict"]) for name, found in entry["verdict_readings"].items()]
    rows = [] if table is None else table[NEEDED].itertuples(index=False)
    told += [_reading(r.alternative, r.deviation, r.verdict, r.main_verdict) for r in rows]
    depends = any(reading["turns"] for reading in told)
    return entry | {"readings": told, "robustness": _robustness(told), "depends": depends}


def _reading(name, choice, verdict, base):
    return {
        "reading": name,
        "choice": choice,
        "verdict": verdict,
        "base": base,
        "turns": turned(base, verdict),
    }


#: With fewer readings "in every" is not said.
EVERY = 5


def _robustness(readings):
    """In how many of its readings the verdict is the same, which turn it, how many decide nothing."""
    if not readings:
        return ""
    same = sum(reading["verdict"] == reading["base"] for reading in readings)
    said = f"the same in {same} of {len(readings)} variants"
    if same == len(readings) >= EVERY:
        said = f"the same in every one of {len(readings)} variants"
    turning = [_named(reading) for reading in readings if reading["turns"]]
    undecided = sum(reading["verdict"] == "not_testable" != reading["base"] for reading in readings)
    said += f"; turned by {', '.join(turning)}" if turning else ""
    return said + (f"; {undecided} undecided" if undecided else "")


def _named(reading):
    """A reading in words, with the entry of the register that it is of."""
    return f"“{reading['reading']}”" + (f" ({reading['choice']})" if reading["choice"] else "")


def write_matrix(entries: list[dict], output) -> None:
    """The table of readings: a row a claim and reading, with both verdicts, and whether it turns.

    ``verdict_without`` is the verdict without the reading on the same panels at the same size,
    ``full_verdict`` that of the whole run.

    Parameters
    ----------
    entries : list of dict
        As `with_readings` makes them.
    output : path of the CSV
    """
    rows = [
        [entry["id"], reading["choice"], reading["reading"], reading["verdict"], reading["base"]]
        + [entry["verdict"], "yes" if reading["turns"] else "no"]
        for entry in entries
        for reading in entry["readings"]
    ]
    _write(pd.DataFrame(rows, columns=MATRIX), output)


def read_alternatives(path) -> pd.DataFrame:
    """The table of `collect`, all text.

    One that was published without the column ``turns`` gets it, and an empty ``full_verdict``.

    Raises
    ------
    ValueError
        If columns are missing.
    """
    table = bounded.table(path, dtype=str, keep_default_na=False)
    if lacks := set(NEEDED) - set(table):
        raise ValueError(f"{path}: lacks the columns {', '.join(sorted(lacks))}")
    if "turns" not in table:
        pairs = zip(table["verdict"], table["main_verdict"], strict=True)
        table["turns"] = [_turns(*pair) for pair in pairs]
    return table if "full_verdict" in table else table.assign(full_verdict="")


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
    ours, theirs, full = (
        {entry["id"]: entry for entry in entries} for entries in (under.main, under.other, under.full or ())
    )
    for name, entry in theirs.items():
        pairs = [(ours[part], theirs[part]) for part in made_of[name]]
        otherwise = [words for pair in pairs for words in _otherwise(*pair)]
        verdicts = entry["verdict"], ours[name]["verdict"]
        measured = json.dumps(entry["measured"], ensure_ascii=False)[:300]
        told = ["; ".join(otherwise), ", ".join(under.experiments), measured]
        whole = full[name]["verdict"] if full else ""
        yield [under.deviation, under.alternative, name, *verdicts, whole, _turns(*verdicts), *told]


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


def _turns(verdict, main_verdict):
    """Empty where one of the two is open: that is no turn, but stays in the table."""
    if "not_testable" in (verdict, main_verdict):
        return ""
    return "yes" if turned(main_verdict, verdict) else "no"
