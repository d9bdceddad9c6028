"""SVRG: variance reduction by the full gradient at an anchor (ncgs Algorithm 4)."""

from dataclasses import dataclass

import numpy as np

from . import component_batch


@dataclass
class State:
    """The anchor θ̃, and how long it has served."""

    gradient: np.ndarray  # g = ∇F(θ̃)
    slopes: np.ndarray  # (n,) what evaluates ∇f_i(θ̃) again
    age: int = 0  # estimates drawn since the refresh


@dataclass(frozen=True)
class Estimator:
    """v = (1/b) Σ_{i∈I} (∇f_i(x) − ∇f_i(θ̃)) + ∇F(θ̃), I uniform with replacement.

    n IFO (1 FO) a refresh, 2b IFO an update. E v = ∇F(x) and E‖v − ∇F(x)‖² ≤ (L_vr²/b)‖x − θ̃‖².

    Attributes
    ----------
    batch : int or None
        b; None is the paper's ⌈n^{2/3}⌉.
    epoch : int or None
        m, estimates between two refreshes; None is the paper's round(n^{1/3}), 0 is n.
    """

    batch: int | None = None
    epoch: int | None = None

    def __post_init__(self):
        if self.batch is not None and self.batch < 1:
            raise ValueError(f"batch must be at least 1, got {self.batch}")
        if self.epoch is not None and self.epoch < 0:
            raise ValueError(f"epoch must be at least 1 (or 0 for n), got {self.epoch}")

    def update(self, oracles, anchor: State | None, x, rng):
        """The estimate at x, after a refresh at x where the epoch is over; returns (v, anchor)."""
        if anchor is None or anchor.age >= self.epoch_length(oracles.n):
            anchor = self.refresh(oracles, x)
        anchor.age += 1
        batch = component_batch(rng, oracles.n, self.batch or paper_batch(oracles.n))
        return anchor.gradient + oracles.component_gradient_difference(x, anchor.slopes, batch), anchor

    def refresh(self, oracles, x) -> State:
        """Move the anchor to x."""
        return State(*oracles.anchor(x))

    def epoch_length(self, n: int) -> int:
        """m for n components."""
        return paper_epoch(n) if self.epoch is None else self.epoch or n


def stationary(v, anchor: State) -> bool:
    """Whether the fresh anchor's gradient vanishes: then x is stationary whatever the set."""
    return anchor.age == 1 and not v.any()


def paper_batch(n: int) -> int:
    """b = ⌈n^{2/3}⌉ (ncgs Theorem 3; the rounding is U5)."""
    return int(np.ceil(round(n ** (2 / 3), 9)))


def paper_epoch(n: int) -> int:
    """m = round(n^{1/3}), at least 1 (ncgs Theorem 3; the rounding is U5)."""
    return max(1, round(n ** (1 / 3)))
