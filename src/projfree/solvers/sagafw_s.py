"""SAGAFW-S: Frank-Wolfe on the SAGA estimate over samples drawn once (Reddi et al. 2016; SPEC-ncgs B8)."""

from dataclasses import dataclass

import numpy as np

from ..linalg.atoms import Atom, toward
from .inner.steps import theory_step


@dataclass
class State:
    """The SAGA table over n' = T samples."""

    x: np.ndarray
    gamma: float  # constant step length
    pool: np.ndarray  # (n',) components drawn once
    slopes: np.ndarray  # (n',) table of scalars φ'
    mean: np.ndarray  # average of the table's gradients
    atom: Atom | None = None  # warm start of the next linear minimisation

    @property
    def iterate(self):
        """The current iterate."""
        return self.x


@dataclass(frozen=True)
class Solver:
    """v = (1/b) Σ (∇f_i(x) − table_i) + mean; a second batch of b refreshes the table; γ as SVFW.

    Attributes
    ----------
    horizon : int
        T = n', the size of the pool.
    batch_power : float
        b = ⌈n'^power⌉: 1/3 as the stated order needs, 2/3 as our argument supports (U11).
    smoothness : str
        Which constant of the problem is L.
    """

    horizon: int = 100
    batch_power: float = 1 / 3
    smoothness: str = "L_full"

    def start(self, oracles, rng):
        """x_0 = 0; draws the pool and fills the table: n' IFO."""
        x = oracles.start()
        pool = rng.integers(0, oracles.n, size=self.horizon)
        slopes = oracles.component_slopes(x, pool)
        mean = oracles.combine(slopes / self.horizon, pool)
        gamma = theory_step(oracles, x, self.smoothness, self.horizon, 3)
        return State(x, gamma, pool, slopes, mean)

    def step(self, oracles, s, rng):
        """One step: 2b IFO, 1 LO."""
        size = int(np.ceil(round(self.horizon**self.batch_power, 9)))
        first, second = (rng.integers(0, self.horizon, size=size) for _ in range(2))
        change = oracles.component_slopes(s.x, s.pool[first]) - s.slopes[first]
        s.atom = oracles.lmo(s.mean + oracles.combine(change / size, s.pool[first]), start=s.atom)
        second = np.unique(second)
        fresh = oracles.component_slopes(s.x, s.pool[second])
        s.mean = s.mean + oracles.combine((fresh - s.slopes[second]) / self.horizon, s.pool[second])
        s.slopes[second] = fresh
        toward(s.x, s.atom, s.gamma)
        return s
