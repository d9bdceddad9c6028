"""Pairwise Frank-Wolfe (Mitchell et al. 1974; Lacoste-Julien and Jaggi 2015, Algorithm 2)."""

from dataclasses import dataclass

from ..common.parameters import checked
from .inner import active_steps

State = active_steps.State


@checked
@dataclass(frozen=True)
class Solver(active_steps.Settings):
    """x_{k+1} = x_k + γ(v − a), which moves weight from the worst atom a to the oracle's vertex v."""

    def step(self, oracles, s, rng):
        """One step: 1 FO, 1 LO."""
        gradient, v = self.begin(oracles, s)
        if s.converged:
            return s
        _, worst, _ = s.active.extremes(gradient)
        self.move(oracles, s, gradient, v, worst)
        return s
