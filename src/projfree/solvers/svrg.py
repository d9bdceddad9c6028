"""SVRG with projection: the projection-based baseline of ncgs §6.1.2 (mini-batch, Johnson and Zhang 2013)."""

from dataclasses import dataclass
from typing import Literal

from ..common.parameters import checked
from .inner import anchored

State = anchored.State


@checked
@dataclass(frozen=True)
class Solver(anchored.Settings):
    """θ_{t+1} = P(θ_t − λ v_t) with the SVRG estimate v_t, λ = step/(3L).

    Attributes
    ----------
    projection : {"full", "gram", "partial"}
        Method of the projection: a full SVD as in the paper, or a faster one.
    """

    needs = ("project",)
    projection: Literal["full", "gram", "partial"] = "full"

    def moved(self, oracles, s, v, lam):
        """θ_{t+1} by projection; there is no atom."""
        return oracles.project(s.theta - lam * v, method=self.projection), None
