"""Checks of a results table without traces: it must be a possible table of its panel's jobs."""

import io
from pathlib import PurePosixPath

import numpy as np

from projfree.trace.check import CLOCKS, STATUSES
from projfree.trace.counts import COUNTS

from ..evidence.tidy import read_tidy, run_columns
from .wanted import UNREADABLE, Unusable

TEXT = ("experiment", "method", "end_status", "trace")
#: Columns of a record that are never empty, and whole numbers among them.
WHOLE = ("seed", "iteration", *COUNTS)
FIXED = (*TEXT, *WHOLE, *CLOCKS, "stand_in")
#: Ends of a run whose last metrics may be no numbers.
BROKEN = ("diverged", "error")


def check_table(content: bytes, loaded, experiment: str) -> None:
    """Compare a tidy table with the jobs of its study.

    Raises
    ------
    Unusable
        For a file that is no table; columns that are missing or hold text; no rows; runs that are not those
        of the jobs; counts, clocks or metrics that are no numbers or go back; rows of another method's trace;
        an end that the budget does not allow.
    """
    try:
        table = read_tidy(io.BytesIO(content))
        fault = next(_faults(table, loaded, experiment), None)
    except UNREADABLE as error:
        raise Unusable(f"{experiment}: no tidy table ({error})") from error
    if fault:
        raise Unusable(f"{experiment}: not a table of the jobs that are asked for: {fault}")


def _faults(table, loaded, experiment):
    if absent := [name for name in FIXED if name not in table]:
        yield f"no column {', '.join(absent)}"
    if table.empty:
        yield "no rows"
    yield from (f"{name} holds text" for name in table if name not in TEXT and not _numeric(table[name]))
    yield from _column_faults(table)
    yield from _run_faults(table, loaded, experiment)
    jobs = {method: loaded.job(experiment, method) for method in table["method"].unique()}
    for keys, rows in table.groupby(run_columns(table), sort=False):
        method, seed = keys[:2]
        job = jobs[method]
        faults = [*_end_faults(rows), *(() if job.probe else _record_faults(rows, job))]
        yield from (f"{method}, seed {seed}: {fault}" for fault in faults)


def _numeric(column):
    return column.dtype.kind in "iufb"


def _column_faults(table):
    for name in WHOLE:
        if table[name].dtype.kind not in "iu" or (table[name] < 0).any():
            yield f"{name} is not of whole numbers from 0 on"
    if table["stand_in"].dtype.kind != "b":
        yield "stand_in is neither True nor False"


def _run_faults(table, loaded, experiment):
    """Runs that are asked for and not there, or the other way; rows that come from elsewhere."""
    there = {(*keys, 0)[:3] for keys in table.groupby(run_columns(table)).groups}
    methods = loaded.experiment(experiment).run_here
    wanted = {(m, seed, again) for m in methods for seed, again in loaded.runs(experiment, m)}
    for runs, words in ((there - wanted, "has"), (wanted - there, "lacks")):
        if runs:
            method, seed, again = min(runs)
            yield f"it {words} {method}, seed {seed}" + (f", repetition {again}" if again else "")
    if (table["experiment"] != experiment).any():
        yield f"rows of {table['experiment'][table['experiment'] != experiment].iloc[0]}"
    for method, trace in table[["method", "trace"]].drop_duplicates().itertuples(index=False):
        path = PurePosixPath(trace)
        if (path.parent.name, path.stem) != (experiment, method):
            yield f"rows of {method} from {trace}"


def _end_faults(rows):
    """Of one run, of a solver or a probe: one end, and clocks unless that is an error."""
    ends = set(rows["end_status"])
    if len(ends) > 1 or not ends <= set(STATUSES):
        yield f"it ended {', '.join(map(str, ends))}"
    elif ends != {"error"} and not np.isfinite(rows[[*CLOCKS]]).all(axis=None):
        yield "its clocks are no numbers"


def _record_faults(rows, job):
    """Of one run of a solver: its records in order, its metrics, and its end against its budget."""
    for name in ("iteration", *CLOCKS, *COUNTS):
        if (rows[name].diff() < 0).any():
            yield f"{name} goes back"
    end, last = rows["end_status"].iloc[-1], rows.iloc[-1]
    if end not in BROKEN:
        # What a step measures has no number before the first.
        for name in job.metrics:
            if name not in rows or rows[name].iloc[1:].isna().any():
                yield f"{name} is no number"
    limits = {k: v for k, v in job.budget.plain().items() if k != "stop" and v is not None}
    spent = {name: last["iteration" if name == "iterations" else name] for name in limits}
    if end in ("iterations", "budget") and not any(spent[name] >= limits[name] for name in limits):
        yield f"it ended by its {end} at {spent}, of {limits}"
    if spent.get("iterations", 0) > limits.get("iterations", np.inf):
        yield f"{spent['iterations']} iterations, of {limits['iterations']}"
