"""The lp ball {x : ‖x‖_p ≤ R} for 1 < p < ∞, of arrays of any shape; no projection in closed form."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from ..common.parameters import Count, NotNegative, Range, checked
from ._base import Ball, NoProjection


@checked
@dataclass(frozen=True)
class Set(NoProjection, Ball):
    """Arrays of lp norm at most `radius`.

    Attributes
    ----------
    radius : float, R
    p : float
        Above 1; `l1_ball` and `linf_ball` are the ends.
    size : int or None
        Number of entries, which only the diameter needs, for p > 2.
    """

    radius: NotNegative
    p: Annotated[float, Range(above=1.0)] = 2.0
    size: Count | None = None

    @property
    def dual(self) -> float:
        """q with 1/p + 1/q = 1."""
        return self.p / (self.p - 1.0)

    @property
    def norm_bound(self) -> float:
        """Largest ‖x‖: R, for p > 2 times size^(1/2 − 1/p)."""
        return self.radius * (1.0 if self.p <= 2.0 else self._root_of_size() ** (1.0 - 2.0 / self.p))

    def _support(self, G):
        return self.radius * _norm(G, self.dual)

    def _gauge(self, x):
        return _norm(x, self.p)

    def _lmo(self, G):
        """−R sign(G)|G|^(q−1)/‖G‖_q^(q−1), zero for G = 0."""
        size = np.abs(G)
        top = size.max()
        if top == 0.0 or not self.radius:
            return np.zeros(G.shape)
        size /= top
        power = size ** (self.dual - 1.0)
        size *= power  # |G|^q
        power *= -self.radius * size.sum() ** (1.0 / self.dual - 1.0)
        return np.copysign(power, -G, out=power)


def _norm(x, p) -> float:
    """‖x‖_p; entries are brought to 1 first, so that powers of numbers stay numbers."""
    size = np.abs(x)
    top = float(size.max())
    if top == 0.0:
        return top
    size /= top
    size **= p
    return top * float(size.sum()) ** (1.0 / p)
