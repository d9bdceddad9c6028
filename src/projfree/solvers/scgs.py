"""Stochastic conditional gradient sliding, strongly convex (Lan and Zhou 2016; mpcgs Remark 2)."""

import math
from dataclasses import dataclass

import numpy as np

from ..common.parameters import Count, checked
from ..families import strongly_convex
from ..linalg.atoms import as_array
from .estimators import component_batch
from .inner.sliding import STORC, prox_over, slide
from .inner.steps import AtX


@dataclass
class State(AtX):
    """x_k and v_k of phase t, which started with the error δ."""

    x: np.ndarray
    v: np.ndarray
    k: int = 0
    t: int = 0
    delta: float = np.nan


@checked
@dataclass(frozen=True)
class Solver:
    """The phases of STORC with ∇̃_k as the mean of B_k = ⌈σ²N(k+1)²/(L²D_t²)⌉ new samples, D_t² = 2δ_t/μ.

    The start is STORC's. SFO = O(σ²/(με)) (derived in docs/replication-notes.md).

    Attributes
    ----------
    smoothness : str
        Name of the problem's constant to use as L.
    max_lo : int or None
        Largest number of linear minimisations a step; None uses the theorem's η.
    """

    families = (strongly_convex.FAMILY,)
    smoothness: str = "L_vr"
    max_lo: Count | None = None

    def start(self, oracles, rng):
        """w_0: one gradient, one LO."""
        w = oracles.start()
        w = as_array(oracles.lmo(oracles.gradient(w))).copy()
        return State(w, w.copy())

    def step(self, oracles, s, rng):
        """One batch and one CndG."""
        L, mu, k = oracles.constants[self.smoothness], oracles.constants["mu"], s.k + 1
        if np.isnan(s.delta):
            s.delta = L * oracles.constraint.diameter**2 / 2
        length = STORC.length(L / mu)
        size = math.ceil(oracles.constants["sq_noise"] * length * (k + 1) ** 2 * mu / (2 * L**2 * s.delta))

        def gradient(z):
            return oracles.component_gradient(z, component_batch(rng, oracles.n, max(1, size)))

        beta, eta = STORC.beta(L, k), STORC.eta(L, mu, s.delta, k)
        s.x, s.v, _ = slide(gradient, prox_over(oracles), s.x, s.v, k, beta, eta, self.max_lo)
        s.k = k
        if k == length:
            s.v, s.k, s.t, s.delta = s.x.copy(), 0, s.t + 1, s.delta / 2
        return s
