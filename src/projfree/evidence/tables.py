"""The paper's tables: stated orders beside measured slopes; and the table of tuned parameters."""

import json
import re
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from .orders import cost_order, interval, log_slope
from .panel import Evidence, Missing

COLUMNS = [
    "algorithm",
    "oracle",
    "stated",
    "order",
    "measured",
    "low",
    "high",
    "criterion",
    "own",
    "within",
    "seeds",
    "points",
    "note",
]
ROW_KEYS = {
    "algorithm",
    "oracle",
    "stated",
    "order",
    "experiment",
    "method",
    "cost",
    "own",
    "x",
    "y",
    "last",
    "margin",
    "criteria",
}
LAST, MARGIN = 3, 0.25
TEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
}
SYMBOLS = {
    "ε": r"\epsilon",
    "≤": r"\le",
    "‖": r"\|",
    "²": "^{2}",
    "∞": r"\infty",
    "·": r"\cdot",
    "–": "--",
    "−": "-",
}


def build_table(spec: dict, name: str, tidy_dir) -> pd.DataFrame:
    """A table of orders.

    Parameters
    ----------
    spec : dict
        Study spec; ``tables[name]`` holds ``rows`` and ``criteria`` (metric → words). A row states
        ``algorithm, oracle, stated, order, experiment, method`` and either ``cost``, a count whose order in
        1/ε is measured under every criterion (``own``: the one it is stated for), or ``x`` and ``y``.
    tidy_dir : Path

    Returns
    -------
    DataFrame
        Columns `COLUMNS`: stated order, measured slope of the last points, 95 % bootstrap interval over the
        seeds (over the points if there is one seed), whether the slope is within the margin of the order.
        A row without traces has no slope, and its `note` says what is missing.
    """
    if name not in spec["tables"]:
        raise ValueError(f"unknown table {name!r}; known: {', '.join(spec['tables'])}")
    table, evidence = spec["tables"][name], Evidence(spec, tidy_dir)
    shared = {key: table[key] for key in ("last", "margin", "criteria") if key in table}
    rows = [row for entry in table["rows"] for row in _rows(evidence, shared | entry)]
    return pd.DataFrame(rows, columns=COLUMNS)


def _rows(evidence, row):
    """One row per criterion for a cost, one for a plain slope."""
    unknown = set(row) - ROW_KEYS
    if unknown:
        raise ValueError(
            f"table row {row.get('algorithm')}: unknown {', '.join(sorted(unknown))}; "
            f"known: {', '.join(sorted(ROW_KEYS))}"
        )
    last = row.get("last", LAST)
    if "cost" not in row:
        yield _row(
            evidence,
            row,
            (row["x"], row["y"]),
            partial(log_slope, last=None),
            row["criteria"][row["own"]],
            True,
            None,
        )
        return
    for metric, words in row["criteria"].items():
        yield _row(evidence, row, (metric, row["cost"]), cost_order, words, metric == row["own"], last)


def _row(evidence, row, columns, statistic, criterion, own, last):
    entry = {key: row[key] for key in ("algorithm", "oracle", "stated", "order")} | {
        "criterion": criterion,
        "own": own,
    }
    try:
        samples = _samples(evidence.panel(row["experiment"]), row["method"], columns)
    except Missing as missing:
        return entry | {"note": f"missing: {missing}"}
    samples = samples[:, -last:] if last else samples
    mean = samples.mean(axis=0)
    measured = statistic(mean[:, 0], mean[:, 1])
    low, high = interval(samples, statistic)
    within = bool(measured <= row["order"] + row.get("margin", MARGIN))
    size = {"seeds": len(samples), "points": samples.shape[1]}
    return entry | {"measured": measured, "low": low, "high": high, "within": within, "note": ""} | size


def _samples(panel, method, columns):
    """Curves (seeds, points, 2) of two columns, at the iterations that all seeds have."""
    runs = [panel.records([method], seed, columns).set_index("iteration") for seed in panel.seeds([method])]
    common = sorted(set.intersection(*(set(run.index) for run in runs)))
    if not common:
        raise Missing(f"a horizon that all seeds of {method} have in {panel.name}")
    return np.array([run.loc[common, list(columns)].to_numpy(float) for run in runs])


def tuning_table(folder) -> pd.DataFrame:
    """All tried values of all tunings below a folder, one row each; `chosen` marks the one taken."""
    rows = []
    for path in sorted(Path(folder).rglob("*.json")):
        tuning = json.loads(path.read_text())
        shared = {key: tuning.get(key) for key in ("experiment", "method", "criterion", "seed", "budget")}
        shared["budget"] = json.dumps(shared["budget"])
        for tried in tuning["tried"]:
            chosen = tuning["chosen"] in (tried["params"], tried)
            rows.append(
                shared | {"params": json.dumps(tried["params"]), "value": tried["value"], "chosen": chosen}
            )
    return pd.DataFrame(
        rows, columns=["experiment", "method", "criterion", "seed", "budget", "params", "value", "chosen"]
    )


def write_table(frame: pd.DataFrame, outputs) -> None:
    """Write a table under each name: ``.csv`` exactly, ``.tex`` with booktabs, rounded and escaped."""
    for path in map(Path, outputs):
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".csv":
            frame.to_csv(path, index=False)
        elif path.suffix == ".tex":
            path.write_text(latex(frame), encoding="utf-8")
        else:
            raise ValueError(f"{path}: a table is written as .csv or .tex")


def latex(frame: pd.DataFrame) -> str:
    """A booktabs tabular of the columns that are not empty."""
    frame = frame[[name for name in frame if not (frame[name].isna() | (frame[name] == "")).all()]]
    lines = [" & ".join(escape(str(name)) for name in frame)]
    body = [" & ".join(_cell(value) for value in row) for row in frame.itertuples(index=False)]
    align = "".join("r" if pd.api.types.is_numeric_dtype(frame[name]) else "l" for name in frame)
    rows = [*lines, r"\midrule", *body]
    text = "\n".join(row if row.startswith("\\mid") else row + r" \\" for row in rows)
    return f"\\begin{{tabular}}{{{align}}}\n\\toprule\n{text}\n\\bottomrule\n\\end{{tabular}}\n"


def _cell(value):
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, (float, np.floating)):
        if np.isnan(value):
            return "--"
        return escape("∞" if value > 0 else "−∞") if np.isinf(value) else f"{value:.3g}"
    return "--" if value is None else escape(str(value))


def escape(text: str) -> str:
    r"""Text for LaTeX; powers as in ``ε^(2/3)`` and the symbols of orders become mathematics."""
    pieces = re.split(r"(\^\([^)]*\)|\^\w+)", text)
    parts = [f"$^{{{p.strip('^()')}}}$" if p.startswith("^") else _escape_plain(p) for p in pieces]
    return "".join(parts).replace("$$", "")


def _escape_plain(text):
    text = "".join(TEX.get(char, char) for char in text).replace("^", r"\textasciicircum{}")
    return re.sub(
        "|".join(map(re.escape, SYMBOLS)), lambda m: f"${SYMBOLS[m[0]]}$" if m[0] not in "–" else "--", text
    )
