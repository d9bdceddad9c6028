"""Verdicts under every alternative of the deviation register, beside the main ones."""

import json
from pathlib import Path

import pandas as pd

COLUMNS = ["deviation", "alternative", "claim", "verdict", "main_verdict", "measured"]


def collect(spec: dict, main, choices: dict, paths: dict, output) -> None:
    """Write one row an alternative and claim that it could turn.

    Parameters
    ----------
    spec : dict
        The paper's study spec.
    main : path
        claims.json of the run itself.
    choices : dict
        Alternative id → {deviation, name, touches, …}.
    paths : dict
        Alternative id → its claims.json.
    output : path of the CSV
    """
    base = {entry["id"]: entry["verdict"] for entry in json.loads(Path(main).read_text())}
    rows = []
    for name, path in paths.items():
        for entry in json.loads(Path(path).read_text()):
            if entry["verdict"] != "not_testable" and entry["id"] in base:
                choice = choices[name]
                words = json.dumps(entry["measured"], ensure_ascii=False)[:300]
                rows.append(
                    [
                        choice["deviation"],
                        choice["name"],
                        entry["id"],
                        entry["verdict"],
                        base[entry["id"]],
                        words,
                    ]
                )
    Path(output).parent.mkdir(parents=True, exist_ok=True)
    pd.DataFrame(rows, columns=COLUMNS).to_csv(output, index=False)
