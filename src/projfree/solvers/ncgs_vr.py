"""Variance-reduced non-convex conditional gradient sliding for finite sums.

Qu, Li, Xu (2018), Algorithm 4 and Theorem 3.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from ..common.parameters import Count, Natural, NotNegative, Positive, checked
from ..families import constrained
from ..linalg.atoms import Atom
from .estimators import stationary, svrg
from .inner.condg import StopRule, condg
from .inner.random_output import redrawn


@dataclass
class State:
    """Inner step t of epoch s."""

    theta: np.ndarray  # θ_t^{s+1}
    anchor: svrg.State | None = None  # θ̃^s by its gradient and slopes, and t
    atom: Atom | None = None  # warm start of the next linear minimisation
    converged: bool = False
    t: int = 0  # inner steps done in all epochs
    drawn: np.ndarray | None = None  # θ_α, where that is returned

    @property
    def iterate(self):
        """The current iterate, or a random one (U4)."""
        return self.theta if self.drawn is None else self.drawn


@checked
@dataclass(frozen=True)
class Solver:
    """θ_{t+1} = condg(v_t, θ_t, λ, η) on the SVRG estimate v_t, λ = step/(3L).

    Attributes
    ----------
    step_factor : float
        c in λ = c/(3L); the paper's is 1.
    smoothness : str
        Name of the problem's constant to use as L: ``L_full`` (literal), ``L_vr`` (as the proof needs),
        ``L_max``.
    batch, epoch : int, optional
        b and m, see `estimators.svrg`.
    rule, eta, ratio, max_lo, horizon
        Stopping rule of condg, see `StopRule`; the horizon is the T of η = 1/T.
    random_output : bool
        Return θ_α with α uniform on the steps so far, as the theorem does.
    """

    families = (constrained.FAMILY,)
    step_factor: Positive = 1.0
    smoothness: str = "L_full"
    batch: Count | None = None
    epoch: Natural | None = None
    rule: Literal["capped", "theorem", "relative"] = "capped"
    eta: NotNegative | None = None
    ratio: NotNegative = 0.1
    max_lo: Count = 5
    horizon: Count = 100
    random_output: bool = False

    def __post_init__(self):
        self.stop_rule  # noqa: B018 - what it refuses is an error now

    @cached_property
    def estimator(self):
        """v_t; as in the paper, a batch is drawn at the anchor too."""
        return svrg.Estimator(self.batch, self.epoch, draw_at_anchor=True)

    def start(self, oracles, rng):
        """θ̃⁰ = θ_0 = 0."""
        return State(oracles.start())

    def step(self, oracles, s, rng):
        """One inner step; the first step of an epoch sets the anchor."""
        v, s.anchor = self.estimator.update(oracles, s.anchor, s.theta, rng)
        if stationary(v, s.anchor) or oracles.constraint.diameter == 0:
            s.converged = True
            return s
        lam = self.step_factor / (3 * oracles.constants[self.smoothness])
        inner = condg(oracles, v, s.theta, lam, self.stop_rule, start=s.atom)
        s.theta, s.atom, s.t = inner.x, inner.atom, s.t + 1
        if self.random_output:
            s.drawn = redrawn(s.drawn, s.theta, oracles.rng, s.t)
        return s

    @cached_property
    def stop_rule(self):
        """The rule that condg follows."""
        return StopRule(self.rule, self.eta, self.ratio, self.max_lo, self.horizon)
