"""Away-step Frank-Wolfe (Wolfe 1970; Lacoste-Julien and Jaggi 2015, Algorithm 1)."""

from dataclasses import dataclass

import numpy as np

from ..common.parameters import checked
from .inner import active_steps

State = active_steps.State


@checked
@dataclass(frozen=True)
class Solver(active_steps.Settings):
    """x_{k+1} = x_k + γ(v − x_k), or away from the worst atom, x_k + γ(x_k − a): the steeper of the two."""

    def ends(self, s, gradient, v):
        """The steeper of the two."""
        _, worst, scores = s.active.extremes(gradient)
        away_gap = scores[worst] - float(np.vdot(gradient, s.active.x))
        return (v, None) if s.gap >= away_gap else (None, worst)
