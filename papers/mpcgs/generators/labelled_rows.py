"""Rows of a multi-class dataset as a problem sees them: scaled, labels from 0, a part held out."""

from typing import Annotated, Literal

import numpy as np
from scipy import sparse

from projfree.common.parameters import Range
from referee.data.errors import DataError

from .text_rows import unit_rows


def generate(
    rng: np.random.Generator,
    *,
    source: dict,
    rows: int | None = None,
    scaling: Literal["unit", "raw", "tf-idf"] = "unit",
    held_out: Annotated[float, Range(least=0, below=1)] = 0.0,
) -> dict[str, np.ndarray]:
    """All rows, or a random subset, of a prepared dataset.

    Parameters
    ----------
    source : prepared dataset with X (n, d) sparse or dense and y (n,), labels of any kind.
    rows : size of the random subset (order kept); all by default.
    scaling : ``unit``, rows of norm 1; ``raw``; ``tf-idf``, for counts: (1 + ln value)·ln(n/df) in rows of
        norm 1, df the document frequency.
    held_out : share of the rows of each class that is kept for testing.

    Returns
    -------
    ``indptr, indices, data, shape, labels`` and with prefix ``test_`` those held out; ``classes``.
    """
    matrix = sparse.csr_matrix(source["X"], dtype=np.float64)
    known, labels = np.unique(source["y"], return_inverse=True)
    if rows is not None:
        if not 0 < rows <= matrix.shape[0]:
            raise DataError(f"{rows} rows of {matrix.shape[0]} are asked for")
        chosen = np.sort(rng.choice(matrix.shape[0], rows, replace=False))
        matrix, labels = matrix[chosen], labels[chosen]
    matrix = _scaled(matrix, scaling)
    test = _held_out(rng, labels, held_out)
    arrays = {**_csr(matrix[~test], labels[~test]), "classes": np.int64(known.size)}
    if test.any():
        arrays |= {f"test_{key}": value for key, value in _csr(matrix[test], labels[test]).items()}
    return arrays


def _scaled(matrix, scaling):
    if scaling == "raw":
        return matrix
    if scaling == "tf-idf":
        if matrix.nnz and matrix.data.min() <= 0:
            raise DataError("scaling 'tf-idf' is for counts; the data has values ≤ 0")
        frequency = np.bincount(matrix.indices, minlength=matrix.shape[1])
        inverse = np.log(matrix.shape[0] / np.maximum(frequency, 1))
        matrix.data = (1 + np.log(np.maximum(matrix.data, 1.0))) * inverse[matrix.indices]
    return unit_rows(matrix)


def _held_out(rng, labels, share):
    """Which rows are held out: of each class ⌊share·size⌋, at random."""
    test = np.zeros(labels.size, dtype=bool)
    for label in np.unique(labels) if share else ():
        members = np.flatnonzero(labels == label)
        test[rng.choice(members, int(share * members.size), replace=False)] = True
    return test


def _csr(matrix, labels):
    return {
        "indptr": matrix.indptr.astype(np.int64),
        "indices": matrix.indices.astype(np.int32),
        "data": matrix.data,
        "shape": np.array(matrix.shape),
        "labels": labels.astype(np.int64),
    }
