"""Tables of ratings and of pairs in the forms that people have; complaints name the file and the line."""

import re
from io import BytesIO
from pathlib import Path

import h5py
import numpy as np
import pandas as pd

from ..completion.ratings import Ratings
from ..data.errors import FormatError
from ..data.lines import line_blocks
from ..ground.outside import open_h5

FIELDS = ("user", "item", "rating")
ALIASES = {
    "user": {"user", "userid", "user_id", "customer", "customerid"},
    "item": {"item", "itemid", "item_id", "movie", "movieid", "movie_id", "product", "artist", "song"},
    "rating": {"rating", "score", "stars", "value"},
}
SEPARATORS = ("::", "\t", ";", ",", "|", " ")
DUPLICATES = ("error", "last", "mean")
NUMBER = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*")
HDF5, PARQUET = (".h5", ".hdf5"), (".parquet", ".pq")


def read_ratings(path, columns=None, duplicates: str = "error") -> Ratings:
    """Ratings from text (comma, tab, semicolon, ::, … separated, packed or not), HDF5 or Parquet.

    Parameters
    ----------
    columns : names or numbers (from 1) of user, item and rating; by default told by the header, else the
        first three.
    duplicates : what a second rating of an item by the same user is: 'error'; or the 'last' counts, or the
        'mean'.

    Raises
    ------
    FormatError
    """
    frame = _read(path, FIELDS, columns)
    values = _numbers(path, frame)
    rows, users = pd.factorize(frame["user"])
    cols, items = pd.factorize(frame["item"])
    for what, ids in (("user", users), ("item", items)):
        if len(ids) < 2:
            raise FormatError(path, None, f"only one {what}, {ids[0]!r}: nothing to complete")
    order = np.lexsort((frame["line"], cols, rows))
    rows, cols, values = rows[order].astype(np.int32), cols[order].astype(np.int32), values[order]
    again = np.flatnonzero((np.diff(rows) == 0) & (np.diff(cols) == 0)) + 1
    if len(again) and duplicates == "error":
        at = again[np.argmin(frame["line"].to_numpy()[order[again]])]
        pair = f"user {users[rows[at]]!r} rates item {items[cols[at]]!r} again"
        raise FormatError(path, int(frame["line"].iloc[order[at]]), f"{pair} (see --duplicates)")
    if len(again):
        rows, cols, values = _merged(rows, cols, values, again, duplicates)
    if values.min() == values.max():
        raise FormatError(path, None, f"all ratings are {values[0]:g}: nothing to complete")
    return Ratings(rows, cols, values.astype(np.float32), np.asarray(users, str), np.asarray(items, str))


def read_pairs(path, columns=None) -> pd.DataFrame:
    """Pairs to predict: texts ``user`` and ``item`` in the order of the file; forms as for ratings."""
    return _read(path, FIELDS[:2], columns)[["user", "item"]]


def _merged(rows, cols, values, again, duplicates):
    """One rating a pair: the last in the file, or the mean."""
    first = np.ones(len(rows), dtype=bool)
    first[again] = False
    starts = np.flatnonzero(first)
    ends = np.append(starts[1:], len(rows))
    kept = values[ends - 1] if duplicates == "last" else np.add.reduceat(values, starts) / (ends - starts)
    return rows[first], cols[first], kept


def _numbers(path, frame) -> np.ndarray:
    """Ratings as finite float64."""
    ratings = frame["rating"]
    if ratings.dtype.kind in "iufb":
        values = ratings.to_numpy(np.float64)
    else:
        values = pd.to_numeric(ratings, errors="coerce").to_numpy(np.float64)
    if not np.isfinite(values).all():
        bad = int(np.argmin(np.isfinite(values)))
        raise FormatError(path, int(frame["line"].iloc[bad]), f"rating '{ratings.iloc[bad]}' is not a number")
    return values


def _read(path, fields, columns) -> pd.DataFrame:
    """Columns of the fields, and ``line``, in the order of the file."""
    path = Path(path)
    if columns is not None and len(columns) < len(fields):
        raise FormatError(path, None, f"columns must name {', '.join(fields)}; given: {', '.join(columns)}")
    columns = None if columns is None else list(columns)[: len(fields)]
    if path.suffix in HDF5:
        frame = _hdf5(path, fields, columns)
    elif path.suffix in PARQUET:
        frame = _parquet(path, fields, columns)
    else:
        frame = pd.concat(_texts(path, fields, columns) or [pd.DataFrame()], ignore_index=True)
    if frame.empty:
        raise FormatError(path, None, "holds no rows")
    for name in fields[:2]:
        empty = np.flatnonzero(frame[name] == "")
        if len(empty):
            raise FormatError(path, int(frame["line"].iloc[empty[0]]), f"the {name} is empty")
    return frame


# --- text -------------------------------------------------------------------------------------------------


def _texts(path, fields, columns):
    """Frames of the blocks of a text file."""
    found, layout = [], None
    for first, block in line_blocks(path):
        lines = block.replace(b"\r\n", b"\n")
        skip = 0
        if layout is None:
            head = next((line for line in lines.split(b"\n") if line.strip()), None)
            if head is None:
                continue
            layout = _layout(path, head.decode(errors="replace"), fields, columns)
            skip = lines.split(b"\n").index(head) + 1 if layout[2] else 0
        frame = _block(path, first, lines, skip, layout, fields)
        if len(frame):
            found.append(frame)
    return found


