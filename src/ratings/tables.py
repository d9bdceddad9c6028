"""Tables of ratings and of pairs in the forms that people have; complaints name the file and the line."""

import contextlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import h5py
import numpy as np
import pandas as pd

from projfree.common.hdf5 import open_h5
from projfree.completion.labels import text_of
from projfree.completion.ratings import Meaning, Ratings, lost_in_single
from projfree.completion.times import Timed
from referee.data.errors import FormatError
from referee.data.lines import LARGEST

from .advice import csv_of_parquet
from .columns import Column, place_of, places_of
from .texts import MISSING, NUMBER, text_pieces

FIELDS = ("user", "item", "rating")
LARGEST_TIME = 1e15
MILLISECONDS = 1e11  # a number from which on times count these: as seconds it is the year 5138
HDF5, PARQUET = (".h5", ".hdf5"), (".parquet", ".pq")
PACKED = (*HDF5, *PARQUET)


@dataclass(frozen=True)
class Reading:
    """How a table of ratings is read.

    Attributes
    ----------
    columns : names or numbers (from 1) of user, item and rating; by default those of the header; the
        first three without one, or if there are only three; or the columns of a table with the same layout.
    duplicates : the meaning of a second rating of an item by the same user: 'error'; or the 'last' counts,
        in the order of times or without them of lines; or the 'mean'.
    encoding : of text.
    drop_missing : leave lines without a rating out, and `tell` how many they are, instead of an error.
    missing : ratings that mean not rated, left out too; None: an error if there may be such, as -1 and 99.
    zeros : what a rating of 0 is: a 'rating', 'missing', or an error ('ask') if it may be either.
    counts : take counts for ratings, which are an error otherwise.
    times : read a fourth column, times, and give `Timed` ratings.
    """

    columns: list | dict | None = None
    duplicates: str = "error"
    encoding: str = "utf-8"
    drop_missing: bool = False
    missing: tuple | None = None
    zeros: str = "ask"
    counts: bool = False
    times: bool = False
    tell: Callable[[str], None] = lambda text: None

    def pieces(self, path):
        """The table, some lines at a time, and its columns; see `pieces`."""
        return pieces(path, (*FIELDS, "time") if self.times else FIELDS, self.columns, self.encoding)

    def meant(self, path, meaning):
        """FormatError if values may not be ratings, and no option says that they are, or there is none."""
        if matches := meaning.unrated(self.missing is None, self.zeros == "ask" and self.missing != ()):
            ways = "say --zeros missing if 0 means not rated, --zeros rating if it is a rating"
            if matches != [0]:
                named = ",".join(f"{value:g}" for value in matches)
                ways = f"say --missing {named} if these mean not rated, --missing none if they are ratings"
            raise FormatError(path, None, f"{meaning.shares(matches)}: {ways}")
        if not self.counts and (reason := meaning.counts()):
            ways = "fit log(1 + count), or say --counts to fit them as they are"
            raise FormatError(path, None, f"{reason}: {ways}")
        if not meaning.n:
            raise FormatError(path, None, "holds no rating")


def read_ratings(path, columns=None, duplicates="error", **how) -> Ratings:
    """Ratings from text (a table, JSON lines or Netflix's blocks, packed or not), HDF5 or Parquet.

    Options are those of `Reading`. Raises FormatError.
    """
    ratings, meaning = read_some(path, Reading(columns, duplicates, **how))
    enough(path, ratings, meaning)
    return ratings


def read_some(path, how: Reading) -> tuple[Ratings, Meaning]:
    """The same of ratings that need not be enough for a fit, such as the ratings of one user."""
    table, columns = _whole(*how.pieces(path))
    table, values = rated(path, table, columns, how)
    meaning = Meaning().add(values)
    how.meant(path, meaning)
    (rows, users), (cols, items) = (pd.factorize(table[name]) for name in FIELDS[:2])
    when = seconds(path, table, columns) if how.times else table["line"]
    places = rows.astype(np.int32), cols.astype(np.int32)
    *made, last = in_order(path, *places, values, table["line"], users, items, how.duplicates, when)
    return Timed(*made, users, items, when[last]) if how.times else Ratings(*made, users, items), meaning


def enough(path, ratings, meaning):
    """FormatError if there is only one user, item or value, or single precision would lose differences."""
    for what, ids in (("user", ratings.users), ("item", ratings.items)):
        if len(ids) < 2:
            raise FormatError(path, None, f"only one {what}, {ids[0]!r}: nothing to complete")
    if reason := lost_in_single(*meaning.range):
        raise FormatError(path, None, reason)
    if ratings.scale[0] == ratings.scale[1]:
        raise FormatError(path, None, f"all ratings are {ratings.scale[0]:g}: nothing to complete")


