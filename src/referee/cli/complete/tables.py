"""Tables of ratings and of pairs in the forms that people have; complaints name the file and the line."""

from collections.abc import Iterator
from pathlib import Path

import h5py
import numpy as np
import pandas as pd

from projfree.completion.labels import text_of
from projfree.completion.ratings import Meaning, Ratings, lost_in_single
from projfree.completion.times import Timed
from projfree.ground.hdf5 import open_h5

from ...data.errors import FormatError
from ...data.lines import LARGEST
from .forms import column_of
from .texts import DECIMAL_COMMA, MISSING, NUMBER, by_pandas, text_pieces

FIELDS = ("user", "item", "rating")
LARGEST_TIME = 1e15
MILLISECONDS = 1e11  # a number from which on times count these: as seconds it is the year 5138
HDF5, PARQUET = (".h5", ".hdf5"), (".parquet", ".pq")
PACKED = (*HDF5, *PARQUET)


def read_ratings(
    path,
    columns=None,
    duplicates: str = "error",
    *,
    encoding: str = "utf-8",
    drop_missing: bool = False,
    zeros: str = "ask",
    counts: bool = False,
    times: bool = False,
    tell=lambda text: None,
) -> Ratings:
    """Ratings from text (a table, JSON lines or Netflix's blocks, packed or not), HDF5 or Parquet.

    Parameters
    ----------
    columns : names or numbers (from 1) of user, item and rating; by default told by the header; the
        first three without one, or if there are only three.
    duplicates : the meaning of a second rating of an item by the same user: 'error'; or the 'last' counts,
        or the 'mean'.
    encoding : of text.
    drop_missing : leave lines without a rating out, and `tell` how many they are, instead of an error.
    zeros : what a rating of 0 is: a 'rating', 'missing', or an error ('ask') if it may be either.
    counts : take counts for ratings, which are an error otherwise.
    times : read a fourth column, times, and give `Timed` ratings.

    Raises
    ------
    FormatError
    """
    asked = {
        "encoding": encoding,
        "drop_missing": drop_missing,
        "zeros": zeros,
        "counts": counts,
        "tell": tell,
    }
    ratings, meaning = read_some(path, columns, duplicates, **asked, times=times)
    several(path, ratings.users, ratings.items)
    precise(path, meaning.least, meaning.greatest)
    varied(path, ratings)
    return ratings


def read_some(
    path, columns=None, duplicates="error", *, encoding, drop_missing, zeros, counts, tell, times=False
) -> tuple[Ratings, Meaning]:
    """The same of ratings that need not be enough for a fit, such as the ratings of one user."""
    table, told = _whole(path, (*FIELDS, "time") if times else FIELDS, columns, encoding)
    table, values = rated(path, table, told, drop_missing, tell, zeros == "missing")
    meaning = Meaning().add(values)
    meant(path, meaning, zeros, counts)
    if not len(values):
        raise FormatError(path, None, "holds no rating")
    (rows, users), (cols, items) = (pd.factorize(table[name]) for name in FIELDS[:2])
    places = rows.astype(np.int32), cols.astype(np.int32)
    in_rows = in_order(path, *places, values, table["line"], users, items, duplicates)
    if not times:
        return Ratings(*in_rows, users, items), meaning
    order = np.lexsort((table["line"], cols, rows))
    last = np.append(np.diff(rows[order]) | np.diff(cols[order]), 1) != 0  # of several ratings of a pair
    return Timed(*in_rows, users, items, seconds(path, table, told)[order][last]), meaning


def several(path, users, items):
    """FormatError if there is only one user or item."""
    for what, ids in (("user", users), ("item", items)):
        if len(ids) < 2:
            raise FormatError(path, None, f"only one {what}, {ids[0]!r}: nothing to complete")


def precise(path, least, greatest):
    """FormatError if single precision would lose the differences between ratings."""
    if reason := lost_in_single(least, greatest):
        raise FormatError(path, None, reason)


def meant(path, meaning, zeros, counts):
    """FormatError if values may not be ratings, and no option says that they are."""
    if zeros == "ask" and (told := meaning.zero()):
        ways = "say --zeros missing if 0 means not rated, --zeros rating if it is a rating"
        raise FormatError(path, None, f"{told}: {ways}")
    if not counts and (told := meaning.counts()):
        raise FormatError(
            path, None, f"{told}: fit their logarithms, or say --counts to fit them as they are"
        )