def _layout(path, head: str, fields, columns):
    """(separator, places of the fields, whether the first line is a header) from the first line."""
    separator = next((s for s in SEPARATORS if len(head.split(s)) >= len(fields)), None)
    if separator is None:
        what = f"no {', '.join(fields)} with a separator between them (comma, tab, ::, …)"
        raise FormatError(path, 1, f"{what} in '{head[:40]}'")
    cells = [cell.strip().strip('"') for cell in head.split(separator)]
    known = [cell.lower() for cell in cells]
    names = [next((k for k, cell in enumerate(known) if cell in ALIASES[field]), None) for field in fields]
    places = names if None not in names else list(range(len(fields)))
    if columns is not None:
        places = [_place(path, column, cells) for column in columns]
    named = columns is not None and any(not column.isdigit() for column in columns)
    rated = len(fields) > 2 and not NUMBER.fullmatch(cells[places[2]])
    return separator, places, named or rated or None not in names


def _place(path, column: str, cells) -> int:
    if column.isdigit() and 1 <= int(column) <= len(cells):
        return int(column) - 1
    if column not in cells:
        raise FormatError(path, 1, f"has no column '{column}'; it has {', '.join(cells)} (1 to {len(cells)})")
    return cells.index(column)


def _block(path, first, block: bytes, skip: int, layout, fields) -> pd.DataFrame:
    """One block of lines; blank lines are left out."""
    separator, places, _ = layout
    lines = block.split(b"\n")[skip:-1]
    kept = [number for number, line in enumerate(lines) if line.strip()]
    text = b"\n".join(lines[number] for number in kept).replace(separator.encode(), b"\x1f")
    at = np.array(kept, dtype=np.int64) + first + skip
    if not kept:
        return pd.DataFrame()
    width = lines[kept[0]].replace(separator.encode(), b"\x1f").count(b"\x1f") + 1
    counts = np.array([line.count(b"\x1f") for line in text.split(b"\n")]) + 1
    short = np.flatnonzero(counts <= max(places))
    if len(short):
        what = f"{counts[short[0]]} fields, expected {', '.join(fields)}"
        shown = lines[kept[short[0]]].decode(errors="replace")[:60]
        raise FormatError(path, int(at[short[0]]), f"{what}: '{shown}'")
    frame = _parsed(text, max(width, counts.max()), places, fields)
    return frame.assign(line=at)


def _parsed(text: bytes, width: int, places, fields) -> pd.DataFrame:
    frame = pd.read_csv(
        BytesIO(text + b"\n"),
        sep="\x1f",
        header=None,
        names=range(width),
        usecols=sorted(set(places)),
        dtype=str,
        na_filter=False,
        lineterminator="\n",
        quoting=3,
        encoding_errors="replace",
    )
    return pd.DataFrame(
        {field: frame[place].str.strip().str.strip('"') for field, place in zip(fields, places, strict=True)}
    )


# --- HDF5 and Parquet ---------------------------------------------------------------------------------------


def _hdf5(path, fields, columns) -> pd.DataFrame:
    """Datasets of one length at the top of an HDF5 file."""
    try:
        with open_h5(path) as file:
            arrays = {name: item[()] for name, item in file.items() if isinstance(item, h5py.Dataset)}
    except (OSError, ValueError) as error:
        raise FormatError(path, None, f"is not an HDF5 file that can be read ({error})") from None
    return _columns(path, arrays, fields, columns)


def _parquet(path, fields, columns) -> pd.DataFrame:
    try:
        table = pd.read_parquet(path)
    except ImportError:
        way = f"python -c \"import pandas; pandas.read_parquet('{path.name}').to_csv('{path.stem}.csv')\""
        raise FormatError(
            path,
            None,
            f"Parquet needs pyarrow, which projfree does not bring: install it, or where it is: {way}",
        ) from None
    except (OSError, ValueError) as error:
        raise FormatError(path, None, f"is not a Parquet file that can be read ({error})") from None
    return _columns(path, {name: table[name].to_numpy() for name in table}, fields, columns)


def _columns(path, arrays, fields, columns) -> pd.DataFrame:
    """The fields from named arrays; rows count from 1."""
    found = {}
    for k, field in enumerate(fields):
        wanted = {columns[k].lower()} if columns else ALIASES[field]
        name = next((name for name in arrays if name.lower() in wanted), None)
        if name is None:
            raise FormatError(path, None, f"has no {field}; it has {', '.join(arrays) or 'nothing'}")
        found[field] = np.asarray(arrays[name])
    lengths = {name: array.shape for name, array in found.items()}
    if len(set(lengths.values())) > 1 or any(array.ndim != 1 for array in found.values()):
        raise FormatError(path, None, f"columns of different shapes: {lengths}")
    made = {name: array if name == "rating" else _texts_of(array) for name, array in found.items()}
    return pd.DataFrame(made).assign(line=np.arange(1, len(found["user"]) + 1))


def _texts_of(ids) -> list[str]:
    return [i.decode() if isinstance(i, bytes) else str(i) for i in ids.tolist()]
