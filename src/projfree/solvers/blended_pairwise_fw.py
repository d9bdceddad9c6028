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

    def ends(self, s, gradient, v):
        """The best and the worst atom, or v."""
        best, worst, scores = s.active.extremes(gradient)
        return (best, worst) if scores[worst] - scores[best] >= s.gap else (v, None)
