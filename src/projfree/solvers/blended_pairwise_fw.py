"""Blended pairwise conditional gradients (Tsuji, Tanaka and Pokutta 2022, Algorithm 1)."""

from dataclasses import dataclass

from ..common.parameters import checked
from .inner import active_steps

State = active_steps.State


@checked
@dataclass(frozen=True)
class Solver(active_steps.Settings):
    """A step that moves weight from the worst to the best atom, or one to a new vertex if that gains more.

    There are no swap steps. No atom is added while steps inside the active set gain more.
    """

    def step(self, oracles, s, rng):
        """One step: 1 FO, 1 LO."""
        gradient, v = self.begin(oracles, s)
        if s.converged:
            return s
        best, worst, scores = s.active.extremes(gradient)
        local = scores[worst] - scores[best]
        to, away = (best, worst) if local >= s.gap else (v, None)
        self.move(oracles, s, gradient, to, away)
        return s
