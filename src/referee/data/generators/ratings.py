"""Ratings split at random into observed and held-out ones, and centred."""

from typing import Literal

import numpy as np
from scipy import sparse

from projfree.completion.centring import offsets
from projfree.completion.setting import OFFSETS
from referee.data.errors import DataError
from referee.data.sampling import distinct, exact


def generate(
    rng: np.random.Generator,
    *,
    source: dict,
    held_out: float | Literal["official"] = 0.25,
    observed: int | None = None,
    centre: Literal[*OFFSETS] = "global",
    dtype: Literal["float32", "float64"] = "float64",
) -> dict[str, np.ndarray]:
    """Observed and held-out ratings of a prepared ratings dataset (a stored 0 is a rating).

    The held-out ones are any, each set of that size equally likely: a user or an item may lose all its
    ratings. The offset of entry (i, j) is row_offset[i] + column_offset[j], computed from observed ratings
    only and subtracted from both parts: a prediction is the matrix plus the offset.

    Parameters
    ----------
    source : prepared dataset with X, CSR (users, items), without labels.
    held_out : share of all ratings (exact to rounding), or their number if 1 or more; or 'official', those
        that the dataset itself holds out.
    observed : number of observed ratings, if not all the others (the paper's table leaves some unused).
    centre : what the offset is: 'none'; the mean of all ('global'), of the user, of the item; or the item's
        mean and the user's mean deviation from it ('user-item'). Without ratings the mean is the global one,
        the deviation 0.
    dtype : of the values.

    Returns
    -------
    rows, cols int32 and values (n_obs,), test_rows, test_cols, test_values (n_test,) alike, both in row-major
    order; shape int64 (2,); row_offset float64 (users,), column_offset float64 (items,).
    """
    X = (source or {}).get("X")
    if not sparse.issparse(X) or "y" in source:
        raise DataError("the source of generator 'ratings' must be a ratings dataset")
    train, test = _official(source) if held_out == "official" else _split(rng, X.nnz, held_out, observed)
    rows = np.repeat(np.arange(X.shape[0], dtype=np.int32), np.diff(X.indptr))
    i, j, values = rows[train], X.indices[train], X.data[train].astype(dtype)
    test_i, test_j, test_values = rows[test], X.indices[test], X.data[test].astype(dtype)
    row_offset, column_offset = offsets(i, j, values, X.shape, centre)
    for part, at, across in ((values, i, j), (test_values, test_i, test_j)):
        part -= (row_offset[at] + column_offset[across]).astype(dtype)
    return {
        "rows": i,
        "cols": j,
        "values": values,
        "shape": np.array(X.shape),
        "test_rows": test_i,
        "test_cols": test_j,
        "test_values": test_values,
        "row_offset": row_offset,
        "column_offset": column_offset,
    }


def _official(source) -> tuple[np.ndarray, np.ndarray]:
    if "held_out" not in source:
        raise DataError("this ratings dataset holds nothing out itself; held_out must be a share or a number")
    return np.flatnonzero(~source["held_out"]), np.flatnonzero(source["held_out"])


def _split(rng, total: int, held_out: float, observed: int | None) -> tuple[np.ndarray, np.ndarray]:
    """Places of the observed and of the held-out ratings, increasing."""
    held = int(held_out) if held_out >= 1 else exact(held_out, total, "held_out")
    remaining = total - held if observed is None else observed
    if remaining < 1 or held + remaining > total:
        raise DataError(f"{total} ratings cannot be split into {remaining} observed and {held} held out")
    used = distinct(rng, total, held + remaining)
    is_test = np.zeros(len(used), dtype=bool)
    is_test[distinct(rng, len(used), held)] = True
    return used[~is_test], used[is_test]
