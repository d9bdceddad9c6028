"""Gas sensor drift: batches of LIBSVM lines, `class 1:v … 128:v` or `class;concentration 1:v …`."""

import re
from pathlib import Path

import numpy as np

from referee.data.errors import FormatError
from referee.data.lines import member_blocks

PATTERNS = ("batch*.dat", "batch*.dat.gz")
FEATURES = 128
CLASSES = 6


def batches(path: Path | str, *, target: str = "class"):
    """All batches of a folder, an archive, or one file: X float32 (n, 128) and the target.

    Parameters
    ----------
    target : {"class", "concentration"}
        The class 1..6 (int64), or the concentration in ppmv (float64) where the lines have it.

    Raises
    ------
    FormatError naming file and line.
    """
    if target not in ("class", "concentration"):
        raise ValueError(f"unknown target '{target}'; known: class, concentration")
    X, y = [], []
    for name, first, block in member_blocks(path, PATTERNS):
        for number, line in enumerate(block.split(b"\n"), first):
            if fields := line.split():
                try:
                    y.append(_target(fields[0], target))
                    X.append(_values(fields[1:]))
                except ValueError as error:
                    raise FormatError(name, number, str(error)) from None
    if not X:
        raise FormatError(path, None, "holds no rows")
    return np.array(X), np.array(y, dtype=np.int64 if target == "class" else np.float64)


def _target(field, target):
    """The class or the concentration at the start of a row; ValueError with what is wrong."""
    label, _, concentration = field.partition(b";")
    if not (re.fullmatch(rb"\d{1,9}", label) and 1 <= int(label) <= CLASSES):
        raise ValueError(f"'{_shown(label)}' is not a class 1..{CLASSES}: the row is not labelled")
    if target == "class":
        return int(label)
    if not np.isfinite(value := _number(concentration)):
        raise ValueError(f"'{_shown(field)}' has no concentration after the class")
    return value


def _values(fields):
    """The 128 values of a row, every index in its place; ValueError with what is wrong."""
    values = np.full(FEATURES, np.nan, dtype=np.float32)
    for place, field in enumerate(fields[:FEATURES]):
        index, colon, number = field.partition(b":")
        if not colon or index != b"%d" % (place + 1):
            raise ValueError(f"'{_shown(field)}' where {place + 1}:value is needed")
        values[place] = _number(number)
        if not np.isfinite(values[place]):
            raise ValueError(f"'{_shown(field)}' is not finite")
    if len(fields) != FEATURES:
        raise ValueError(f"{len(fields)} values, expected {FEATURES}")
    return values


def _number(text):
    try:
        return np.nan if b"_" in text else float(text)
    except ValueError:
        return np.nan


def _shown(field):
    return field.decode(errors="replace")[:40]
