"""Prepared datasets as files, which generators draw from."""

from pathlib import Path

import numpy as np
from scipy import sparse

from projfree.common.atomic_io import atomic_h5, read_h5


def write(output: Path, X, y: np.ndarray | None, attrs: dict) -> None:
    """Write a prepared file atomically; without labels a CSR is ratings, whose columns are no features."""
    labelled = y is not None and y.dtype != bool
    arrays = {} if y is None else {"y" if labelled else "held_out": y}
    if labelled or not sparse.issparse(X):
        arrays |= {"minimum": _dense(X.min(axis=0)), "maximum": _dense(X.max(axis=0))}
    if sparse.issparse(X):
        arrays |= {"indptr": X.indptr, "indices": X.indices, "data": X.data}
        attrs = attrs | {"shape": X.shape}
    else:
        arrays["X"] = X
    with atomic_h5(output) as file:
        for key, array in arrays.items():
            file.create_dataset(key, data=array, track_times=False)
        file.attrs.update(attrs)


def _dense(row) -> np.ndarray:
    return np.asarray(row.todense() if sparse.issparse(row) else row, dtype=np.float32).ravel()


def load(path) -> dict:
    """A prepared file as a dictionary: X (array or CSR), attrs, and where it has them y, minimum, maximum,
    held_out.
    """
    with read_h5(path) as file:
        source = {key: file[key][...] for key in ("y", "minimum", "maximum", "held_out") if key in file}
        attrs = {
            key: value.item() if isinstance(value, np.generic) else value for key, value in file.attrs.items()
        }
        if "X" in file:
            source["X"] = file["X"][...]
        else:
            parts = tuple(file[key][...] for key in ("data", "indices", "indptr"))
            source["X"] = sparse.csr_matrix(parts, shape=tuple(attrs["shape"]))
    return source | {"attrs": attrs}
