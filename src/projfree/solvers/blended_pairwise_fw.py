"""Blended pairwise conditional gradients (Tsuji, Tanaka and Pokutta 2022, Algorithm 1)."""

from dataclasses import dataclass

import numpy as np

from ..ground.parameters import checked
from .inner import active_steps


@dataclass
class State(active_steps.State):
    """Nothing beside what all methods with active sets keep."""


@checked
@dataclass(frozen=True)
class Solver(active_steps.Settings):
    """Weight moves from the worst to the best atom where that gains more than a step to the oracle's vertex.

    There are no swap steps, and no atom is added while the active set is not used well.
    """

    def step(self, oracles, s, rng):
        """One step: 1 FO, 1 LO."""
        gradient, v = self.begin(oracles, s)
        if s.converged:
            return s
        held = s.active.weights > 0
        scores = s.active.scores(gradient)
        best = int(np.argmin(np.where(held, scores, np.inf)))
        worst = int(np.argmax(np.where(held, scores, -np.inf)))
        local = scores[worst] - scores[best]
        to, away = (best, worst) if local >= s.gap else (v, None)
        self.move(oracles, s, gradient, to, away)
        return s
