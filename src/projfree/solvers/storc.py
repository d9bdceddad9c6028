"""STORC: variance-reduced conditional gradient sliding (Hazan and Luo 2016, Algorithm 2)."""

import math
from dataclasses import dataclass

import numpy as np

from ..common.parameters import Count, Positive, checked
from ..families import strongly_convex
from ..linalg.atoms import as_array
from .estimators import component_batch
from .inner.sliding import ISTORC, STORC, prox_over, slide
from .inner.steps import AtX


@dataclass
class State(AtX):
    """One phase of the method: the snapshot and the state of the inner steps."""

    x: np.ndarray  # x_k; after the last step of a phase w_t
    v: np.ndarray  # v_k
    snapshot: np.ndarray  # w_{t−1}
    estimate: np.ndarray | None = None  # ĝ, (an estimate of) the gradient at the snapshot
    k: int = 0  # steps done in the phase
    t: int = 0  # phases done
    delta: float = np.nan  # δ_t = LD²/2^{t+1}, the error that theory promises of the snapshot
    converged: bool = False


@checked
@dataclass(frozen=True)
class Solver:
    """Phases of N = ⌈√(32κ)⌉ steps with ∇̃_k = mean[∇f_i(z_k) − ∇f_i(w)] + ĝ over Q samples, at a snapshot w.

    λ_k = 2/(k+1), β_k = 3L/k, η_k = 2LD_t²/(Nk), D_t² = κD²/2^{t−1}. The start is the vertex that minimises
    ⟨∇f(w'), ·⟩ at the problem's start w', so that its error is at most LD²/2.

    Attributes
    ----------
    exact : bool
        Whether ĝ is the full gradient. Otherwise it is the mean of P_t = min(n, ⌈8σ²/(μδ_{t−1})⌉) samples
        (mpcgs Algorithm 5), the full gradient if P_t = n, and N is ⌈√(128κ)⌉.
    batch_factor : float
        Q = min(n, ⌈batch_factor·Nκ⌉); the theory has 5600 (mpcgs U4).
    long_phases : bool
        N = ⌈√(128κ)⌉ for every ĝ, for comparisons.
    snapshot_size : int or None
        A fixed P_t.
    smoothness : str
        Name of the problem's constant to use as L.
    max_lo : int or None
        Largest number of linear minimisations a step; None uses the theorem's η.
    """

    families = (strongly_convex.FAMILY,)
    exact: bool = True
    batch_factor: Positive = 1.0
    long_phases: bool = False
    snapshot_size: Count | None = None
    smoothness: str = "L_vr"
    max_lo: Count | None = None

    def start(self, oracles, rng):
        """w_0: one gradient, one LO."""
        w = oracles.start()
        w = as_array(oracles.lmo(oracles.gradient(w))).copy()
        return State(w, w.copy(), w.copy())

    def step(self, oracles, s, rng):
        """One inner step; at the start of a phase, the gradient of the snapshot first."""
        L, mu = oracles.constants[self.smoothness], oracles.constants["mu"]
        rule, k = self.rule, s.k + 1
        if k == 1:
            self.begin(oracles, s, L, mu, rng)
        size = self.batch(oracles.n, L, mu)

        def gradient(z):
            batch = component_batch(rng, oracles.n, size, replace=False)
            at_z, at_w = (oracles.component_gradient(point, batch) for point in (z, s.snapshot))
            return at_z - at_w + s.estimate

        beta, eta = rule.beta(L, k), rule.eta(L, mu, s.delta, k)
        s.x, s.v, _ = slide(gradient, prox_over(oracles), s.x, s.v, k, beta, eta, self.max_lo)
        s.k = k
        if k == rule.length(L / mu):
            s.v, s.snapshot, s.k, s.t, s.delta = s.x.copy(), s.x.copy(), 0, s.t + 1, s.delta / 2
        return s

    @property
    def rule(self):
        """The phases' parameters."""
        return STORC if self.exact and not self.long_phases else ISTORC

    def batch(self, n, L, mu) -> int:
        """Q."""
        return min(n, math.ceil(self.batch_factor * self.rule.length(L / mu) * L / mu))

    def begin(self, oracles, s, L, mu, rng):
        """ĝ at the snapshot."""
        if np.isnan(s.delta):
            s.delta = L * oracles.constraint.diameter**2 / 2
        size = oracles.n if self.exact else self.snapshot_size or self.sample(oracles, s.delta, mu)
        if size >= oracles.n:
            s.estimate = oracles.gradient(s.snapshot)
        else:
            s.estimate = oracles.component_gradient(
                s.snapshot, component_batch(rng, oracles.n, size, replace=False)
            )

    def sample(self, oracles, delta, mu) -> int:
        """P_t = min(n, ⌈8σ²/(μδ_{t−1})⌉) (derived in docs/replication-notes.md)."""
        return min(oracles.n, math.ceil(8 * oracles.constants["sq_noise"] / (mu * delta)))
