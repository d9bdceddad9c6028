"""Text tables: one row a line, a fixed number of columns, or LIBSVM's ``label index:value …``."""

import contextlib
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
    at = {"last": -1, "first": 0}[target]
    rows = _rows(path, features, separator)
    return _joined(path, [(np.delete(v, at, axis=1).astype(np.float32), v[:, at].copy()) for *_, v in rows])


def table(path: Path | str, *, features: int, separator: str = ",", integers: bool = False, labels=None):
    """A text table of `features` numbers and a label per line (UCI style).

    `integers` demands whole numbers throughout; `labels` = (lowest, highest) allowed label.
    Raises FormatError naming file and line.
    """
    (low, high), parts = labels or (-EXACT, EXACT), []
    for first, block, values in _rows(path, features, separator):
        X, y = values[:, :-1], values[:, -1]
        bad = (y != np.rint(y)) | (y < low) | (y > high)
        if integers:
            bad |= ((np.rint(X) != X) | (np.abs(X) > EXACT)).any(axis=1)
        if bad.any():
            row = int(np.argmax(bad))
            what = f"a label in {low}..{high} is needed last" + ", whole numbers before it" * integers
            line = first + [i for i, line in enumerate(block.split(b"\n")) if line.strip()][row]
            raise FormatError(path, line, f"{what}; row is {values[row].tolist()[-6:]} at its end")
        parts.append((X.astype(np.float32), y.astype(np.int64)))
    return _joined(path, parts)


def _joined(path, parts, join=np.concatenate):
    """Features and labels of all blocks."""
    if not parts:
        raise FormatError(path, None, "holds no rows")
    X, y = zip(*parts, strict=True)
    return join(X), np.concatenate(y)


def _rows(path, features, separator: str):
    """(first line, text, values) of each block of a table of finite numbers, a label or target among them."""
    delimiter, columns = separator.strip() or None, features + 1

    def fault(line):
        fields = line.split(delimiter and delimiter.encode())
        if len(fields) != columns:
            return f"{len(fields)} fields, expected {features} features and a label"
        return next((reason for f in fields if (reason := number_fault(f.strip()))), None)

    for first, block in line_blocks(path):
        values = None
        if block.strip() and not block.translate(None, b"0123456789+-.eE \t\r\n" + separator.encode()):
            with contextlib.suppress(ValueError):
                values = np.loadtxt(BytesIO(block), delimiter=delimiter, comments=None, ndmin=2)
        if values is None or values.shape[1] != columns or not (np.abs(values) < LARGEST).all():
            blame(path, first, block, fault)
        yield first, block, values


PAIR = re.compile(rb"(\d{1,18}):(" + NUMBER + rb")")


def libsvm(path: Path | str, *, features: int, dense: bool = False):
    """A LIBSVM multi-class file; columns counted from 1 in the file, from 0 in X.

    `features` columns whatever occurs; `dense` returns an array instead of CSR (32-bit indices). Raises
    FormatError naming file and line.
    """
    from sklearn.datasets import load_svmlight_file  # takes a second to load

    parts = []
    for first, block in line_blocks(path):
        fits = not block.translate(None, b"0123456789+-.eE: \t\r\n")
        if fits:
            options = {"n_features": features, "dtype": np.float64, "zero_based": False}
            try:
                X, y = load_svmlight_file(BytesIO(block), **options)
                inside = not X.nnz or (X.indices.min() >= 0 and X.indices.max() < features)
                fits = inside and (not X.nnz or np.abs(X.data).max() < LARGEST)
                fits &= bool((np.abs(y) <= EXACT).all() and (y == np.rint(y)).all())
            except (ValueError, OverflowError):
                fits = False
        if not fits:
            blame(path, first, block, lambda line: _libsvm_fault(line, features))
        if len(y):
            X = X.astype(np.float32)
            parts.append((X.toarray() if dense else X, y.astype(np.int64)))
    return _joined(path, parts, np.concatenate if dense else lambda X: sparse.vstack(X, format="csr"))


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
