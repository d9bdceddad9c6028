"""The box {x : lower ≤ x ≤ upper}; a hypercube if both limits are numbers."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from projfree.common.parameters import Count, checked
from projfree.linalg.compiled import njit
from projfree.linalg.validation import array, entries, finite

from ._ball import only_full, root_of_size

Limit = float | list | np.ndarray


@checked
@dataclass(frozen=True, eq=False)
class Set:
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
    bound = 1.0
    is_polytope = True

    def __post_init__(self):
        low, high = self.limits
        if (low > high).any():
            raise ValueError("box: an entry of lower is above that of upper")

    @cached_property
    def limits(self):
        """Both limits as arrays."""
        return _limit("box: lower", self.lower), _limit("box: upper", self.upper)

    def _point(self, name, x):
        """The given array, checked against the shape of the limits if they have one."""
        x, shape = entries(name, x), np.broadcast_shapes(*(limit.shape for limit in self.limits))
        if shape not in ((), x.shape):
            raise ValueError(f"{name} has shape {x.shape}, the limits {shape}")
        return x

    def _length(self, sides) -> float:
        sides = np.broadcast_arrays(sides, *self.limits)[0]
        each = root_of_size("box", self.size) if sides.ndim == 0 else 1.0
        return each * float(np.linalg.norm(sides))

    @property
    def diameter(self) -> float:
        """Largest ‖x − y‖, ‖upper − lower‖."""
        return self._length(self.limits[1] - self.limits[0])

    @property
    def norm_bound(self) -> float:
        """Largest ‖x‖."""
        return self._length(np.maximum(*map(np.abs, self.limits)))

    def support(self, G) -> float:
        """max_{x in set} ⟨G, x⟩."""
        G = finite("box: G", self._point("box: G", G))
        return float(np.sum(G * np.where(G > 0.0, self.limits[1], self.limits[0])))

    def gauge(self, x) -> float:
        """Largest ``|x_i − centre|`` in units of half a side, 1 on the boundary."""
        low, high = self.limits
        away, half = np.abs(self._point("box: x", x) - (low + high) / 2), (high - low) / 2
        return float(np.max(np.where(away != 0.0, away / np.where(half > 0.0, half, 5e-324), 0.0)))

    def contains(self, x, slack=1e-9) -> bool:
        """Whether x lies between the limits, to slack·(side + its largest limit)."""
        (low, high), x = self.limits, self._point("box: x", x)
        room = slack * (high - low + np.maximum(np.abs(low), np.abs(high)))
        return bool(np.all((low - room <= x) & (x <= high + room)))

    def lmo(self, G, *, start=None, rng=None, tol=0.0) -> np.ndarray:
        """argmin_{x in set} ⟨G, x⟩: the lower limit if G > 0, else the upper one. Exact."""
        G, (low, high) = finite("box: G", self._point("box: G", G)), self.limits
        if low.ndim or high.ndim:
            return np.where(G > 0.0, low, high)
        x = np.empty(G.shape)
        _choose(np.ascontiguousarray(G).ravel(), float(low), float(high), x.ravel())
        return x

    def project(self, x, method="full") -> np.ndarray:
        """Nearest point of the set to x: x clipped to the limits."""
        only_full("box", method)
        return np.clip(finite("box: x", self._point("box: x", x)), *self.limits)


def _limit(name, given):
    return np.array(float(given)) if isinstance(given, float | int) else array(name, given)


@njit
def _choose(g, low, high, x):
    for i in range(g.size):
        x[i] = low if g[i] > 0.0 else high
