"""Stochastic non-convex conditional gradient sliding.

Qu, Li, Xu (2018), Algorithm 3 and Theorem 2: option II of NCGS with a growing mini-batch, m_k = k.
"""

from dataclasses import dataclass

from ..common.parameters import checked
from . import ncgs
from .estimators import sg

State = ncgs.State


@checked
@dataclass(frozen=True)
class Solver(ncgs.Solver):
    """NCGS option II on G_k = (1/m_k) Σ ∇f_i(θ_k^md), m_k = k.

    The paper stops at a random R with P(R = k) ∝ k(k+1) and returns θ_R^md. Our runs continue to the end of
    the budget; the evidence takes a mean over R with these weights.
    """

    def gradient(self, oracles, theta_md, k, rng):
        """G_k: k IFO."""
        return sg.Estimator(k).update(oracles, None, theta_md, rng)[0]

    def stationary(self, gradient) -> bool:
        """Always False: a sampled gradient may vanish although ∇F does not."""
        return False