def varied(path, ratings):
    """FormatError if all ratings are the same."""
    if ratings.scale[0] == ratings.scale[1]:
        raise FormatError(path, None, f"all ratings are {ratings.scale[0]:g}: nothing to complete")


def in_order(path, rows, cols, values, lines, users, items, duplicates):
    """Rows, columns and float32 values in row-major order, one rating a pair."""
    order = np.lexsort((lines, cols, rows))
    rows, cols, values = rows[order], cols[order], values[order]
    again = np.flatnonzero((np.diff(rows) == 0) & (np.diff(cols) == 0)) + 1
    if len(again) and duplicates == "error":
        at = again[np.argmin(lines[order[again]])]
        pair = f"user {users[rows[at]]!r} rates item {items[cols[at]]!r} again"
        reason = f"{pair}; to accept it, add --duplicates last, or mean"
        raise FormatError(path, int(lines[order[at]]), reason)
    if len(again):
        rows, cols, values = _merged(rows, cols, values, again, duplicates)
    return rows, cols, values.astype(np.float32)


def read_pairs(path, columns=None, *, encoding: str = "utf-8", times: bool = False) -> pd.DataFrame:
    """Pairs to predict: texts ``user`` and ``item`` in the order of the file; forms as for ratings.

    With `times` int64 ``time`` too, in seconds.
    """
    table, told = _whole(path, (*FIELDS[:2], "time") if times else FIELDS[:2], columns, encoding)
    pairs = pd.DataFrame({name: table[name] for name in FIELDS[:2]}, dtype=object)
    return pairs.assign(time=seconds(path, table, told)) if times else pairs


def seconds(path, table, told) -> np.ndarray:
    """The times of a table as whole seconds, int64: numbers of seconds or milliseconds, or ISO 8601."""
    texts = pd.Series(table["time"])
    found = pd.to_numeric(texts, errors="coerce").astype(float)
    if found.isna().any():
        read = pd.to_datetime(texts[found.isna()], errors="coerce", format="ISO8601", utc=True)
        found = found.fillna((read - pd.Timestamp(0, tz="UTC")) / pd.Timedelta(seconds=1))
    found = found.to_numpy(float)
    wrong = ~(np.abs(found) <= LARGEST_TIME)
    if wrong.any():
        at = int(np.argmax(wrong))
        what = f"time ({told['time']}) '{str(texts[at])[:40]}' is no number of seconds and no ISO 8601 time"
        raise FormatError(path, int(table["line"][at]), what)
    return np.floor(found / 1000 if np.median(np.abs(found)) > MILLISECONDS else found).astype(np.int64)


def _merged(rows, cols, values, again, duplicates):
    """One rating a pair: the last in the file, or the mean."""
    first = np.ones(len(rows), dtype=bool)
    first[again] = False
    starts = np.flatnonzero(first)
    ends = np.append(starts[1:], len(rows))
    kept = values[ends - 1] if duplicates == "last" else np.add.reduceat(values, starts) / (ends - starts)
    return rows[first], cols[first], kept


def rated(path, table, told, drop_missing, tell, no_zeros=False) -> tuple[dict, np.ndarray]:
    """The rows that have a rating, and the ratings as finite float64; `no_zeros` leaves 0 out."""
    if table["rating"].dtype.kind in "iufb":
        values = table["rating"].astype(np.float64)
        missing, wrong = np.isnan(values), np.isinf(values)
    else:
        codes, texts = pd.factorize(table["rating"])  # few differ
        parsed = np.array([_parsed(text) for text in texts])
        values, missing = parsed[codes], np.array([_missing(text) for text in texts])[codes]
        wrong = np.isnan(values)
    for bad, reason in (
        (wrong & ~missing, _not_a_number),
        (np.abs(values) > LARGEST, lambda text: f"'{text}' is beyond the range of float32"),
        (missing & (not drop_missing), lambda text: f"'{text}' is missing; --drop-missing leaves that out"),
    ):
        if bad.any():
            at = int(np.argmax(bad))
            reason = f"rating ({told['rating']}) {reason(str(table['rating'][at])[:40])}"
            raise FormatError(path, int(table["line"][at]), reason)
    missing |= no_zeros & (values == 0)
    if missing.any():
        tell(f"{missing.sum():,} of {len(missing):,} lines are left out: they have no rating")
    return {name: column[~missing] for name, column in table.items()}, values[~missing]


