"""SPIDER: the path-integrated differential estimator (nfwu GE 3; Fang et al. 2018)."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...common.parameters import Count
from ...linalg.sampled import snapshot
from ...linalg.scratch import pieces
from . import component_batch, release


@dataclass
class State:
    """The last estimate, and its point."""

    gradient: Any  # g^{t−1}, a running sum: it cannot be recomputed
    point: np.ndarray | None  # x^{t−1}, as far as components see it
    age: int = 1  # estimates since the refresh


@dataclass(frozen=True)
class Estimator:
    """g^t = (1/b) Σ_{i∈S} (∇f_i(x^t) − ∇f_i(x^{t−1})) + g^{t−1}, and ∇F(x^t) every `epoch` steps.

    n IFO (1 FO) a refresh, 2b IFO an update. E g^t − ∇F(x^t) = g^{t−1} − ∇F(x^{t−1}): a martingale, so that
    E‖g^t − ∇F(x^t)‖² ≤ (L_vr²/b) Σ ‖x^s − x^{s−1}‖² over the epoch's steps.

    Attributes
    ----------
    batch, epoch : int, b and p
    replace : bool, whether S is drawn with replacement
    """

    batch: Count
    epoch: Count
    replace: bool = True

    def update(self, oracles, state: State | None, x, rng):
        """The estimate at x, exact if the epoch is over; returns (g, state)."""
        if state is None or state.age >= self.epoch:
            release(state)
            state = self.refresh(oracles, x)
            return state.gradient, state
        batch = component_batch(rng, oracles.n, self.batch, self.replace)
        change = oracles.component_slopes(x, batch)
        for part in pieces(self.batch):
            change[part] -= oracles.component_slopes(state.point, batch[part])
        self.correct(oracles, state, x, batch, change)
        change /= self.batch
        oracles.add_components(state.gradient, change, batch)
        state.point = None  # before there is a new one: they are long
        state.point, state.age = snapshot(x), state.age + 1
        return state.gradient, state

    def correct(self, oracles, state, x, batch, change):
        """The part of the step that is known without the batch: nothing."""

    def refresh(self, oracles, x) -> State:
        """Start the sum again from ∇F(x)."""
        return State(oracles.gradient(x), snapshot(x))


def theory(constants, n: int, epsilon: float) -> tuple[float, float]:
    """(b, p) for E‖g − ∇F‖² ≤ ε² with steps ε/L: √n, √n, as the error is ≤ pε²/b (nfwu §3.2)."""
    return n**0.5, n**0.5
