"""Saddle-point Frank-Wolfe (Gidel, Jebara, Lacoste-Julien 2017)."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..common.parameters import Positive, checked
from ..families import saddle
from ..linalg.atoms import Atom, toward
from .frank_wolfe import towards_minimiser
from .inner.saddle import Pair, follow


@dataclass
class State:
    """The pair, its scores, and the averages if they are used."""

    x: np.ndarray
    y: np.ndarray
    scores: np.ndarray
    x_mean: np.ndarray | None = None
    y_mean: np.ndarray | None = None
    atom: Atom | None = None  # warm start of the next linear minimisation in x
    t: int = 0
    gap: float = np.inf
    converged: bool = False

    @property
    def iterate(self):
        """(x_t, y_t), or the averages."""
        return Pair(self.x, self.y) if self.x_mean is None else Pair(self.x_mean, self.y_mean)


@checked
@dataclass(frozen=True)
class Solver:
    """z ← (1−γ)z + γ(s_x, s_y) for both blocks at once, with one LO for each s.

    Attributes
    ----------
    step_rule : {"universal", "slow", "adaptive"}
        γ_t = 2/(2+t); 2/(2+10t); min{1, ν g_t/(2C)} with C = ½(L_xx D_x² + μD_y²) + L_xy D_x D_y (U7).
    nu : float
    average : bool
        Measure the average of the iterates instead of the last one.
    """

    families = (saddle.FAMILY,)
    step_rule: Literal["universal", "slow", "adaptive"] = "universal"
    nu: Positive = 1.0
    average: bool = False

    def start(self, oracles, rng):
        """The problem's start."""
        x, y = oracles.start()
        means = (x.copy(), y.copy()) if self.average else (None, None)
        return State(x, y, oracles.scores(x), *means)

    def step(self, oracles, s, rng):
        """1 FO, 2 LO."""
        gradient_x, gradient_y = oracles.gradients(s.scores, s.y)
        v, gap_x = towards_minimiser(oracles, gradient_x, s.x, s.atom)
        w = oracles.dual.lmo(-gradient_y)
        s.gap = gap_x + float(gradient_y @ (w - s.y))
        s.atom, s.converged = v if isinstance(v, Atom) else None, s.gap <= 0
        gamma = self.length(oracles, s)
        toward(s.x, v, gamma)
        s.y = (1 - gamma) * s.y + gamma * w
        s.scores, s.t = follow(oracles, s.scores, [(gamma, v)], s.x), s.t + 1
        if s.t % RESYNC == 0:
            s.scores = oracles.scores(s.x)
        if self.average:
            s.x_mean += (s.x - s.x_mean) / s.t
            s.y_mean += (s.y - s.y_mean) / s.t
        return s

    def length(self, oracles, s) -> float:
        """γ_t."""
        if self.step_rule != "adaptive":
            return 2 / (2 + (10 if self.step_rule == "slow" else 1) * s.t)
        c, D_x, D_y = oracles.constants, oracles.constraint.diameter, oracles.problem.dual_set.diameter
        curvature = 0.5 * (c["L_xx"] * D_x**2 + c["mu"] * D_y**2) + c["L_xy"] * D_x * D_y
        return min(1.0, self.nu * max(s.gap, 0.0) / (2 * curvature))


#: Steps between two computations of the scores from scratch.
RESYNC = 200