def _parsed(text) -> float:
    return float(text) if NUMBER.fullmatch(str(text)) else np.nan


def _missing(text) -> bool:
    return str(text).lower() in MISSING


def _not_a_number(text) -> str:
    hint = "; write it with a decimal point" if DECIMAL_COMMA.fullmatch(text) else ""
    return f"'{text}' is not a number{hint}"


def _whole(path, fields, columns, encoding) -> tuple[dict, dict]:
    """Columns of the fields, and ``line``, in the order of the file; and the name of each column."""
    tables, told = pieces(path, fields, columns, encoding)
    tables = list(tables)
    return {name: np.concatenate([table[name] for table in tables]) for name in tables[0]}, told


def pieces(path, fields, columns, encoding) -> tuple[Iterator[dict], dict]:
    """The same, of a text some lines at a time."""
    path = Path(path)
    if columns is not None and len(columns) < len(fields):
        raise FormatError(path, None, f"columns must name {', '.join(fields)}; given: {', '.join(columns)}")
    columns = None if columns is None else list(columns)[: len(fields)]
    if path.suffix in PACKED:
        table, told = (_hdf5 if path.suffix in HDF5 else _parquet)(path, fields, columns)
        tables = iter([table])
    else:
        tables, told = text_pieces(path, fields, columns, encoding)
    return _named(path, fields[:2], tables, told), told


def _named(path, fields, tables, told):
    """The tables; FormatError where there is no row, or an empty name."""
    held = 0
    for table in tables:
        held += len(table["line"])
        for name in fields:
            empty = np.flatnonzero(table[name] == "")
            if len(empty):
                at = int(table["line"][empty[0]])
                reason = f"the {name} ({told[name]}) is empty; name it, or remove the line"
                raise FormatError(path, at, reason)
        yield table
    if not held:
        raise FormatError(path, None, "holds no rows")


# --- HDF5 and Parquet ---------------------------------------------------------------------------------------


def _hdf5(path, fields, columns):
    """Datasets of one length at the top of an HDF5 file."""
    try:
        with open_h5(path) as file:
            arrays = {name: item[()] for name, item in file.items() if isinstance(item, h5py.Dataset)}
    except (OSError, ValueError) as error:
        raise FormatError(path, None, f"is not an HDF5 file that can be read ({error})") from None
    return _columns(path, arrays, fields, columns)


def _parquet(path, fields, columns):
    try:
        table = pd.read_parquet(path)
    except ImportError:
        way = by_pandas("pandas.read_parquet({}).to_csv({})", path.name, f"{path.stem}.csv")
        raise FormatError(
            path,
            None,
            f"Parquet needs pyarrow, which projfree does not bring: install it, or where it is: {way}",
        ) from None
    except (OSError, ValueError) as error:
        raise FormatError(path, None, f"is not a Parquet file that can be read ({error})") from None
    return _columns(path, {name: table[name].to_numpy() for name in table}, fields, columns)


def _columns(path, arrays, fields, columns) -> tuple[dict, dict]:
    """The fields from named arrays, rows counted from 1; and the name of each."""
    found, told = {}, {}
    for k, field in enumerate(fields):
        names = list(arrays)
        if columns:
            place = next((i for i, name in enumerate(names) if name.lower() == columns[k].lower()), None)
        else:
            place = column_of(path, field, names)
        if place is None:
            shapes = ", ".join(f"{n} {' × '.join(map(str, a.shape))}" for n, a in arrays.items())
            raise FormatError(path, None, f"has no {field}; it has {shapes or 'nothing'}")
        name = names[place]
        found[field], told[field] = np.asarray(arrays[name]), f"dataset '{name}'"
    lengths = {name: array.shape for name, array in found.items()}
    if len(set(lengths.values())) > 1 or any(array.ndim != 1 for array in found.values()):
        raise FormatError(path, None, f"columns of different shapes: {lengths}")
    numbers = found.get("rating", np.zeros(0)).dtype.kind in "iufb"
    try:
        made = {n: a if n == "rating" and numbers else _texts_of(a) for n, a in found.items()}
    except UnicodeDecodeError as error:
        raise FormatError(path, None, f"holds texts that are not UTF-8 ({error})") from None
    return made | {"line": np.arange(1, len(found["user"]) + 1)}, told


def _texts_of(values) -> np.ndarray:
    return np.array([*map(text_of, values.tolist())], dtype=object)
