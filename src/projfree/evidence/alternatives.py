"""Verdicts under every alternative of the deviation register, beside the main ones."""

import json

import pandas as pd

from ..ground.sealed import atomic_write

COLUMNS = ["deviation", "alternative", "claim", "verdict", "main_verdict", "panels", "measured"]


def collect(found: list[tuple[dict, list, list]], output) -> None:
    """Write one row an alternative and claim that could be judged under it.

    Parameters
    ----------
    found : list of (choice, main, other)
        The alternative (``deviation, name, experiments``), the entries of the main run judged on its panels,
        and its own entries.
    output : path of the CSV
    """
    rows = [row for choice, main, other in found for row in _rows(choice, main, other)]
    atomic_write(output, pd.DataFrame(rows, columns=COLUMNS).to_csv(index=False))


def _rows(choice, main, other):
    verdicts = {entry["id"]: entry["verdict"] for entry in main}
    for entry in other:
        if entry["verdict"] != "not_testable":
            panels = ", ".join(choice["experiments"])
            measured = json.dumps(entry["measured"], ensure_ascii=False)[:300]
            main_verdict = verdicts.get(entry["id"], "")
            yield [
                choice["deviation"],
                choice["name"],
                entry["id"],
                entry["verdict"],
                main_verdict,
                panels,
                measured,
            ]
