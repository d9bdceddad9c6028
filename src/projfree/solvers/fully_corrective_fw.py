"""Fully corrective Frank-Wolfe (Holloway 1974; Lacoste-Julien and Jaggi 2015, Algorithm 4)."""

from dataclasses import dataclass

from ..common.parameters import Count, Fraction, checked
from .inner import active_steps

State = active_steps.State


@checked
@dataclass(frozen=True)
class Solver(active_steps.Settings):
    """A step to the oracle's vertex, then minimisation over the hull of all atoms by pairwise steps.

    Attributes
    ----------
    ratio : float
        The correction ends if no pair of atoms gains more than `ratio` times the Frank-Wolfe gap.
    max_inner : int
        Largest number of pairwise steps of one correction.
    """

    ratio: Fraction = 0.1
    max_inner: Count = 100

    def step(self, oracles, s, rng):
        """One step: 1 LO, and 1 FO for each step of the correction."""
        s = super().step(oracles, s, rng)
        for _ in range(0 if s.converged else self.max_inner):
            gradient = oracles.gradient(s.active.x)
            best, worst, scores = s.active.extremes(gradient)
            if scores[worst] - scores[best] <= self.ratio * s.gap:
                break
            self.move(oracles, s, gradient, best, worst)
            oracles.tally.add(corrections=1)
        return s
