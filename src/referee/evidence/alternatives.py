"""The table of verdicts under every alternative of the register: a row a claim and alternative."""

from pathlib import Path

import pandas as pd

from projfree.common.atomic_io import atomic_write

from ..common import bounded

#: ``base`` is the verdict without the choice on the same panels, seeds and budgets, ``full_verdict`` that of
#: the whole run.
COLUMNS = ("claim", "choice", "reading", "verdict", "base", "full_verdict")


def write_readings(rows: list[dict], full: dict[str, str], output) -> None:
    """Write the table.

    Parameters
    ----------
    rows : list of dict
        Readings as `referee.judge.under` gives them: claim, reading, choice, base, verdict.
    full : dict
        Claim → its verdict in the whole run.
    output : path of the CSV
    """
    table = pd.DataFrame(
        [row | {"full_verdict": full.get(row["claim"], "")} for row in rows], columns=COLUMNS
    )
    atomic_write(output, table.to_csv(index=False))


def read_readings(path) -> list[dict]:
    """The rows of the table, all text; none without a table, or of one that an earlier judge wrote."""
    if not Path(path).is_file():
        return []
    table = bounded.table(path, dtype=str, keep_default_na=False)
    return table.to_dict("records") if set(COLUMNS) <= set(table) else []
