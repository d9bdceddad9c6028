"""What is subtracted from ratings before a matrix is fitted to them."""

import numpy as np

CENTRES = ("none", "global", "user", "item", "user-item")


def offsets(rows, cols, values, shape, centre: str) -> tuple[np.ndarray, np.ndarray]:
    """(row_offset, column_offset), float64 (users,) and (items,), from the observed ratings.

    `centre` is one of `CENTRES`: nothing; the mean of all; of the user; of the item; or the item's mean and
    the user's mean deviation from it. Without ratings the mean is the global one, the deviation 0.
    """
    row_offset, column_offset = np.zeros(shape[0]), np.zeros(shape[1])
    mean = values.mean(dtype=np.float64)
    if centre == "global":
        row_offset[:] = mean
    elif centre == "user":
        row_offset = _means(rows, values, shape[0], mean)
    elif centre in ("item", "user-item"):
        column_offset = _means(cols, values, shape[1], mean)
        if centre == "user-item":
            row_offset = _means(rows, values - column_offset[cols], shape[0], 0.0)
    return row_offset, column_offset


def _means(group: np.ndarray, values: np.ndarray, size: int, empty: float) -> np.ndarray:
    count = np.bincount(group, minlength=size)
    total = np.bincount(group, weights=values, minlength=size)
    return np.divide(total, count, out=np.full(size, empty), where=count > 0)
