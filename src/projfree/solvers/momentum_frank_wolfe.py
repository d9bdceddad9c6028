"""Frank-Wolfe on an average of past gradients: a first-order method to compare with nfwu Theorem 5.1."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from ..common.parameters import Range, checked
from ..families import constrained, strongly_convex
from ..linalg.atoms import Atom
from .inner.steps import AtX


@dataclass
class State(AtX):
    """x_k and the average of gradients."""

    x: np.ndarray
    average: np.ndarray  # m_{k−1}
    k: int = 0
    atom: Atom | None = None  # warm start of the next linear minimisation


@checked
@dataclass(frozen=True)
class Solver:
    """m_k = β m_{k−1} + (1 − β) ∇F(x_k), x_{k+1} = x_k + 2/(k+2) (LO(m_k) − x_k), m_{−1} = 0.

    Attributes
    ----------
    momentum : float
        β in [0, 1).
    """

    families = (constrained.FAMILY, strongly_convex.FAMILY)
    momentum: Annotated[float, Range(least=0, below=1)] = 0.5

    def start(self, oracles, rng):
        """x_0 = 0."""
        x = oracles.start()
        return State(x, np.zeros_like(x))

    def step(self, oracles, s, rng):
        """One step: 1 FO, 1 LO."""
        s.average *= self.momentum
        s.average += (1 - self.momentum) * oracles.gradient(s.x)
        s.atom = oracles.lmo(s.average, start=s.atom)
        oracles.toward(s.x, s.atom, 2 / (s.k + 2))
        s.k += 1
        return s
