"""What sets share that are the unit ball of their gauge times a radius, or the hull of orthogonal points."""

from __future__ import annotations

import math

from projfree.ground.names import unknown
from projfree.linalg.validation import array


class Ball:
    """{x : gauge(x) ≤ radius}; a class that inherits has ``radius``, ``name``, ``gauge`` and ``lmo``."""

    @property
    def bound(self) -> float:
        """The bound on the gauge, R."""
        return self.radius

    @property
    def diameter(self) -> float:
        """Largest ‖x − y‖: a ball is symmetric, so twice the largest norm."""
        return 2.0 * self.norm_bound

    def contains(self, x, slack=1e-9) -> bool:
        """Whether gauge(x) ≤ R (1 + slack)."""
        return bool(self.gauge(x) <= self.radius * (1.0 + slack))


class OfTotal:
    """Sets whose extreme points are orthogonal and of norm ``total``, which the inheriting class has."""

    @property
    def diameter(self) -> float:
        """Largest ‖x − y‖, √2·total."""
        return math.sqrt(2.0) * self.total

    @property
    def norm_bound(self) -> float:
        """Largest ‖x‖, total."""
        return self.total

    @property
    def bound(self) -> float:
        """The bound on the gauge, total."""
        return self.total


def only_full(name: str, method: str) -> None:
    """Raise `ValueError` for a way to project other than the one there is."""
    if method != "full":
        raise ValueError(unknown("projection method", method, ["full"], name))


def root_of_size(name: str, size: int | None) -> float:
    """√size, for diameters that grow with the number of entries.

    Raises
    ------
    ValueError
        Where the set was made without `size`: its oracles need none, step lengths by the diameter do.
    """
    if size is None:
        raise ValueError(f"{name}: its diameter depends on the number of entries; give it as `size`")
    return math.sqrt(size)


def finite_array(name: str, G):
    """G as a finite array of any shape."""
    return array(f"{name}: G", G)
