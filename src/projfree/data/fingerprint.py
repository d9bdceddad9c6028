"""What a dataset's content must look like: shape, non-zeros, labels, and a digest of its column sums."""

import hashlib

import numpy as np
from scipy import sparse

from projfree.data import formats
from projfree.data.catalog import Dataset
from projfree.data.errors import IntegrityError


def fingerprint(X, y) -> dict:
    """Fingerprint of features (n, d) (dense or CSR) and integer labels (n,), ready for JSON.

    `column_sums` is the SHA-256 of the float64 column sums, written with six significant digits.
    """
    labels, counts = np.unique(y, return_counts=True)
    nonzeros = np.count_nonzero(X.data) if sparse.issparse(X) else np.count_nonzero(X)
    return {
        "shape": [int(s) for s in X.shape],
        "nnz": int(nonzeros),
        "classes": len(labels),
        "class_sizes": [int(counts.min()), int(counts.max())],
        "labels": {int(label): int(count) for label, count in zip(labels, counts, strict=True)},
        "column_sums": column_digest(X),
    }


def column_digest(X) -> str:
    """SHA-256 of the column sums in the form '%.5e' joined by newlines."""
    sums = np.asarray(X.sum(axis=0, dtype=np.float64)).ravel() + 0.0
    return hashlib.sha256("\n".join(f"{s:.5e}" for s in sums).encode()).hexdigest()


def check(expected: dict, found: dict, name: str) -> None:
    """Compare all catalogued (not null) entries; IntegrityError lists every difference."""
    wrong = [
        f"{key} is {_short(found[key])}, expected {_short(value)}"
        for key, value in expected.items()
        if value is not None and key in found and value != found[key]
    ]
    if wrong:
        raise IntegrityError(f"the content is not {name}: " + "; ".join(wrong))


def _short(value) -> str:
    text = str(value)
    return text if len(text) <= 120 else text[:117] + "…"


def check_file(dataset: Dataset, path) -> None:
    """Read a file with the dataset's reader and compare its fingerprint with the catalog's."""
    X, y = formats.read(dataset.reader, path, **dataset.reader_params)
    check(dataset.fingerprint, fingerprint(X, y), dataset.name)
