"""Common parts of SVRG by condg and by projection (ncgs Algorithm 4 and §6.1.2): state and step."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...common.parameters import Count, Natural, Positive, checked
from ...families import constrained
from ...linalg.atoms import Atom
from ..estimators import stationary, svrg
from .random_output import redrawn


@dataclass
class State:
    """Inner step t of an epoch."""

    theta: np.ndarray  # θ_t
    anchor: svrg.State | None = None  # θ̃ by its gradient and slopes, and t
    atom: Atom | None = None  # warm start of the next linear minimisation, if there is one
    converged: bool = False
    t: int = 0  # inner steps done in all epochs
    drawn: np.ndarray | None = None  # θ_α, where that is returned

    @property
    def iterate(self):
        """The current iterate, or a random one (U4)."""
        return self.theta if self.drawn is None else self.drawn


@checked
@dataclass(frozen=True)
class Settings:
    """Parameters of both, and their step but for `moved`.

    Attributes
    ----------
    step_factor : float
        c in λ = c/(3L); the paper's is 1.
    smoothness : str
        Name of the problem's constant to use as L: ``L_full`` (literal), ``L_vr`` (as the proof needs),
        ``L_max``.
    batch, epoch : int, optional
        b and m, see `estimators.svrg`.
    random_output : bool
        Return θ_α with α uniform on the steps so far, as the theorem does.
    """

    families = (constrained.FAMILY,)
    step_factor: Positive = 1.0
    smoothness: str = "L_full"
    batch: Count | None = None
    epoch: Natural | None = None
    random_output: bool = False

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
        s.theta, s.atom = self.moved(oracles, s, v, lam)
        s.t += 1
        if self.random_output:
            s.drawn = redrawn(s.drawn, s.theta, oracles.rng, s.t)
        return s
