"""The box {x : lower ≤ x ≤ upper}; a hypercube if both limits are numbers."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..common.parameters import Count, checked
from ..linalg.compiled import njit
from ..linalg.validation import INFINITY, array, finite
from ._base import FeasibleSet

Limit = float | list | np.ndarray


@checked
@dataclass(frozen=True, eq=False)
class Set(FeasibleSet):
    """Arrays between `lower` and `upper`.

    Attributes
    ----------
    lower, upper : float or array of the shape of a point
    size : int or None
        Number of entries; only the diameter needs it, and only if both limits are numbers.
    """

    lower: Limit = 0.0
    upper: Limit = 1.0
    size: Count | None = None
    is_polytope = True
    looks = True

    def __post_init__(self):
        low, high = self.limits
        if (low > high).any():
            raise ValueError("box: an entry of lower is above that of upper")

    @cached_property
    def limits(self):
        """Both limits as arrays."""
        return _limit("box: lower", self.lower), _limit("box: upper", self.upper)

    @property
    def diameter(self) -> float:
        """Largest ‖x − y‖, ‖upper − lower‖."""
        return self._length(self.limits[1] - self.limits[0])

    @property
    def norm_bound(self) -> float:
        """Largest ‖x‖."""
        return self._length(np.maximum(*map(np.abs, self.limits)))

    def contains(self, x, slack=1e-9) -> bool:
        """Whether x lies between the limits, to slack·(side + its largest limit)."""
        (low, high), x = self.limits, self._read("x", x)
        room = slack * (high - low + np.maximum(np.abs(low), np.abs(high)))
        return bool(np.all((low - room <= x) & (x <= high + room)))

    def _read(self, symbol, x):
        x, shape = super()._read(symbol, x), np.broadcast_shapes(*(limit.shape for limit in self.limits))
        if shape not in ((), x.shape):
            raise ValueError(f"box: {symbol} has shape {x.shape}, the limits {shape}")
        return x

    def _length(self, sides):
        sides = np.broadcast_arrays(sides, *self.limits)[0]
        return (1.0 if sides.ndim else self._root_of_size()) * float(np.linalg.norm(sides))

    def _support(self, G):
        return np.sum(G * np.where(G > 0.0, self.limits[1], self.limits[0]))

    def _gauge(self, x):
        """Largest ``|x_i − centre|`` in units of half a side, 1 on the boundary."""
        low, high = self.limits
        away, half = np.abs(x - (low + high) / 2), (high - low) / 2
        return np.max(np.where(away != 0.0, away / np.where(half > 0.0, half, 5e-324), 0.0))

    def _lmo(self, G):
        """The lower limit if G > 0, else the upper one."""
        low, high = self.limits
        if low.ndim or high.ndim:
            return np.where(finite("box: G", G) > 0.0, low, high)
        return corner("box: G", G, float(low), float(high))

    def _project(self, x):
        return np.clip(x, *self.limits)


def _limit(name, value):
    return np.array(float(value)) if isinstance(value, float | int) else array(name, value)


def corner(name, G, low: float, high: float) -> np.ndarray:
    """`low` where G > 0, else `high`; ValueError if an entry of G is not finite."""
    x = np.empty(G.shape)
    if _fill_corner(np.ascontiguousarray(G).ravel(), low, high, x.ravel()) >= INFINITY:
        finite(name, G)
    return x


@njit
def _fill_corner(g, low, high, x):
    """Fill x; the bits of the largest |g_i|."""
    bits, largest = g.view(np.int64), 0
    for i in range(g.size):
        largest = max(largest, bits[i] & 0x7FFFFFFFFFFFFFFF)
        x[i] = low if g[i] > 0.0 else high
    return largest
