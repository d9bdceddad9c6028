"""Common part of sets whose constraints do not scale about a point: the gauge measures the violation."""

import numpy as np


class ByViolation:
    """Subclasses have ``bound`` and ``violation(x)``: 0 in the set, in the units of the bound."""

    def gauge(self, x) -> float:
        """The bound plus the largest violation of a constraint, NaN for a point with NaN."""
        return self.bound + self.violation(x)  # type: ignore[attr-defined]

    def contains(self, x, slack=1e-9) -> bool:
        """Whether no constraint is violated by more than slack·bound."""
        return bool(self.violation(x) <= slack * self.bound)  # type: ignore[attr-defined]


def largest(*sizes) -> float:
    """The largest of some numbers and 0; NaN if one is NaN."""
    return float(np.maximum.reduce([0.0, *sizes]))


def shift(y, top: float, total: float) -> float:
    """s with Σ clip(y − s, 0, top) = total for 0 < total ≤ top·entries.

    The sum is piecewise linear and falls with s, so a search over its break points finds the right piece.
    """

    def excess(s):
        return float(np.clip(y - s, 0.0, top).sum()) - total

    points = np.sort(np.concatenate([y, y - top]))
    low, high = 0, points.size - 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if excess(points[middle]) > 0 else (low, middle)
    above, below = excess(points[low]), excess(points[high])
    if above == below:  # rounding leaves nothing between the two points
        return float(points[low])
    return float(points[low] + (points[high] - points[low]) * (above / (above - below)))
