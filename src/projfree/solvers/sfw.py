"""SFW: Frank-Wolfe on a mini-batch gradient (Reddi, Sra, Póczos, Smola 2016), stochastic setting."""

from dataclasses import dataclass

import numpy as np

from ..linalg.atoms import Atom, toward
from .estimators import sg
from .inner.steps import theory_step


@dataclass
class State:
    """x_k."""

    x: np.ndarray
    gamma: float  # constant step length
    atom: Atom | None = None  # warm start of the next linear minimisation

    @property
    def iterate(self):
        """The current iterate."""
        return self.x


@dataclass(frozen=True)
class Solver:
    """x_{k+1} = x_k + γ(LO(v) − x_k), v a mini-batch gradient of b = T samples, γ = √(2ΔF/(L D² T)).

    Attributes
    ----------
    horizon : int
        T, number of steps the theory's parameters are made for (SPEC-ncgs B8).
    batch : int or None
        b; None is T.
    gamma : float or None
        Constant step length; None is the theory's.
    smoothness : str
        Which constant of the problem is L.
    """

    horizon: int = 100
    batch: int | None = None
    gamma: float | None = None
    smoothness: str = "L_full"

    def start(self, oracles, rng):
        """x_0 = 0."""
        x = oracles.start()
        return State(
            x, theory_step(oracles, x, self.smoothness, self.horizon) if self.gamma is None else self.gamma
        )

    def step(self, oracles, s, rng):
        """One step: b IFO, 1 LO."""
        v, _ = sg.Estimator(self.batch or self.horizon).update(oracles, None, s.x, rng)
        s.atom = oracles.lmo(v, start=s.atom)
        toward(s.x, s.atom, s.gamma)
        return s
