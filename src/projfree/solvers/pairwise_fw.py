"""Pairwise Frank-Wolfe (Mitchell et al. 1974; Lacoste-Julien and Jaggi 2015, Algorithm 2)."""

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
    """x_{k+1} = x_k + γ(v − a): weight moves from the worst atom a to the oracle's vertex v."""

    def step(self, oracles, s, rng):
        """One step: 1 FO, 1 LO."""
        gradient, v = self.begin(oracles, s)
        if s.converged:
            return s
        scores = s.active.scores(gradient)
        scores[v] = scores[v] if s.active.weights[v] else -np.inf
        self.move(oracles, s, gradient, v, int(np.argmax(scores)))
        return s
