"""Pairwise Frank-Wolfe (Mitchell et al. 1974; Lacoste-Julien and Jaggi 2015, Algorithm 2)."""

from dataclasses import dataclass

from ..common.parameters import checked
from .inner import active_steps

State = active_steps.State


@checked
@dataclass(frozen=True)
class Solver(active_steps.Settings):
    """x_{k+1} = x_k + γ(v − a), which moves weight from the worst atom a to the oracle's vertex v."""

    def ends(self, s, gradient, v):
        """v and the worst atom."""
        return v, s.active.extremes(gradient)[1]
