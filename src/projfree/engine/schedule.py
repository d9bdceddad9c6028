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
    inside : float or None
        Within a long step that is recorded, records at geometric numbers of its inner iterations, in this
        ratio; none by default.
    """

    ratio: float = 1.1
    every: int | None = None
    inside: float | None = None

    def __post_init__(self):
        if self.every is not None and self.every < 1:
            raise ValueError(f"records.every must be at least 1, got {self.every}")
        if self.ratio <= 1:
            raise ValueError(f"records.ratio must be above 1, got {self.ratio}")
        if self.inside is not None and self.inside <= 1:
            raise ValueError(f"records.inside must be above 1, got {self.inside}")

    def after(self, iteration: int) -> int:
        """The first iteration after the given record at which to record again."""
        if self.every is not None:
            return iteration + self.every
        return _geometric(iteration, self.ratio)

    def after_inner(self, inner: int) -> int:
        """The same of the inner iterations of one step."""
        return _geometric(inner, self.inside)


def _geometric(number, ratio):
    return max(number + 1, math.ceil(number * ratio))
