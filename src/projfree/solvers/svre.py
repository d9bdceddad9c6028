"""Stochastic variance-reduced extragradient with mini-batches and projections (Chavdarova et al. 2019)."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..families import saddle
from ..ground.parameters import Count, Positive, checked
from .estimators import component_batch
from .inner.saddle import Pair


@dataclass
class State:
    """The pair, the snapshot with its full gradients, and what is left of the epoch."""

    x: np.ndarray
    y: np.ndarray
    x_snapshot: np.ndarray
    y_snapshot: np.ndarray
    full_x: np.ndarray | None = None
    full_y: np.ndarray | None = None
    left: int = 0

    @property
    def iterate(self):
        """(x, y)."""
        return Pair(self.x, self.y)


@checked
@dataclass(frozen=True)
class Solver:
    """Extragradient steps with d = (1/b) Σ [∇F_i(z) − ∇F_i(snapshot)] + ∇f(snapshot), projected on both sets.

    Attributes
    ----------
    batch : int, b, at most n
    rate : float or None
        One step for both blocks, η_x = η_y, as the paper's search (U9).
    factor_x, factor_y : float
        Else η_x = factor_x/L_xx and η_y = factor_y/μ; None for factor_y is b/n.
    projection : {"full", "gram", "partial"}
        How the set of x projects.
    random_epochs : bool
        Epochs of Geometric(b/n) length, as Chavdarova et al., else of ⌈n/b⌉ (U23).
    """

    families = (saddle.FAMILY,)
    batch: Count = 100
    rate: Positive | None = None
    factor_x: Positive = 1.0
    factor_y: Positive | None = None
    projection: Literal["full", "gram", "partial"] = "full"
    random_epochs: bool = True

    def start(self, oracles, rng):
        """The problem's start."""
        x, y = oracles.start()
        return State(x, y, x, y)

    def step(self, oracles, s, rng):
        """One inner step: 4b IFO, 2 PO in x, 2 in y; before it the snapshot where an epoch begins (1 FO)."""
        if s.left == 0:
            self.take_snapshot(oracles, s, rng)
        s.left -= 1
        rate_x, rate_y = self.rates(oracles)
        middle = s.x, s.y
        for _ in range(2):  # extrapolation, then the update from the same pair
            d_x, d_y = self.direction(oracles, s, *middle, rng)
            middle = (
                oracles.project(s.x - rate_x * d_x, method=self.projection),
                oracles.dual.project(s.y + rate_y * d_y),
            )
        s.x, s.y = middle
        return s

    def take_snapshot(self, oracles, s, rng):
        """∇f at the pair, and the length of the epoch."""
        b, n = min(self.batch, oracles.n), oracles.n
        s.x_snapshot, s.y_snapshot = s.x, s.y
        s.full_x, s.full_y = oracles.gradients(oracles.scores(s.x), s.y)
        s.left = int(rng.geometric(b / n)) if self.random_epochs else -(-n // b)
        oracles.tally.add(snapshots=1)

    def direction(self, oracles, s, x, y, rng):
        """The variance-reduced estimate of both gradients at (x, y)."""
        size = min(self.batch, oracles.n)
        batch = component_batch(rng, oracles.n, size, replace=size < oracles.n)
        here = oracles.batch_gradients(x, y, batch)
        there = oracles.batch_gradients(s.x_snapshot, s.y_snapshot, batch)
        return here[0] - there[0] + s.full_x, here[1] - there[1] + s.full_y

    def rates(self, oracles):
        """η_x, η_y."""
        if self.rate is not None:
            return self.rate, self.rate
        share = min(self.batch, oracles.n) / oracles.n if self.factor_y is None else self.factor_y
        return self.factor_x / oracles.constants["L_xx"], share / oracles.constants["mu"]
