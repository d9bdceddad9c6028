"""Conditional gradient sliding.

Lan, Zhou (2016), Algorithms 1 (Theorem 2.2) and 4 (Theorem 2.4); mpcgs Algorithm 1.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..common.parameters import Count, checked
from ..families import constrained, strongly_convex
from ..linalg.atoms import inner
from ..linalg.dense import blend
from .inner.sliding import CGS, prox_over, slide
from .inner.steps import AtX


@dataclass
class State(AtX):
    """x_k and v_k of phase s, which started with the error δ."""

    x: np.ndarray  # x_k; after the last step of a phase w_s
    v: np.ndarray  # v_k
    k: int = 0  # steps done in the phase
    s: int = 0  # phases done
    delta: float = np.nan  # δ₀ 2^{−s}
    converged: bool = False


@checked
@dataclass(frozen=True)
class Solver:
    """CGS: accelerated gradients with `condg` instead of each projection.

    For convex functions γ_k = 3/(k+2), β_k = 3L/(k+1), η_k = LD²/(k(k+1)), without restarts. For strongly
    convex functions (if the problem has the constant ``mu``), phases of N = ⌈2√(6L/μ)⌉ steps, each of which
    halves the error.

    Attributes
    ----------
    smoothness : str
        Name of the problem's constant to use as L.
    strong : bool
        Restart if the problem has ``mu``.
    delta0 : {"gap", "diameter"}
        The bound δ₀ on the error of the start: its Frank-Wolfe gap (one LO), or LD²/2 (mpcgs U3).
    max_lo : int or None
        Largest number of linear minimisations a step; None uses the theorem's η.
    """

    families = (constrained.FAMILY, strongly_convex.FAMILY)
    smoothness: str = "L_full"
    strong: bool = True
    delta0: Literal["gap", "diameter"] = "gap"
    max_lo: Count | None = None

    def start(self, oracles, rng):
        """w_0, the problem's start."""
        x = oracles.start()
        return State(x, x.copy())

    def step(self, oracles, s, rng):
        """One gradient and one CndG."""
        modulus = oracles.constants.get("mu", 0.0) if self.strong else 0.0
        L, k = oracles.constants[self.smoothness], s.k + 1
        if oracles.constraint.diameter == 0:
            s.converged = True
            return s
        if not modulus:
            s.x, s.v = self.convex_step(oracles, s, L, k)
            s.k = k
            return s
        if np.isnan(s.delta):
            s.delta = self.first_delta(oracles, s.x, L)
        beta, eta = CGS.beta(L, k), CGS.eta(L, modulus, s.delta, k)
        s.x, s.v, _ = slide(oracles.gradient, prox_over(oracles), s.x, s.v, k, beta, eta, self.max_lo)
        s.k = k
        if k == CGS.length(L / modulus):
            s.v, s.k, s.s, s.delta = s.x.copy(), 0, s.s + 1, s.delta / 2
        s.converged = s.delta <= 0
        return s

    def convex_step(self, oracles, s, L, k):
        """Theorem 2.2: error ≤ 15LD²/(2(k+1)(k+2))."""
        share, eta = 3 / (k + 2), L * oracles.constraint.diameter**2 / (k * (k + 1))
        z = blend(s.x, s.v, share)
        v, _ = prox_over(oracles)(oracles.gradient(z), s.v, 3 * L / (k + 1), eta, self.max_lo)
        return blend(s.x, v, share), v

    def first_delta(self, oracles, x, L):
        """δ₀."""
        if self.delta0 == "diameter":
            return L * oracles.constraint.diameter**2 / 2
        gradient = oracles.gradient(x)
        return float(np.vdot(gradient, x) - inner(gradient, oracles.lmo(gradient)))
