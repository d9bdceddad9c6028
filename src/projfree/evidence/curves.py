"""One run's metric against seconds or oracle calls, and what claims ask of it."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

#: A run ends just after its budget; its last record counts at t_end if it overran by less than this factor.
GRACE = 1.01
TINY = 1e-300


@dataclass(frozen=True)
class Curve:
    """A metric's records, smaller being better; a record holds until the next one.

    Attributes
    ----------
    x : (T,) array
        CPU seconds or a cumulative oracle count, non-decreasing.
    value : (T,) array
        The metric, without NaN.
    """

    x: np.ndarray
    value: np.ndarray

    def __post_init__(self):
        if not len(self.x) or len(self.x) != len(self.value):
            raise ValueError(
                f"a curve needs as many x as values and at least one: {len(self.x)}, {len(self.value)}"
            )

    @cached_property
    def best(self) -> np.ndarray:
        """Running best (T,)."""
        return np.minimum.accumulate(self.value)

    @property
    def initial(self) -> float:
        """The value at the start."""
        return float(self.value[0])

    @property
    def final(self) -> float:
        """The last value, which need not be the best."""
        return float(self.value[-1])

    def first(self, level: float) -> float:
        """T: the first x at which the running best is ≤ `level`; ∞ if never."""
        reached = np.flatnonzero(self.value <= level)
        return float(self.x[reached[0]]) if reached.size else np.inf

    def at(self, x: float) -> float:
        """B: the running best by the last record at or before `x` (by `GRACE`)."""
        return float(self.best[self._last(x)])

    def current(self, x: float) -> float:
        """The value itself, which need not be the best, at the last record at or before `x`."""
        return float(self.value[self._last(x)])

    def means(self, end: float, windows: int, skip_zero: bool = False) -> np.ndarray:
        """Means (windows,) over the records in equal parts of [0, end]; NaN where a part has none.

        A record at `end` belongs to the last part. With `skip_zero` values of exactly 0 count as none.
        """
        kept = (self.x <= end * GRACE) & ((self.value != 0) | (not skip_zero))
        part = np.minimum((self.x[kept] * windows / end).astype(int), windows - 1)
        total = np.bincount(part, self.value[kept], windows)
        with np.errstate(invalid="ignore"):
            return total / np.bincount(part, minlength=windows)

    def area(self, end: float) -> float:
        """Area under log10 of the running best from 0 to `end`, as a step function."""
        edges = np.clip(np.append(self.x, max(end, self.x[-1])), None, end)
        edges[0] = 0.0
        return float(np.diff(edges) @ np.log10(np.maximum(self.best, TINY)))

    def _last(self, x):
        """Index of the last record at or before `x`, the first if there is none."""
        return max(np.searchsorted(self.x, x * GRACE, side="right") - 1, 0)
