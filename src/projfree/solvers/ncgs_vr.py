"""Variance-reduced non-convex conditional gradient sliding for finite sums.

Qu, Li, Xu (2018), Algorithm 4 and Theorem 3.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from ..common.parameters import Count, NotNegative, checked
from .inner import anchored
from .inner.condg import StopRule, condg

State = anchored.State


@checked
@dataclass(frozen=True)
class Solver(anchored.Settings):
    """θ_{t+1} = condg(v_t, θ_t, λ, η) on the SVRG estimate v_t, λ = step/(3L).

    Attributes
    ----------
    rule, eta, ratio, max_lo, horizon
        Stopping rule of condg, see `StopRule`; the horizon is the T of η = 1/T.
    """

    rule: Literal["capped", "theorem", "relative"] = "capped"
    eta: NotNegative | None = None
    ratio: NotNegative = 0.1
    max_lo: Count = 5
    horizon: Count = 100

    def __post_init__(self):
        self.stop_rule  # noqa: B018 - what it refuses is an error now

    def moved(self, oracles, s, v, lam):
        """θ_{t+1} by condg, and its last atom."""
        inner = condg(oracles, v, s.theta, lam, self.stop_rule, start=s.atom)
        return inner.x, inner.atom

    @cached_property
    def stop_rule(self):
        return StopRule(self.rule, self.eta, self.ratio, self.max_lo, self.horizon)
