"""Ratings as arrays, with the names of users and items."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Ratings:
    """Ratings in row-major order, no pair twice.

    Attributes
    ----------
    rows, cols : int32 (n,), places in `users` and `items`, the ids as texts in the order of their first line.
    values : float32 (n,)
    """

    rows: np.ndarray
    cols: np.ndarray
    values: np.ndarray
    users: np.ndarray
    items: np.ndarray

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.users), len(self.items)

    @property
    def scale(self) -> tuple[float, float]:
        """Least and greatest rating."""
        return float(self.values.min()), float(self.values.max())