def in_order(path, rows, cols, values, lines, users, items, duplicates, when):
    """Rows, columns and float32 values in row-major order, one rating a pair, and the place of its last line.

    The last is that of the greatest `when`.
    """
    order = np.lexsort((lines, lines if duplicates == "error" else when, cols, rows))
    rows, cols, values = rows[order], cols[order], values[order]
    first = np.append(True, (np.diff(rows) != 0) | (np.diff(cols) != 0))[: len(rows)]
    if duplicates == "error" and not first.all():
        again = np.flatnonzero(~first)
        at = again[np.argmin(lines[order[again]])]
        pair = f"user {users[rows[at]]!r} rates item {items[cols[at]]!r} again"
        reason = f"{pair}; to accept it, add --duplicates last, or mean"
        raise FormatError(path, int(lines[order[at]]), reason)
    starts = np.flatnonzero(first)
    ends = np.append(starts[1:], len(rows)) - 1
    kept = np.add.reduceat(values, starts) / (1 + ends - starts) if duplicates == "mean" else values[ends]
    return rows[starts], cols[starts], kept.astype(np.float32), order[ends]


def read_pairs(path, columns=None, *, encoding: str = "utf-8", times: bool = False) -> pd.DataFrame:
    """Pairs to predict: texts ``user`` and ``item`` in the order of the file; forms as for ratings.

    With `times` int64 ``time`` too, in seconds.
    """
    table, columns = _whole(*pieces(path, (*FIELDS[:2], "time") if times else FIELDS[:2], columns, encoding))
    pairs = pd.DataFrame({name: table[name] for name in FIELDS[:2]}, dtype=object)
    return pairs.assign(time=seconds(path, table, columns)) if times else pairs


def seconds(path, table, columns) -> np.ndarray:
    """The times of a table as whole seconds, int64: numbers of seconds or milliseconds, or ISO 8601."""
    texts = pd.Series(table["time"])
    times = pd.to_numeric(texts, errors="coerce").astype(float)
    if times.isna().any():
        read = pd.to_datetime(texts[times.isna()], errors="coerce", format="ISO8601", utc=True)
        times = times.fillna((read - pd.Timestamp(0, tz="UTC")) / pd.Timedelta(seconds=1))
    times = times.to_numpy(float)
    wrong = ~(np.abs(times) <= LARGEST_TIME)
    if wrong.any():
        at = int(np.argmax(wrong))
        shown = f"time ({columns['time']}) '{str(texts[at])[:40]}'"
        reason = f"{shown} is no number of seconds and no ISO 8601 time"
        raise FormatError(path, int(table["line"][at]), reason)
    return np.floor(times / 1000 if np.median(np.abs(times)) > MILLISECONDS else times).astype(np.int64)


def rated(path, table, columns, how, tell=None) -> tuple[dict, np.ndarray]:
    """The rows that have a rating, and the ratings as finite float64; `tell` instead of how.tell."""
    cells = table["rating"]
    if cells.dtype.kind in "iufb":
        values = cells.astype(np.float64)
        missing, wrong = np.isnan(values), np.isinf(values)
    else:
        codes, texts = pd.factorize(cells)  # few differ
        texts = [str(text) for text in texts]
        values = np.array([float(text) if NUMBER.fullmatch(text) else np.nan for text in texts])[codes]
        missing = np.array([text.lower() in MISSING for text in texts])[codes]
        wrong = np.isnan(values)
    for bad, reason in (
        (wrong & ~missing, "is not a number"),
        (np.abs(values) > LARGEST, "is beyond the range of float32"),
        (missing & (not how.drop_missing), "is missing; --drop-missing leaves that out"),
    ):
        if bad.any():
            at = int(np.argmax(bad))
            text = str(cells[at])[:40]
            hint = "; write it with a decimal point" * bool(re.fullmatch(r"[+-]?[0-9]+,[0-9]+", text))
            reason = f"rating ({columns['rating']}) '{text}' {reason}{hint}"
            raise FormatError(path, int(table["line"][at]), reason)
    missing |= np.isin(values, how.missing or ()) | ((values == 0) & (how.zeros == "missing"))
    if missing.any():
        (tell or how.tell)(f"{missing.sum():,} of {len(missing):,} lines are left out: they have no rating")
    return {name: column[~missing] for name, column in table.items()}, values[~missing]


