"""SVFW: Frank-Wolfe on the SVRG estimate (Reddi, Sra, Póczos, Smola 2016), finite-sum form."""

from dataclasses import dataclass

import numpy as np

from ..linalg.atoms import Atom, toward
from .estimators import svrg
from .inner.steps import theory_step


@dataclass
class State:
    """Inner step t of an epoch."""

    x: np.ndarray
    gamma: float  # constant step length
    k: int = 0  # steps in all
    anchor: svrg.State | None = None  # by its gradient and slopes, and t
    atom: Atom | None = None  # warm start of the next linear minimisation
    converged: bool = False

    @property
    def iterate(self):
        """The current iterate (U4)."""
        return self.x


@dataclass(frozen=True)
class Solver:
    """x_{t+1} = x_t + γ(LO(v_t) − x_t), v_t the SVRG estimate.

    Attributes
    ----------
    gamma : float or None
        Constant step length; None is the theory's √(2 F(x_0)/(3 T L D²)) with T = horizon (SPEC-ncgs B6, U9).
    open_loop : bool
        γ_k = 2/(k+2) instead.
    horizon : int
        T.
    batch, epoch, smoothness
        As in `ncgs_vr`.
    """

    gamma: float | None = None
    open_loop: bool = False
    horizon: int = 100
    batch: int | None = None
    epoch: int | None = None
    smoothness: str = "L_full"

    def __post_init__(self):
        if self.gamma is not None and not 0 < self.gamma <= 1:
            raise ValueError(f"gamma must be in (0, 1], got {self.gamma}")

    def start(self, oracles, rng):
        """x_0 = 0."""
        x = oracles.start()
        return State(
            x, theory_step(oracles, x, self.smoothness, self.horizon, 3) if self.gamma is None else self.gamma
        )

    def step(self, oracles, s, rng):
        """One inner step; the first of an epoch takes the anchor."""
        estimator = svrg.Estimator(self.batch, self.epoch, draw_at_anchor=True)
        v, s.anchor = estimator.update(oracles, s.anchor, s.x, rng)
        if svrg.stationary(v, s.anchor) or oracles.set.diameter == 0:
            s.converged = True
            return s
        s.atom = oracles.lmo(v, start=s.atom)
        toward(s.x, s.atom, 2 / (s.k + 2) if self.open_loop else s.gamma)
        s.k += 1
        return s
