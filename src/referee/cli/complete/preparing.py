"""From a table of ratings to blocks in a folder, with no more in memory than the ratings of some users."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd

from projfree.completion.prepared import Prepared
from projfree.completion.ratings import Ratings

from ...data.errors import FormatError
from .tables import FIELDS, in_order, pieces, rated, several, varied

USERS = 4096  # whose ratings are sorted together
SPILLED = np.dtype([("row", "i4"), ("col", "i4"), ("value", "f8"), ("line", "i8")])
SORTED = {"rows": np.int32, "cols": np.int32, "values": np.float32}


def prepare_ratings(
    path, folder, columns=None, duplicates="error", *, encoding="utf-8", drop_missing=False, tell=print
) -> Prepared:
    """What `read_ratings` reads, prepared in a folder.

    A text is read some lines at a time, and its ratings are sorted users by users in files beside; HDF5 and
    Parquet are read at once. Raises FormatError.
    """
    users, items = {}, {}
    with TemporaryDirectory(dir=folder) as scratch:
        scratch, lines = Path(scratch), 0
        tables, told = pieces(path, FIELDS, columns, encoding)
        for table in tables:
            lines += len(table["line"])
            table, values = rated(path, table, told, drop_missing, lambda text: None)
            places = (_numbered(known, table[n]) for known, n in ((users, "user"), (items, "item")))
            _spill(scratch, *places, values, table["line"])
        names = [np.array([*known], dtype=object) for known in (users, items)]
        parts = [_sorted(path, part, scratch, names, duplicates) for part in sorted(scratch.glob("[0-9]*"))]
        if not parts:
            raise FormatError(path, None, "holds no rating")
        several(path, *names)
        ratings = Ratings(*(np.memmap(scratch / n, kind, "r") for n, kind in SORTED.items()), *names)
        varied(path, ratings)
        left_out = lines - sum(parts)
        if left_out and drop_missing:
            tell(f"{left_out:,} of {lines:,} lines are left out: they have no rating")
        return Prepared.write(folder, ratings.blocks(), *names)


def _numbered(known: dict, texts) -> np.ndarray:
    """Numbers of texts in the order in which they were first seen."""
    codes, found = pd.factorize(texts)
    return np.array([known.setdefault(text, len(known)) for text in found], np.int32)[codes]


def _spill(scratch, rows, cols, values, lines):
    """Append ratings to the files of their users."""
    held = np.empty(len(rows), SPILLED)
    held["row"], held["col"], held["value"], held["line"] = rows, cols, values, lines
    for part in np.unique(rows // USERS):
        with open(scratch / f"{part:06d}", "ab") as file:
            file.write(held[rows // USERS == part].tobytes())


def _sorted(path, part, scratch, names, duplicates) -> int:
    """Append the ratings of some users to the sorted ones; how many lines they had."""
    held = np.fromfile(part, SPILLED)
    part.unlink()
    places = (held[field] for field in ("row", "col", "value", "line"))
    for name, array in zip(SORTED, in_order(path, *places, *names, duplicates), strict=True):
        with open(scratch / name, "ab") as file:
            file.write(array.tobytes())
    return len(held)
