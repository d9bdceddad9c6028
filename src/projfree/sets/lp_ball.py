"""The lp ball {x : ‖x‖_p ≤ R} for 1 < p < ∞, of arrays of any shape; no projection in closed form."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from projfree.common.parameters import Count, NotNegative, Range, checked
from projfree.linalg.validation import entries

from ._ball import Ball, NoProjection, finite_array, root_of_size


@checked
@dataclass(frozen=True)
class Set(Ball, NoProjection):
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
        if self.p <= 2.0:
            return self.radius
        return self.radius * root_of_size("lp_ball", self.size) ** (1.0 - 2.0 / self.p)

    def support(self, G) -> float:
        """max_{x in set} ⟨G, x⟩ = R ‖G‖_q."""
        return self.radius * _norm(finite_array("lp_ball", G), self.dual)

    def gauge(self, x) -> float:
        """‖x‖_p."""
        return _norm(entries("lp_ball: x", x), self.p)

    def lmo(self, G, *, start=None, rng=None, tol=0.0) -> np.ndarray:
        """argmin_{x in set} ⟨G, x⟩: −R sign(G)|G|^(q−1)/‖G‖_q^(q−1), zero for G = 0. Exact."""
        G = finite_array("lp_ball", G)
        size = np.abs(G)
        top = size.max()
        if top == 0.0:
            return np.zeros(G.shape)
        size /= top
        power = size ** (self.dual - 1.0)
        size *= power  # |G|^q
        power *= -self.radius * size.sum() ** (1.0 / self.dual - 1.0)
        return np.copysign(power, -G, out=power) if self.radius else np.zeros(G.shape)


def _norm(x, p) -> float:
    """‖x‖_p; entries are brought to 1 first, so that powers of numbers stay numbers."""
    size = np.abs(x)
    top = float(size.max())
    if not 0.0 < top < np.inf:
        return top
    size /= top
    size **= p
    return top * float(size.sum()) ** (1.0 / p)