def pieces(path, fields, columns, encoding) -> tuple[Iterator[dict], dict]:
    """Columns of the fields, and ``line``, of a table some lines at a time; and their `Column` by field."""
    path = Path(path)
    if columns is not None and len(columns) < len(fields):
        raise FormatError(path, None, f"columns must name {', '.join(fields)}; given: {', '.join(columns)}")
    wanted = columns if isinstance(columns, dict) else dict(zip(fields, columns or (), strict=False))
    if path.suffix in PACKED:
        tables, columns = (_hdf5 if path.suffix in HDF5 else _parquet)(path, fields, wanted)
    else:
        tables, columns = text_pieces(path, fields, wanted, encoding)

    def named():
        rows = 0
        for table in tables:
            rows += len(table["line"])
            for name in fields[:2]:
                if len(empty := np.flatnonzero(table[name] == "")):
                    reason = f"the {name} ({columns[name]}) is empty; name it, or remove the line"
                    raise FormatError(path, int(table["line"][empty[0]]), reason)
            yield table
        if not rows:
            raise FormatError(path, None, "holds no rows")

    return named(), columns


def _whole(tables, columns) -> tuple[dict, dict]:
    """What `pieces` gives, as one table."""
    tables = list(tables)
    return {name: np.concatenate([table[name] for table in tables]) for name in tables[0]}, columns


# --- HDF5 and Parquet ---------------------------------------------------------------------------------------


@contextlib.contextmanager
def _readable(path, kind):
    try:
        yield
    except (OSError, ValueError) as error:
        raise FormatError(path, None, f"is not {kind} that can be read ({error})") from None


def _hdf5(path, fields, wanted):
    """Columns of an HDF5 file: datasets of one group, or fields of one dataset."""
    shapes, groups = {}, {}

    def note(name, item):
        if isinstance(item, h5py.Dataset) and item.shape is not None:
            shapes.update({f"{name}/{part}".rstrip("/"): item.shape for part in item.dtype.names or [""]})

    with _readable(path, "an HDF5 file"), open_h5(path) as file:
        file.visititems(note)
    for group, _, name in (name.rpartition("/") for name in shapes):
        groups.setdefault(group, []).append(name)
    places = {g: [place_of(path, f, n, wanted.get(f)) for f in fields] for g, n in groups.items()}
    whole = [group for group, found in places.items() if None not in found]
    if len(whole) > 1 and "" not in whole:
        raise FormatError(path, None, f"has a table in each of {', '.join(whole)}: keep one")
    if not whole:
        best = min(places.values(), key=lambda found: found.count(None), default=[None])
        held = ", ".join(f"{name} {' × '.join(map(str, shape))}" for name, shape in shapes.items())
        raise FormatError(path, None, f"has no {fields[best.index(None)]}; it has {held or 'nothing'}")
    group = "" if "" in whole else whole[0]
    names = [groups[group][place] for place in places[group]]

    def arrays():
        with _readable(path, "an HDF5 file"), open_h5(path) as file:
            part = file[group or "/"]
            return [part[name][()] if isinstance(part, h5py.Group) else part[name] for name in names]

    return _tables(path, fields, names, arrays)


def _parquet(path, fields, wanted):
    try:
        with _readable(path, "a Parquet file"):
            table = pd.read_parquet(path)
    except ImportError:
        reason = "Parquet needs pyarrow, which projfree does not bring: install it, or where it is"
        raise FormatError(path, None, f"{reason} {csv_of_parquet(path)}") from None
    names = [table.columns[place] for place in places_of(path, fields, list(table), wanted)]
    return _tables(path, fields, names, lambda: [table[name].to_numpy() for name in names])


def _tables(path, fields, names, arrays) -> tuple[Iterator[dict], dict]:
    """One table with the fields from `arrays`, rows counted from 1; and the columns, by their names."""
    columns = {f: Column(n, k, f"dataset '{n}'") for k, (f, n) in enumerate(zip(fields, names, strict=True))}

    def cells(field, values):
        """Ratings that are numbers as they are, all else as texts."""
        if field == "rating" and values.dtype.kind in "iufb":
            return values
        if any(isinstance(value, h5py.Reference | np.ndarray) for value in values):
            raise FormatError(path, None, f"{field} ({columns[field]}) holds neither numbers nor texts")
        try:
            return np.array([*map(text_of, values.tolist())], dtype=object)
        except UnicodeDecodeError as error:
            raise FormatError(path, None, f"holds texts that are not UTF-8 ({error})") from None

    def tables():
        table = dict(zip(fields, map(np.asarray, arrays()), strict=True))
        shapes = {field: array.shape for field, array in table.items()}
        sizes = {array.size for array in table.values()}
        if len(sizes) > 1 or any({*sizes} != {max(shape, default=0)} for shape in shapes.values()):
            raise FormatError(path, None, f"columns of different shapes, or not one-dimensional: {shapes}")
        lines = np.arange(1, 1 + table["user"].size)
        yield {field: cells(field, array.ravel()) for field, array in table.items()} | {"line": lines}

    return tables(), columns
