"""Trace files of one experiment → its tidy table (docs/design.md), one row a record; cut to shorter runs."""

import gzip
import json
import os
import re
from pathlib import Path

import numpy as np
import pandas as pd

from projfree.common.atomic_io import atomic_write, read_h5
from projfree.trace.check import check_trace
from projfree.trace.counts import COUNTS

from ..study.models.experiment import Experiment
from .axes import IN_BUDGETS

PACKED = 300_000
CLOCKS = ("cpu_seconds", "wall_seconds")
TAIL = ("end_status", "stand_in", "trace")
#: Numeric columns that name a record instead of measuring something.
METRICS_EXCLUDE = ("seed", "iteration", "stand_in", "repetition")


def tidy(traces, output) -> None:
    """Write the tidy CSV of one experiment, floats exactly; of its longest runs every k-th record.

    What is drawn, judged and published is this table: packed, a panel has `PACKED` bytes at most.

    The numeric parameters in which its methods differ are columns too, behind the others: what a figure
    varies can be its axis. A metric of the same name comes first.

    Parameters
    ----------
    traces : list of Path
        Trace files of one experiment, in the order the methods shall have.
    output : Path
        Appears only when whole.

    Raises
    ------
    ValueError
        Without traces, for traces of several experiments, or for a file that is not a trace.
    """
    if not traces:
        raise ValueError(f"{output}: no traces given")
    frames, params = zip(*(_read_trace(Path(path)) for path in traces), strict=True)
    frame = pd.concat(frames, ignore_index=True)
    if "repetition" in frame:  # runs that were made again to see how well the machine repeats its seconds
        frame["repetition"] = frame["repetition"].fillna(0).astype(int)
    if frame["experiment"].nunique() > 1:
        raise ValueError(
            f"{output}: traces of several experiments: {', '.join(frame['experiment'].unique())}"
        )
    sizes = [len(rows) for rows in frames]
    varied = {name: np.repeat(values, sizes) for name, values in _varied(params).items() if name not in frame}
    table = frame[_columns(frame)].assign(**varied)
    atomic_write(output, _thinned(table), _mark(table))


def _mark(table):
    """The pattern of tables of the same experiment, its traces in a folder of the same run and paper."""
    first = table.iloc[0]
    parts = Path(first["trace"]).parts[-5:-1]
    folder = "/".join(parts) if "traces" in parts else ""
    row = rf"{re.escape(first['experiment'])},[^\n]*{re.escape(folder)}"
    return rf"experiment,method,seed,iteration,[^\n]*\n{row}".encode()


def _thinned(table):
    """The table as text, with as many records of a run as fit: short runs whole, of others the ends too."""
    behind = table.groupby(run_columns(table), sort=False)
    place, left = behind.cumcount(), behind.cumcount(ascending=False)
    length, text = place + left + 1, table.to_csv(index=False)
    most = length.max()
    while (packed := len(gzip.compress(text.encode(), 9, mtime=0))) > PACKED and most > 1:
        most = min(most - 1, max(1, int(most * PACKED / packed)))
        every = np.ceil(length / most)
        text = table[(place % every == 0) | (left == 0)].to_csv(index=False)
    return text


def run_columns(table) -> list[str]:
    """The columns that name a run of a table of one experiment."""
    return [name for name in ("method", "seed", "repetition") if name in table]


def table_in(folders, experiment: str) -> Path:
    """An experiment's tidy table in the first of the folders that has it; packed where published."""
    folders = [folders] if isinstance(folders, str | Path) else folders
    places = [Path(f) / f"{experiment}.csv{end}" for f in folders for end in ("", ".gz")]
    return next((path for path in places if path.is_file()), places[0])


def read_tidy(path) -> pd.DataFrame:
    """Read a tidy CSV back; pandas reads the shortest decimal form of a float exactly."""
    text = {name: str for name in ("experiment", "method", "end_status", "trace")}
    frame = pd.read_csv(path, dtype=text)
    if fault := next(_faults(frame), None):
        raise ValueError(fault)
    return frame


def _faults(frame):
    """Why a table is not of runs: what `tidy` writes of checked traces has none of this."""
    if lacking := {"method", "seed"} - set(frame):
        yield f"it lacks the columns {', '.join(sorted(lacking))}"
    if not len(frame):
        yield "it has no record"
    runs = frame.groupby(run_columns(frame), sort=False)
    for name in frame.columns.intersection(["seed", "iteration"]):
        if frame[name].dtype.kind not in "if" or not (frame[name] >= 0).all():
            yield f"{name} is not of numbers from 0"
    if "iteration" in frame and (runs["iteration"].diff() < 0).any():
        yield "iteration goes back within a run"
    if {"iteration", "cpu_seconds", "end_status"} <= set(frame):
        failed = (frame["end_status"] == "error") & (frame["iteration"] == 0)  # before its first record
        seconds = frame["cpu_seconds"].mask(failed, 0.0)
        if seconds.dtype.kind not in "if" or not np.isfinite(seconds).all() or (seconds < 0).any():
            yield "cpu_seconds are not finite numbers from 0"
        if frame["iteration"].any() and not seconds.any():
            yield "all cpu_seconds are 0"
    for name in frame.select_dtypes("float"):
        values = frame[name].dropna()
        if len(values) and not np.isfinite(values).any():
            yield f"{name} is infinite in every record"


