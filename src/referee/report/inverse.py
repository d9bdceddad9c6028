"""The inverse search for its page: facts that the paper states, under the choices that it leaves open."""

from pathlib import Path

from ..ground import bounded

COLUMNS = 14  # choices that the matrix shows: the page is to be read
DEFAULT = "default"
NEAR = 0.0005  # a miss that ends of ranges do not show: a mark says more than a rounded zero


def read_inverse(folder):
    """What the tables of an inverse search say, as plain JSON types; {} where there are none.

    Parameters
    ----------
    folder : Path
        With ``inverse.csv``, ``inverse-facts.csv`` and ``inverse-choices.csv``.

    Returns
    -------
    dict
        ``choices``: the columns of the matrix, the default first, then the best and those that gain most;
        ``facts``: its rows, each with a cell a choice; ``best``; ``found``: what became of facts → how many;
        ``hidden``: choices that have no column.
    """
    paths = [Path(folder) / f"inverse{end}.csv" for end in ("", "-facts", "-choices")]
    if not all(path.is_file() for path in paths):
        return {}
    matrix, facts, choices = (bounded.table(path, keep_default_na=False) for path in paths)
    told = [DEFAULT, *(name for name in choices["choice"] if name != DEFAULT)][:COLUMNS]
    cells = {(row.fact, row.choice): _cell(row) for row in matrix.itertuples()}
    chosen = choices.set_index("choice", drop=False).astype(str).to_dict("index")
    return {
        "choices": [chosen.get(name, {"choice": name}) for name in told],
        "facts": [
            row | {"cells": [cells.get((row["fact"], name), {}) for name in told]}
            for row in facts.astype(str).to_dict("records")
        ],
        "best": next((c for c in choices.astype(str).to_dict("records") if c["best"] == "True"), {}),
        "found": facts["found"].value_counts().to_dict(),
        "hidden": max(0, len(chosen) - len(told)),
    }


def _cell(row):
    """The verdict, and by how much it is missed, in three digits; nothing where no number shows it."""
    shown = row.misfit != "" and float(row.misfit) >= NEAR
    return {"verdict": row.verdict, "misfit": f"{float(row.misfit):.3g}" if shown else ""}
