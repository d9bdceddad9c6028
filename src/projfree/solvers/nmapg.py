"""Accelerated proximal gradient with a descent test: Algorithm 3 of Gu, Wang, Huo, Huang (2018).

It is nmAPG (Li and Lin 2015) with an exact prox, and nmAIPG with an inexact one. The printed test compares
with f(x_k), which makes the method monotone up to ε_k; the non-monotone reference of Li and Lin is an option.
"""

from dataclasses import dataclass
from typing import Literal

from ..common.parameters import NotNegative, Share, checked
from . import apg


@dataclass
class State(apg.State):
    """The state of `apg`, and the reference value of the test."""

    c: float | None = None  # c_k, average of values; None before the first step
    q: float = 1.0  # q_k


@checked
@dataclass(frozen=True)
class Solver(apg.Solver):
    """x_{k+1} = z_{k+1} if it descends enough, else the better of z_{k+1} and v_{k+1}: 1–2 FO, 1–2 PO a step.

    Attributes
    ----------
    delta : float
        δ of the test f(z_{k+1}) ≤ reference − (δ/2)‖z_{k+1} − y_k‖².
    delta_units : {"absolute", "L"}
        Whether δ is literal (then negligible if L ≫ 1) or in units of L.
    reference : {"current", "average"}
        f(x_k) as printed, or c_k = (η q c + f(x_k))/q_k of Li and Lin (unstated choice U5).
    eta : float
        η of the average.
    """

    delta: NotNegative = 0.6
    delta_units: Literal["absolute", "L"] = "absolute"
    reference: Literal["current", "average"] = "current"
    eta: Share = 0.8

    def start(self, oracles, rng):
        """x_1 = z_1 = x_0."""
        return self.begin(oracles, rng, State)

    def step(self, oracles, s, rng):
        """One pass; v_{k+1} is computed only if the test fails."""
        s.k += 1
        y = apg.extrapolated(s)
        z = self.trial(oracles, s, y, "warm_z", rng)
        v = None if self.descends(oracles, s, z, y) else self.trial_from_x(oracles, s, rng)
        s = apg.advance(self, oracles, s, z, v)
        before = s.first if s.c is None else s.c
        following = self.eta * s.q + 1
        s.c, s.q = (self.eta * s.q * before + s.f) / following, following
        return s

    def descends(self, oracles, s, z, y) -> bool:
        """f(z) ≤ reference − (δ/2)‖z − y‖²."""
        delta = self.delta * (oracles.constants["L_full"] if self.delta_units == "L" else 1.0)
        level = s.f if self.reference == "current" or s.c is None else s.c
        return z.f <= level - delta / 2 * z.x.sq_distance(y)
