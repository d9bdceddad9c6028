"""The offsets subtracted from ratings before a matrix is fitted to them."""

import numpy as np


def offsets(rows, cols, values, shape, centre: str) -> tuple[np.ndarray, np.ndarray]:
    """(row_offset, column_offset), float64 (users,) and (items,), from the observed ratings.

    `centre` is one of `setting.OFFSETS`: nothing; the mean of all; of the user; of the item; or the
    item's mean and the user's mean deviation from it. Without ratings the mean is the global one, the
    deviation 0.
    """

    def sums(row_offset, column_offset):
        left = values - row_offset[rows] - column_offset[cols]
        return np.bincount(rows, left, shape[0]), np.bincount(cols, left, shape[1])

    counts = np.bincount(rows, minlength=shape[0]), np.bincount(cols, minlength=shape[1])
    return offsets_by_sums(sums, counts, values.mean(dtype=np.float64), centre)


def offsets_by_sums(sums, counts, mean: float, centre: str) -> tuple[np.ndarray, np.ndarray]:
    """The same, from the numbers of ratings by user and item, and a function of (row_offset, column_offset).

    It gives the sums of the ratings less these, by user and by item.
    """
    row_offset, column_offset = (np.zeros(len(count)) for count in counts)
    if centre == "global":
        row_offset[:] = mean
    elif centre == "user":
        row_offset = _means(sums(row_offset, column_offset)[0], counts[0], mean)
    elif centre in ("item", "user-item"):
        column_offset = _means(sums(row_offset, column_offset)[1], counts[1], mean)
        if centre == "user-item":
            row_offset = _means(sums(row_offset, column_offset)[0], counts[0], 0.0)
    return row_offset, column_offset


def _means(total, count, empty: float) -> np.ndarray:
    return np.divide(total, count, out=np.full(len(total), empty), where=count > 0)
