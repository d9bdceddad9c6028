"""Fingerprint of a dataset's content: shape, non-zeros, labels, and a digest of its column sums."""

import hashlib

import numpy as np
from scipy import sparse

from referee.data import formats
from referee.data.catalog import Dataset
from referee.data.errors import IntegrityError, short


def fingerprint(X, y=None) -> dict:
    """Fingerprint of features (n, d) (dense or CSR) and integer labels (n,), ready for JSON; real targets
    are not counted.

    Without labels a CSR is a relation (ratings, a graph): its entries count as `nnz` even where they are 0,
    their values replace labels, and `used` tells how many rows and columns have an entry. If y is
    bool (nnz,) it marks entries, and their number is `held_out`.
    `column_sums` is the SHA-256 of the float64 column sums, written with six significant digits.
    """
    found = {
        "shape": [int(s) for s in X.shape],
        "nnz": int(np.count_nonzero(X.data if sparse.issparse(X) else X)),
        "column_sums": column_digest(X),
    }
    marked = y is not None and y.dtype == bool
    if y is not None and not marked:
        return found | (_label_counts(y) if y.dtype.kind in "iu" else {})
    if sparse.issparse(X):
        used = [int(np.count_nonzero(np.diff(X.indptr))), len(np.unique(X.indices))]
        found |= {"held_out": int(np.count_nonzero(y))} if marked else {}
        return found | {"nnz": int(X.nnz), "used": used} | _label_counts(X.data)
    return found


def _label_counts(labels: np.ndarray) -> dict:
    known, counts = np.unique(labels, return_counts=True)
    return {
        "classes": len(known),
        "class_sizes": [int(counts.min()), int(counts.max())],
        "labels": dict(zip(known.tolist(), counts.tolist(), strict=True)),
    }


def column_digest(X) -> str:
    """SHA-256 of the column sums in the form '%.5e' joined by newlines."""
    sums = np.asarray(X.sum(axis=0, dtype=np.float64)).ravel() + 0.0
    return hashlib.sha256("\n".join(f"{s:.5e}" for s in sums).encode()).hexdigest()


def check(expected: dict, found: dict, name: str) -> None:
    """Compare all catalogued (not null) entries; IntegrityError lists every difference."""
    wrong = [
        f"{key} is {short(found[key])}, expected {short(value)}"
        for key, value in expected.items()
        if value is not None and key in found and not _fits(key, value, found[key])
    ]
    if wrong:
        raise IntegrityError(f"the content is not {name}: " + "; ".join(wrong))


def _fits(key, expected, found) -> bool:
    """Equal, or one of the numbers of classes that sources name."""
    return found in expected if key == "classes" and isinstance(expected, list) else found == expected


def check_file(dataset: Dataset, path) -> None:
    """Read a file with the dataset's reader and compare its fingerprint with the catalog's."""
    X, y = formats.read(dataset.reader, path, **dataset.reader_params)
    check(dataset.fingerprint.plain(), fingerprint(X, y), dataset.name)