def first_runs(frame: pd.DataFrame) -> pd.DataFrame:
    """The runs of a table without their repetitions, which show how well the machine repeats its seconds."""
    return frame[frame["repetition"] == 0] if "repetition" in frame else frame


def _varied(params):
    """Name → values, one a trace, of the parameters in which the traces differ; NaN where one has none."""
    names = dict.fromkeys(name for one in params for name in one)
    values = {name: [one.get(name, np.nan) for one in params] for name in names}
    return {name: own for name, own in values.items() if len({v for v in own if v == v}) > 1}


def _numbers(params, prefix=""):
    """Numeric parameters by name; those of a part as ``penalty.weight``."""
    numbers = {}
    for name, value in params.items():
        if isinstance(value, dict):
            numbers |= _numbers(value, f"{prefix}{name}.")
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            numbers[f"{prefix}{name}"] = value
    return numbers


def _columns(frame):
    """Fixed columns first, then timers, then metrics, each in alphabetical order."""
    fixed = ["experiment", "method", "seed", "iteration", *CLOCKS, *COUNTS]
    rest = sorted(set(frame) - set(fixed) - set(TAIL))
    timers = [name for name in rest if name.startswith("seconds_")]
    return [*fixed, *timers, *(name for name in rest if name not in timers), *TAIL]


def _read_trace(path):
    """All seeds of one trace file as rows, and the numeric parameters of its problem and its method."""
    with read_h5(path) as handle:
        check_trace(handle, path)
        groups = [handle[name] for name in handle if name.startswith("seed-")]
        frames = [_read_seed(group) for group in sorted(groups, key=lambda g: int(g.attrs["seed"]))]
        frame = pd.concat(frames, ignore_index=True)
        frame["experiment"] = str(handle.attrs["experiment"])
        frame["method"] = str(handle.attrs.get("method", path.stem))
        frame["stand_in"] = bool(handle.attrs.get("stand_in", False))
        spec = [json.loads(handle.attrs.get(part, "{}")) for part in ("problem", "params")]
    frame["trace"] = Path(os.path.relpath(path)).as_posix()
    return frame, _numbers(spec[0]) | _numbers(spec[1])


def _read_seed(group):
    """Rows of one seed; a run that failed before its first record keeps one row, so that its end is known."""
    columns = {name: group[name][()] for name in ("iteration", *CLOCKS)}
    columns |= {name: group[f"oracles/{name}"][()] for name in COUNTS if f"oracles/{name}" in group}
    columns |= {f"seconds_{name}": values[()] for name, values in group.get("timers", {}).items()}
    columns |= {name: values[()] for name, values in group.get("metrics", {}).items()}
    if not len(columns["iteration"]):
        columns = {name: [0 if name == "iteration" or name in COUNTS else np.nan] for name in columns}
    frame = pd.DataFrame(columns)
    for name in set(COUNTS) - set(frame):
        frame[name] = 0
    if "repetition" in group.attrs:
        frame["repetition"] = int(group.attrs["repetition"])
    lane = json.loads(group.attrs.get("lane", "null"))
    if lane:
        frame["others_on_core"] = np.nan if lane["others_on_core"] is None else lane["others_on_core"]
    return frame.assign(seed=int(group.attrs["seed"]), end_status=str(group.attrs["end_status"]))


COLUMNS = {limit: column for column, limit in IN_BUDGETS.items()}


def cut(table: pd.DataFrame, experiment: Experiment) -> pd.DataFrame:
    """Of a tidy table the seeds and repetitions that an experiment has, each run until its budget ends.

    A run ends with its first record at or beyond a limit, as it would have ended then; nothing is known of
    its last iterate but what that record says. Of runs that were made so everything stays.
    """
    if "repetition" in table:
        table = table[table["repetition"] < experiment.repetitions]
    runs = [
        _until(run, experiment.budget_of(method))
        for (method, seed, *_), run in table.groupby(run_columns(table), sort=False)
        if seed in experiment.seeds_of(method)
    ]
    return pd.concat(runs) if runs else table[:0]


def _until(run, budget):
    limits = {COLUMNS.get(name, name): limit for name, limit in budget.limits.items()} if budget else {}
    beyond = pd.Series(False, run.index)
    for column, limit in limits.items():
        beyond |= run[column] >= limit
    inside = run[beyond.cumsum().shift(fill_value=0) == 0]
    return inside if len(inside) == len(run) else inside.assign(end_status="budget")
