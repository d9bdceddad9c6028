"""Common parts of sets: scaled unit balls of a gauge, and hulls of orthogonal points."""

import math
from collections.abc import Callable

from projfree.common.names import unknown
from projfree.linalg.validation import array


class Ball:
    """{x : gauge(x) ≤ radius}; subclasses have ``radius``, ``name``, ``gauge`` and ``lmo``."""

    radius: float
    gauge: Callable[..., float]

    @property
    def bound(self) -> float:
        """The bound on the gauge, R."""
        return self.radius

    @property
    def diameter(self) -> float:
        """Largest ‖x − y‖: twice the largest norm, because a ball is symmetric."""
        return 2.0 * self.norm_bound  # type: ignore[attr-defined]

    def contains(self, x, slack=1e-9) -> bool:
        """Whether gauge(x) ≤ R (1 + slack)."""
        return bool(self.gauge(x) <= self.radius * (1.0 + slack))


class NoProjection:
    """Sets without a projection in closed form; whoever asks for one is told of another way."""

    def __getattr__(self, name):
        if name != "project":
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        raise AttributeError(
            f"{self!r} has no projection in closed form. For the nearest point to y, minimise the distance: "
            "projfree.minimize(lambda x: (0.5 * np.sum((x - y) ** 2), x - y), the_set, x0=the_set.lmo(-y), "
            "constants={'L_full': 1.0})"
        )


class OfTotal:
    """Sets with orthogonal extreme points of norm ``total``, an attribute of the subclass."""

    total: float

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
    """Raise `ValueError` for an unknown way to project."""
    if method != "full":
        raise ValueError(unknown("projection method", method, ["full"], name))


def root_of_size(name: str, size: int | None) -> float:
    """√size, for diameters that grow with the number of entries.

    Raises
    ------
    ValueError
        If the set was made without `size`. Its oracles need no size, but step lengths by the diameter do.
    """
    if size is None:
        raise ValueError(f"{name}: its diameter depends on the number of entries; give it as `size`")
    return math.sqrt(size)


def finite_array(name: str, G):
    """G as a finite array of any shape."""
    return array(f"{name}: G", G)
