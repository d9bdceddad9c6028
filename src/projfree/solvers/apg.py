"""Monotone accelerated proximal gradient: Algorithm 2 of Gu, Wang, Huo, Huang (2018).

It is APG (Li and Lin 2015) with an exact prox, and AIPG with an inexact one.
"""

import math
from dataclasses import dataclass

from ..common.parameters import checked
from .inner import proximal


@dataclass
class State(proximal.State):
    """x_k with x_{k−1}, z_k and t_k; None means x_k itself."""

    before: object = None  # x_{k−1}
    z: object = None  # z_k
    t_before: float = 0.0  # t_{k−1}
    t: float = 1.0  # t_k


@checked
@dataclass(frozen=True)
class Solver(proximal.Settings):
    """The better of two proximal points, from the extrapolated y_k and from x_k: 2 FO, 2 PO a step."""

    def start(self, oracles, rng):
        """x_1 = z_1 = x_0."""
        return self.begin(oracles, rng, State)

    def step(self, oracles, s, rng):
        """One pass; in the first pass y = x, so that z and v solve the same problem."""
        s.k += 1
        z = self.trial(oracles, s, extrapolated(s), "warm_z", rng)
        return advance(self, oracles, s, z, self.trial_from_x(oracles, s, rng))


def extrapolated(s):
    """y_k = x_k + (t_{k−1}/t_k)(z_k − x_k) + ((t_{k−1} − 1)/t_k)(x_k − x_{k−1}), its image alike."""
    to_z = s.t_before / s.t if s.z is not None else 0.0
    onward = (s.t_before - 1) / s.t if s.before is not None else 0.0
    points = [s.x, s.z or s.x, s.before or s.x]
    return s.x.combine([1 - to_z + onward, to_z, -onward], points)


def advance(solver, oracles, s, z, v=None):
    """x_{k+1} = z_{k+1} if there is no v_{k+1} or f(z_{k+1}) ≤ f(v_{k+1}), else v_{k+1}; t_{k+1}."""
    take_z = v is None or z.f <= v.f
    s.before, s.z = s.x, None if take_z else z.x
    s.t_before, s.t = s.t, (math.sqrt(4 * s.t**2 + 1) + 1) / 2
    return solver.accept(oracles, s, z if take_z else v)
