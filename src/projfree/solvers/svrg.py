"""SVRG with projection: the projection-based baseline of ncgs §6.1.2 (mini-batch, Johnson and Zhang 2013)."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from ..common.parameters import Count, Natural, Positive, checked
from ..families import constrained
from .estimators import stationary, svrg
from .inner.random_output import redrawn


@dataclass
class State:
    """Inner step t of an epoch."""

    theta: np.ndarray  # θ_t
    anchor: svrg.State | None = None  # θ̃ by its gradient and slopes, and t
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
    """θ_{t+1} = P(θ_t − λ v_t) with the SVRG estimate v_t, λ = step/(3L).

    Attributes
    ----------
    step_factor, smoothness, batch, epoch, random_output
        As in `ncgs_vr`.
    projection : {"full", "gram", "partial"}
        Method of the projection: a full SVD as in the paper, or a faster one.
    """

    families = (constrained.FAMILY,)
    needs = ("project",)
    step_factor: Positive = 1.0
    smoothness: str = "L_full"
    batch: Count | None = None
    epoch: Natural | None = None
    projection: Literal["full", "gram", "partial"] = "full"
    random_output: bool = False

    @cached_property
    def estimator(self):
        """v_t; as in the paper, a batch is drawn at the anchor too."""
        return svrg.Estimator(self.batch, self.epoch, draw_at_anchor=True)

    def start(self, oracles, rng):
        """θ_0 = 0."""
        return State(oracles.start())

    def step(self, oracles, s, rng):
        """One inner step; the first step of an epoch sets the anchor."""
        v, s.anchor = self.estimator.update(oracles, s.anchor, s.theta, rng)
        if stationary(v, s.anchor) or oracles.constraint.diameter == 0:
            s.converged = True
            return s
        lam = self.step_factor / (3 * oracles.constants[self.smoothness])
        s.theta, s.t = oracles.project(s.theta - lam * v, method=self.projection), s.t + 1
        if self.random_output:
            s.drawn = redrawn(s.drawn, s.theta, oracles.rng, s.t)
        return s
