"""When records are taken: a deterministic schedule over iterations, never the clock."""

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Schedule:
    """Geometric (``ratio``) or linear (``every``) record times.

    Attributes
    ----------
    ratio : float
        Next record at ceil(iteration * ratio), so every iteration at first.
    every : int or None
        Linear schedule instead: each ``every`` iterations.
    """

    ratio: float = 1.1
    every: int | None = None

    def __post_init__(self):
        if self.every is not None and self.every < 1:
            raise ValueError(f"records.every must be at least 1, got {self.every}")
        if self.ratio <= 1:
            raise ValueError(f"records.ratio must be above 1, got {self.ratio}")

    def after(self, iteration: int) -> int:
        """The first iteration after the given record at which to record again."""
        if self.every is not None:
            return iteration + self.every
        return max(iteration + 1, math.ceil(iteration * self.ratio))
