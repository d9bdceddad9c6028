"""Tables of ratings and of pairs in the forms that people have; complaints name the file and the line."""

import contextlib
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
from .advice import csv_of_parquet
from .forms import Column, place_of
from .texts import DECIMAL_COMMA, MISSING, NUMBER, text_pieces

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
    missing=None,
    zeros: str = "ask",
    counts: bool = False,
    times: bool = False,
    tell=lambda text: None,
) -> Ratings:
    """Ratings from text (a table, JSON lines or Netflix's blocks, packed or not), HDF5 or Parquet.

    Parameters
    ----------
    columns : names or numbers (from 1) of user, item and rating; by default told by the header; the
        first three without one, or if there are only three; or `columns_of` a table with the same layout.
    duplicates : the meaning of a second rating of an item by the same user: 'error'; or the 'last' counts,
        in the order of times or without them of lines; or the 'mean'.
    encoding : of text.
    drop_missing : leave lines without a rating out, and `tell` how many they are, instead of an error.
    missing : ratings that mean not rated, left out too; None: an error if there may be such, as -1 and 99.
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
        "missing": missing,
        "zeros": zeros,
        "counts": counts,
        "tell": tell,
    }
    ratings, meaning = read_some(path, columns, duplicates, **asked, times=times)
    several(path, ratings.users, ratings.items)
    precise(path, *meaning.range)
    varied(path, ratings)
    return ratings


def read_some(
    path,
    columns=None,
    duplicates="error",
    *,
    encoding,
    drop_missing,
    missing,
    zeros,
    counts,
    tell,
    times=False,
) -> tuple[Ratings, Meaning]:
    """The same of ratings that need not be enough for a fit, such as the ratings of one user."""
    table, told = _whole(path, (*FIELDS, "time") if times else FIELDS, columns, encoding)
    table, values = rated(path, table, told, drop_missing, tell, absent(missing, zeros))
    meaning = Meaning().add(values)
    meant(path, meaning, missing, zeros, counts)
    if not len(values):
        raise FormatError(path, None, "holds no rating")
    (rows, users), (cols, items) = (pd.factorize(table[name]) for name in FIELDS[:2])
    when = seconds(path, table, told) if times else table["line"]
    places = rows.astype(np.int32), cols.astype(np.int32)
    *in_rows, last = in_order(path, *places, values, table["line"], users, items, duplicates, when)
    return (Timed(*in_rows, users, items, when[last]) if times else Ratings(*in_rows, users, items)), meaning


def several(path, users, items):
    """FormatError if there is only one user or item."""
    for what, ids in (("user", users), ("item", items)):
        if len(ids) < 2:
            raise FormatError(path, None, f"only one {what}, {ids[0]!r}: nothing to complete")


def precise(path, least, greatest):
    """FormatError if single precision would lose the differences between ratings."""
    if reason := lost_in_single(least, greatest):
        raise FormatError(path, None, reason)


def absent(missing, zeros) -> tuple:
    """Ratings that mean not rated, as options say."""
    return (*(missing or ()), *(0.0,) * (zeros == "missing"))


def meant(path, meaning, missing, zeros, counts):
    """FormatError if values may not be ratings, and no option says that they are."""
    if found := meaning.unrated(missing is None, zeros == "ask" and missing != ()):
        ways = "say --zeros missing if 0 means not rated, --zeros rating if it is a rating"
        if found != [0]:
            named = ",".join(f"{value:g}" for value in found)
            ways = f"say --missing {named} if these mean not rated, --missing none if they are ratings"
        raise FormatError(path, None, f"{meaning.shares(found)}: {ways}")
    if not counts and (told := meaning.counts()):
        raise FormatError(path, None, f"{told}: fit log(1 + count), or say --counts to fit them as they are")


def varied(path, ratings):
    """FormatError if all ratings are the same."""
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


def rated(path, table, told, drop_missing, tell, absent=()) -> tuple[dict, np.ndarray]:
    """The rows that have a rating, and the ratings as finite float64; those of `absent` are left out."""
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
    missing |= np.isin(values, absent)
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
    columns = columns[: len(fields)] if isinstance(columns, list) else columns
    if path.suffix in PACKED:
        tables, told = (_hdf5 if path.suffix in HDF5 else _parquet)(path, fields, columns)
    else:
        tables, told = text_pieces(path, fields, columns, encoding)
    return _named(path, fields[:2], tables, told), told


def columns_of(path, columns, encoding, times=False) -> dict[str, Column]:
    """The columns of a table of ratings by field, as tables of pairs and of new users have them too."""
    return pieces(path, (*FIELDS, "time") if times else FIELDS, columns, encoding)[1]


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


@contextlib.contextmanager
def _readable(path, kind):
    try:
        yield
    except (OSError, ValueError) as error:
        raise FormatError(path, None, f"is not {kind} that can be read ({error})") from None


def _hdf5(path, fields, columns):
    """Columns of an HDF5 file: datasets of one group, or fields of one dataset."""
    shapes, groups = {}, {}
    with _readable(path, "an HDF5 file"), open_h5(path) as file:
        file.visititems(lambda name, item: _gather(shapes, name, item))
    for name in shapes:
        groups.setdefault(name[:-1], []).append(name[-1])
    found = {g: _places(path, fields, names, columns) for g, names in groups.items()}
    whole = [group for group, places in found.items() if None not in places]
    if len(whole) > 1 and () not in whole:
        raise FormatError(path, None, f"has a table in each of {', '.join(map('/'.join, whole))}: keep one")
    if not whole:
        best = max(found.values(), key=lambda places: len(fields) - places.count(None), default=[None])
        held = ", ".join(f"{'/'.join(name)} {' × '.join(map(str, shape))}" for name, shape in shapes.items())
        raise FormatError(path, None, f"has no {fields[best.index(None)]}; it has {held or 'nothing'}")
    group = () if () in whole else whole[0]
    chosen = [(*group, groups[group][place]) for place in found[group]]

    def read():
        with _readable(path, "an HDF5 file"), open_h5(path) as file:
            return [_dataset(path, file, name) for name in chosen]

    return _columns(path, fields, chosen, read)


def _gather(shapes, name, item):
    """Note the shapes of a dataset, or of each of its fields; of nothing where there are no values."""
    if isinstance(item, h5py.Dataset) and item.shape is not None:
        parts = tuple(name.split("/"))
        shapes.update(
            {(*parts, field): item.shape for field in item.dtype.names or ()} or {parts: item.shape}
        )


def _dataset(path, file, name):
    """A dataset, or a field of one."""
    item = file.get("/".join(name))
    array = item[()] if item is not None else file["/".join(name[:-1])][name[-1]]
    if array.dtype.kind == "O" and not all(isinstance(value, bytes | str) for value in array.flat):
        raise FormatError(path, None, f"dataset '{'/'.join(name)}' holds neither numbers nor texts")
    return array


def _parquet(path, fields, columns):
    try:
        with _readable(path, "a Parquet file"):
            table = pd.read_parquet(path)
    except ImportError:
        told = "Parquet needs pyarrow, which projfree does not bring: install it, or where it is"
        raise FormatError(path, None, f"{told} {csv_of_parquet(path)}") from None
    places = _places(path, fields, list(table), columns)
    if None in places:
        field = fields[places.index(None)]
        raise FormatError(path, None, f"has no {field}; it has {', '.join(table) or 'nothing'}")
    names = [table.columns[place] for place in places]
    return _columns(path, fields, [(name,) for name in names], lambda: [table[n].to_numpy() for n in names])


def _places(path, fields, names, columns):
    wanted = columns if isinstance(columns, dict) else dict(zip(fields, columns or (), strict=False))
    return [place_of(path, field, names, wanted.get(field)) for field in fields]


def _columns(path, fields, names, read) -> tuple[Iterator[dict], dict]:
    """The fields from arrays that `read` gives, rows counted from 1; and the columns, by their names."""
    told = [Column(name[-1], k, f"dataset '{'/'.join(name)}'") for k, name in enumerate(names)]

    def tables():
        arrays = dict(zip(fields, map(np.asarray, read()), strict=True))
        if len({array.size for array in arrays.values()}) > 1 or any(
            a.size != max(a.shape, default=0) for a in arrays.values()
        ):
            shapes = {name: array.shape for name, array in arrays.items()}
            raise FormatError(path, None, f"columns of different shapes, or not one-dimensional: {shapes}")
        numbers = arrays.get("rating", np.zeros(0)).dtype.kind in "iufb"
        try:
            made = {
                n: a.ravel() if n == "rating" and numbers else _texts_of(a.ravel()) for n, a in arrays.items()
            }
        except UnicodeDecodeError as error:
            raise FormatError(path, None, f"holds texts that are not UTF-8 ({error})") from None
        yield made | {"line": np.arange(1, 1 + len(made["user"]))}

    return tables(), dict(zip(fields, told, strict=True))


def _texts_of(values) -> np.ndarray:
    return np.array([*map(text_of, values.tolist())], dtype=object)
