"""Stochastic variance-reduced extragradient with mini-batches and projections (Chavdarova et al. 2019)."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..common.parameters import Count, Positive, checked
from ..families import saddle
from .estimators import component_batch
from .inner.saddle import Pair


@dataclass
class Snapshot:
    """A pair, the scores of its x, and the full gradients at it."""

    x: np.ndarray
    y: np.ndarray
    scores: np.ndarray
    full_x: np.ndarray
    full_y: np.ndarray


@dataclass
class State:
    """The pair, the snapshot, and the number of steps left in the epoch."""

    x: np.ndarray
    y: np.ndarray
    snapshot: Snapshot | None = None
    left: int = 0

    @property
    def iterate(self):
        return Pair(self.x, self.y)


@checked
@dataclass(frozen=True)
class Solver:
    """Extragradient steps with d = (1/b) Σ [∇F_i(z) − ∇F_i(snapshot)] + ∇f(snapshot), projected on both sets.

    Attributes
    ----------
    batch : int, b, at most n
    rate : float or None
        One step size for both blocks, η_x = η_y, as in the paper's search (U9).
    factor_x, factor_y : float
        Without `rate`: η_x = factor_x/L_xx and η_y = factor_y/μ; None for factor_y is b/n.
    projection : {"full", "gram", "partial"}
        Method of the projection onto the set of x.
    fused : bool
        The same steps with less work: the snapshot's gradients of a batch come from its stored scores,
        and the difference is added in one pass over its few rows.
    random_epochs : bool
        Epochs of Geometric(b/n) length, as in Chavdarova et al., else of ⌈n/b⌉ (U23).
    """

    families = (saddle.FAMILY,)
    batch: Count = 100
    rate: Positive | None = None
    factor_x: Positive = 1.0
    factor_y: Positive | None = None
    projection: Literal["full", "gram", "partial"] = "full"
    random_epochs: bool = True
    fused: bool = False

    def start(self, oracles, rng):
        """The problem's start."""
        x, y = oracles.start()
        return State(x, y)

    def step(self, oracles, s, rng):
        """One inner step: 4b IFO, 2 PO in x, 2 in y; at the start of an epoch, the snapshot first (1 FO)."""
        if s.left == 0:
            b, n, scores = min(self.batch, oracles.n), oracles.n, oracles.scores(s.x)
            s.snapshot = Snapshot(s.x, s.y, scores, *oracles.gradients(scores, s.y))
            s.left = int(rng.geometric(b / n)) if self.random_epochs else -(-n // b)
            oracles.tally.add(snapshots=1)
        s.left -= 1
        rate_x, rate_y = self.rates(oracles)
        middle = s.x, s.y
        for _ in range(2):  # extrapolation, then the update from the same pair
            x, d_y = self.moved(oracles, s, *middle, rate_x, rng)
            middle = oracles.project(x, method=self.projection), oracles.dual.project(s.y + rate_y * d_y)
        s.x, s.y = middle
        return s

    def moved(self, oracles, s, x, y, rate, rng):
        """x_k minus a step along the variance-reduced estimate of ∇_x at (x, y); the estimate of ∇_y."""
        size = min(self.batch, oracles.n)
        batch = component_batch(rng, oracles.n, size, replace=size < oracles.n)
        at = s.snapshot
        if self.fused:
            difference, d_y = oracles.batch_difference(x, y, at, batch)
            return oracles.stepped(s.x, rate, at.full_x, difference), d_y + at.full_y
        here, there = oracles.batch_gradients(x, y, batch), oracles.batch_gradients(at.x, at.y, batch)
        return s.x - rate * (here[0] - there[0] + at.full_x), here[1] - there[1] + at.full_y

    def rates(self, oracles):
        """η_x, η_y."""
        if self.rate is not None:
            return self.rate, self.rate
        share = min(self.batch, oracles.n) / oracles.n if self.factor_y is None else self.factor_y
        return self.factor_x / oracles.constants["L_xx"], share / oracles.constants["mu"]
