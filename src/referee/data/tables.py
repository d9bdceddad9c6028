"""Text tables: one row a line, a fixed number of columns, or LIBSVM's ``label index:value …``."""

import re
import zipfile
from io import BytesIO
from pathlib import Path

import numpy as np
from scipy import sparse

from referee.data.arrays import npz
from referee.data.errors import FormatError
from referee.data.lines import EXACT, LARGEST, NUMBER, blame, line_blocks, number_fault


def regression(path: Path | str, *, features: int, target: str = "last", separator: str = ","):
    """Features and a real target: a NumPy archive (X, y), or a text table with the target first or last.

    Raises FormatError naming file and line. Memory is that of the result and one block.
    """
    if zipfile.is_zipfile(path):
        X, y = npz(path)
        if X.shape[1] != features:
            raise FormatError(path, None, f"rows have {X.shape[1]} features, expected {features}")
        return X, y
    X, y = [], []
    for first, block in line_blocks(path):
        values = _numbers(block, features + 1, separator.encode())
        if values is None:
            blame(path, first, block, lambda line: _table_fault(line, features, separator.encode()))
        split = {"last": (values[:, :-1], values[:, -1]), "first": (values[:, 1:], values[:, 0])}[target]
        X.append(split[0].astype(np.float32))
        y.append(split[1].copy())
    if not X:
        raise FormatError(path, None, "holds no rows")
    return np.concatenate(X), np.concatenate(y)


def table(path: Path | str, *, features: int, separator: str = ",", integers: bool = False, labels=None):
    """A text table of `features` numbers and a label per line (UCI style).

    `integers` demands whole numbers throughout; `labels` = (lowest, highest) allowed label.
    Raises FormatError naming file and line.
    """
    blocks = [
        _table_block(path, first, block, features, separator.encode(), integers, labels)
        for first, block in line_blocks(path)
    ]
    if not blocks:
        raise FormatError(path, None, "holds no rows")
    return np.concatenate([x for x, _ in blocks]), np.concatenate([y for _, y in blocks])


def _table_block(path, first, block, features, separator, integers, labels):
    values = _numbers(block, features + 1, separator)
    if values is None:
        blame(path, first, block, lambda line: _table_fault(line, features, separator))
    X, y = values[:, :-1], values[:, -1]
    low, high = labels or (-EXACT, EXACT)
    bad = (y != np.rint(y)) | (y < low) | (y > high)
    if integers:
        bad |= ((np.rint(X) != X) | (np.abs(X) > EXACT)).any(axis=1)
    if bad.any():
        row = int(np.argmax(bad))
        what = f"a label in {low}..{high} is needed last" + (", whole numbers before it" if integers else "")
        raise FormatError(
            path, _line_of_row(first, block, row), f"{what}; row is {values[row].tolist()[-6:]} at its end"
        )
    return X.astype(np.float32), y.astype(np.int64)


def _numbers(block: bytes, columns: int, separator: bytes) -> np.ndarray | None:
    """The block as float64 (lines, columns), or None if a line is not `columns` finite numbers."""
    if not block.strip() or block.translate(None, b"0123456789+-.eE \t\r\n" + separator):
        return None
    delimiter = separator.decode() if separator.strip() else None
    try:
        values = np.loadtxt(BytesIO(block), delimiter=delimiter, comments=None, ndmin=2)
    except ValueError:
        return None
    return values if values.shape[1] == columns and (np.abs(values) < LARGEST).all() else None


def _line_of_row(first: int, block: bytes, row: int) -> int:
    filled = [i for i, line in enumerate(block.split(b"\n")) if line.strip()]
    return first + filled[row]


def _table_fault(line: bytes, features: int, separator: bytes) -> str | None:
    fields = line.split(separator) if separator.strip() else line.split()
    if len(fields) != features + 1:
        return f"{len(fields)} fields, expected {features} features and a label"
    return next((reason for f in fields if (reason := number_fault(f.strip()))), None)


PAIR = re.compile(rb"(\d{1,18}):(" + NUMBER + rb")")


def libsvm(path: Path | str, *, features: int, dense: bool = False):
    """A LIBSVM multi-class file; columns counted from 1 in the file, from 0 in X.

    `features` columns whatever occurs; `dense` returns an array instead of CSR (32-bit indices). Raises
    FormatError naming file and line.
    """
    blocks = [_libsvm_block(path, first, block, features, dense) for first, block in line_blocks(path)]
    blocks = [(X, y) for X, y in blocks if len(y)]
    if not blocks:
        raise FormatError(path, None, "holds no rows")
    X = [x for x, _ in blocks]
    return np.concatenate(X) if dense else sparse.vstack(X, format="csr"), np.concatenate(
        [y for _, y in blocks]
    )


def _libsvm_block(path, first, block, features, dense):
    def fault(line):
        return _libsvm_fault(line, features)

    if block.translate(None, b"0123456789+-.eE: \t\r\n"):
        blame(path, first, block, fault)
    from sklearn.datasets import load_svmlight_file  # takes a second to load

    try:
        X, y = load_svmlight_file(BytesIO(block), n_features=features, dtype=np.float64, zero_based=False)
    except (ValueError, OverflowError):
        blame(path, first, block, fault)
    in_range = not X.nnz or (
        X.indices.min() >= 0 and X.indices.max() < features and np.abs(X.data).max() < LARGEST
    )
    if not in_range or not (np.abs(y) <= EXACT).all() or (y != np.rint(y)).any():
        blame(path, first, block, fault)
    X = X.astype(np.float32)
    return (X.toarray() if dense else X), y.astype(np.int64)


def _libsvm_fault(line: bytes, features: int) -> str | None:
    label, *pairs = line.split()
    if not re.fullmatch(rb"[+-]?\d+(\.0*)?(e[+-]?\d+)?", label) or abs(float(label)) > EXACT:
        return f"label '{label.decode(errors='replace')[:40]}' is not a whole number"
    before = 0
    for pair in pairs:
        match = PAIR.fullmatch(pair)
        if not match:
            return f"'{pair.decode(errors='replace')[:40]}' is not index:value with a finite value"
        index = int(match[1])
        if not before < index <= features:
            return f"index {index} after {before}; indices must increase within 1..{features}"
        if reason := number_fault(match[2]):
            return reason
        before = index
    return None
