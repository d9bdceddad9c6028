"""LIBSVM text: ``label index:value index:value …``, indices from 1, increasing."""

import re
from io import BytesIO
from pathlib import Path

import numpy as np
from scipy import sparse

from referee.data.errors import FormatError
from referee.data.lines import line_blocks
from referee.data.numbers import EXACT, LARGEST, NUMBER, blame, number_fault

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
