"""SVFW-S: SVFW in the stochastic setting, the anchor gradient being a fresh batch (SPEC-ncgs B8)."""

from dataclasses import dataclass

import numpy as np

from ..linalg.atoms import Atom, toward
from .estimators import component_batch, svrg
from .inner.steps import theory_step


@dataclass
class State:
    """Inner step t of an epoch."""

    x: np.ndarray
    gamma: float  # constant step length
    t: int = 0  # inner steps since the anchor
    anchor: np.ndarray | None = None  # the point θ̃
    gradient: np.ndarray | None = None  # batch gradient at θ̃
    atom: Atom | None = None  # warm start of the next linear minimisation

    @property
    def iterate(self):
        """The current iterate."""
        return self.x


@dataclass(frozen=True)
class Solver:
    """SVRG estimate with an anchor gradient of B = T fresh samples, b = m², m = round(T^{1/3}); γ as SVFW.

    Attributes
    ----------
    horizon : int
        T.
    smoothness : str
        Which constant of the problem is L.
    """

    horizon: int = 100
    smoothness: str = "L_full"

    def start(self, oracles, rng):
        """x_0 = 0."""
        x = oracles.start()
        return State(x, theory_step(oracles, x, self.smoothness, self.horizon, 3))

    def step(self, oracles, s, rng):
        """One inner step; the first of an epoch draws the anchor's batch: B IFO; each step 2b IFO, 1 LO."""
        epoch = svrg.paper_epoch(self.horizon)
        if s.t == 0:
            s.anchor = s.x.copy()
            s.gradient = oracles.component_gradient(s.anchor, component_batch(rng, oracles.n, self.horizon))
        batch = component_batch(rng, oracles.n, epoch**2)
        change = oracles.component_gradient(s.x, batch) - oracles.component_gradient(s.anchor, batch)
        s.atom = oracles.lmo(s.gradient + change, start=s.atom)
        toward(s.x, s.atom, s.gamma)
        s.t = (s.t + 1) % epoch
        return s
