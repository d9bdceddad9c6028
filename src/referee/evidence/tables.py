"""The paper's tables: stated orders next to measured slopes."""

import re
from functools import cache, partial
from pathlib import Path

import numpy as np
import pandas as pd

from projfree.common.atomic_io import atomic_write
from projfree.common.names import require

from ..common import bounded
from ..study.models.figure import Cell
from ..study.models.paper import Paper
from .axes import with_axes
from .cost_model import with_model_seconds
from .orders import cost_order, interval, log_slope
from .tidy import first_runs, read_tidy, table_in

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
WORDS = ("algorithm", "oracle", "stated", "order")


class Missing(Exception):
    """A table, a method, a column or a record that a row needs is not there; the message names it."""


class Evidence:
    """The first runs of a paper's experiments, each table read once."""

    def __init__(self, paper: Paper, tidy_dir):
        self.paper, self.folder, self._table = paper, tidy_dir, cache(self._read)

    def _read(self, experiment):
        if not (path := table_in(self.folder, experiment)).is_file():
            raise Missing(f"{experiment} (no traces)")
        table = first_runs(bounded.table(path, read_tidy))
        return with_model_seconds(table, self.paper.unit_costs.get(experiment))

    def runs(self, experiment: str, method: str, columns) -> list[pd.DataFrame]:
        """Records of a method in which all columns or axes are numbers, a frame a seed."""
        table = self._table(experiment)
        rows = table[(table["method"] == method) & (table["end_status"] != "error")]
        if rows.empty:
            raise Missing(f"{method} in {experiment}")
        rows = with_axes(rows, columns)
        if absent := [name for name in columns if name not in rows or rows[name].isna().all()]:
            raise Missing(f"{', '.join(absent)} in {experiment}")
        rows = rows.dropna(subset=list(columns)).sort_values(["seed", "iteration"], kind="stable")
        return [run for _, run in rows.groupby("seed")]


def build_table(paper: Paper, name: str, tidy_dir) -> pd.DataFrame:
    """A table of stated orders next to measured slopes, of plain numbers and words, or of both.

    Parameters
    ----------
    paper : Paper
        Its table says what stands there: `referee.study.models.figure`.
    name : str
    tidy_dir : Path

    Returns
    -------
    DataFrame
        Columns `COLUMNS`: stated order, measured slope of the last points, 95 % bootstrap interval over the
        seeds (over the points if there is one seed), whether the slope is within the margin of the order.
        A row without traces has no slope, and its `note` says what is missing. With ``columns`` these follow
        the stated order, and of the others only those that a row fills are kept.
    """
    require([name], paper.tables, "table")
    table, evidence = paper.tables[name], Evidence(paper, tidy_dir)
    rows, headings = [], {}
    for stated in table.rows:
        columns = table.columns | stated.columns
        cells, missing = _cells(evidence, stated, columns)
        for row in _rows(evidence, stated.within(table)):
            notes = dict.fromkeys(filter(None, [row["note"], *missing]))
            rows.append(row | cells | {"note": "; ".join(notes)})
        headings |= columns
    if taken := set(headings) & set(COLUMNS):
        raise ValueError(f"table {name}: its own columns cannot be headings: {', '.join(sorted(taken))}")
    frame = pd.DataFrame(rows, columns=[*WORDS, *headings, *COLUMNS[len(WORDS) :]])
    return frame[[c for c in frame if not headings or c in headings or not _empty(frame[c])]]


def _cells(evidence, row, columns):
    """Cells of a row beside the measured order, and what is missing for them."""
    cells, missing = {}, {}
    for heading, cell in columns.items():
        try:
            cells[heading] = _median(evidence, row, cell) if isinstance(cell, Cell) else cell
        except Missing as error:
            missing[f"missing: {error}"] = None
    return cells, missing


def _median(evidence, row, cell):
    """Median over the seeds of a metric in the records at a value of a column, or in the last record."""
    read = {key: getattr(cell, key) or getattr(row, key) for key in ("experiment", "method", "metric")}
    if lacking := sorted(key for key, value in read.items() if not value):
        raise ValueError(f"cell of table row {row.algorithm}: missing {', '.join(lacking)}")
    experiment, method, metric = read.values()
    values, at = [], cell.at
    for frame in evidence.runs(experiment, method, [metric, *at]):
        for column, value in at.items():
            frame = frame[np.isclose(frame[column].to_numpy(float), value, rtol=1e-9, atol=0)]
        values += list(frame[metric] if at else frame[metric].tail(1))
    if not values:
        where = ", ".join(f"{column} = {value:g}" for column, value in at.items())
        raise Missing(f"a record of {method} with {where} in {experiment}")
    return float(np.median(values))


def _empty(column):
    return (column.isna() | (column == "")).all()


def _rows(evidence, row):
    """One row per criterion for a cost, one for a plain slope, one of words alone."""
    if row.cost:
        for metric, words in row.criteria.items():
            own = metric == row.own
            yield _row(evidence, row, (metric, row.cost), cost_order, words, own, row.last)
    elif row.x:
        slope = partial(log_slope, last=None)
        yield _row(evidence, row, (row.x, row.y), slope, row.criteria[row.own], True, None)
    else:
        yield {key: getattr(row, key) for key in WORDS} | {"note": ""}


def _row(evidence, row, columns, statistic, criterion, own, last):
    entry = {key: getattr(row, key) for key in WORDS} | {"criterion": criterion, "own": own}
    try:
        samples = _samples(evidence, row.experiment, row.method, columns)
    except Missing as missing:
        return entry | {"note": f"missing: {missing}"}
    samples = samples[:, -last:] if last else samples
    mean = samples.mean(axis=0)
    measured = statistic(mean[:, 0], mean[:, 1])
    low, high = interval(samples, statistic)
    within = bool(measured <= row.order + row.margin)
    size = {"seeds": len(samples), "points": samples.shape[1]}
    return entry | {"measured": measured, "low": low, "high": high, "within": within, "note": ""} | size


def _samples(evidence, experiment, method, columns):
    """Curves (seeds, points, 2) of two columns, at the iterations that all seeds have."""
    records = evidence.runs(experiment, method, columns)
    runs = [run.drop_duplicates("iteration", keep="last").set_index("iteration") for run in records]
    common = sorted(set.intersection(*(set(run.index) for run in runs)))
    if not common:
        raise Missing(f"a horizon that all seeds of {method} have in {experiment}")
    return np.array([run.loc[common, list(columns)].to_numpy(float) for run in runs])


def write_table(frame: pd.DataFrame, outputs) -> None:
    """Write a table under each name: ``.csv`` exactly, ``.tex`` with booktabs, rounded and escaped."""
    forms = {".csv": lambda: frame.to_csv(index=False), ".tex": lambda: latex(frame)}
    for path in map(Path, outputs):
        if path.suffix not in forms:
            raise ValueError(f"{path}: a table is written as .csv or .tex")
        text = forms[path.suffix]()
        begin = re.match(r"[^\n]*\n[^\n,]*" if path.suffix == ".csv" else r"(?:[^\n]*\n){3}", text)[0]
        atomic_write(path, text, re.escape(begin).encode())  # one of ours has the same headings


def latex(frame: pd.DataFrame) -> str:
    """A booktabs tabular of the columns that are not empty."""
    shown = frame[[name for name in frame if not _empty(frame[name])]]
    return shown.to_latex(index=False, escape=True, na_rep="--", float_format="%.3g")
