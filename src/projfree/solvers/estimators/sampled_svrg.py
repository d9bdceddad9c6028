"""SVRG in the stochastic setting: the anchor's gradient is a fresh batch (Reddi et al. 2016, SVFW-S)."""

from dataclasses import dataclass

import numpy as np

from ...common.parameters import Count
from . import component_batch, release
from .svrg import paper_epoch


@dataclass
class State:
    """The anchor θ̃, and its age in steps."""

    point: np.ndarray  # θ̃
    gradient: np.ndarray  # batch gradient at θ̃
    age: int = 0  # estimates drawn since the refresh


@dataclass(frozen=True)
class Estimator:
    """v = (1/b) Σ_{i∈I} (∇f_i(x) − ∇f_i(θ̃)) + (1/B) Σ_{i∈J} ∇f_i(θ̃), J drawn at the anchor.

    B IFO a refresh, 2b IFO an update, at the anchor too.

    Attributes
    ----------
    anchor_batch : int, B
    batch, epoch : int or None
        b and m; None is m², and round(B^{1/3}).
    """

    anchor_batch: Count
    batch: Count | None = None
    epoch: Count | None = None

    def update(self, oracles, anchor: State | None, x, rng):
        """The estimate at x, after a refresh at x if the epoch is over; returns (v, anchor)."""
        epoch = self.epoch or paper_epoch(self.anchor_batch)
        if anchor is None or anchor.age >= epoch:
            release(anchor)
            sample = component_batch(rng, oracles.n, self.anchor_batch)
            anchor = State(x.copy(), oracles.component_gradient(x, sample))
        anchor.age += 1
        batch = component_batch(rng, oracles.n, self.batch or epoch**2)
        change = oracles.component_gradient(x, batch) - oracles.component_gradient(anchor.point, batch)
        return anchor.gradient + change, anchor
