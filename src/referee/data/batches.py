"""Gas sensor drift: batches of LIBSVM lines, `class 1:v … 128:v` or `class;concentration 1:v …`."""

import re
from pathlib import Path

import numpy as np

from referee.data.errors import FormatError
from referee.data.lines import member_blocks, number_fault

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
            if line.strip():
                try:
                    label, values = _row(line, target)
                except ValueError as error:
                    raise FormatError(name, number, str(error)) from None
                y.append(label)
                X.append(values)
    if not X:
        raise FormatError(path, None, "holds no rows")
    return np.array(X), np.array(y, dtype=np.int64 if target == "class" else np.float64)


def _row(line: bytes, target: str):
    """The target of a row, and its 128 values, every index in its place; ValueError with what is wrong."""
    label, *pairs = line.split()
    shown = label.decode(errors="replace")[:40]
    classed = re.fullmatch(rb"(\d{1,9})(?:;(.*))?", label)
    if not classed or not 1 <= int(classed[1]) <= CLASSES:
        raise ValueError(f"'{shown}' is not a class 1..{CLASSES}: the row is not labelled")
    if target == "concentration" and number_fault(classed[2] or b""):
        raise ValueError(f"'{shown}' has no concentration after the class")
    values = np.empty(FEATURES, dtype=np.float32)
    for place, pair in enumerate(pairs[:FEATURES]):
        index, colon, number = pair.partition(b":")
        shown = pair.decode(errors="replace")[:40]
        if index + colon != b"%d:" % (place + 1):
            raise ValueError(f"'{shown}' where {place + 1}:value is needed")
        if number_fault(number):
            raise ValueError(f"'{shown}' is not finite")
        values[place] = float(number)
    if len(pairs) != FEATURES:
        raise ValueError(f"{len(pairs)} values, expected {FEATURES}")
    return float(classed[2]) if target == "concentration" else int(classed[1]), values
