"""SVRG: variance reduction by the full gradient at an anchor (ncgs Algorithm 4, nfwu GE 2)."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...common.parameters import Count, Natural
from . import component_batch, release


@dataclass
class State:
    """The anchor θ̃, and how long it has served."""

    gradient: Any  # g = ∇F(θ̃)
    slopes: np.ndarray  # (n,) what evaluates ∇f_i(θ̃) again
    age: int = 0  # estimates drawn since the refresh

    @property
    def exact(self) -> bool:
        """Whether the last estimate was that at the anchor, ∇F itself."""
        return self.age == 1


@dataclass(frozen=True)
class Estimator:
    """v = (1/b) Σ_{i∈I} (∇f_i(x) − ∇f_i(θ̃)) + ∇F(θ̃), I uniform with replacement.

    n IFO (1 FO) a refresh, 2b IFO an update (at the anchor only with `draw_at_anchor`). E v = ∇F(x) and
    E‖v − ∇F(x)‖² ≤ (L_vr²/b)‖x − θ̃‖².

    Attributes
    ----------
    batch : int or None
        b; None is ncgs's ⌈n^{2/3}⌉.
    epoch : int or None
        m, the number of estimates between two refreshes; None is ncgs's round(n^{1/3}), 0 is n.
    replace : bool
        Whether I is drawn with replacement.
    draw_at_anchor : bool
        Draw a batch at the anchor too, as the algorithms say, although v = g there for every batch.
    """

    batch: Count | None = None
    epoch: Natural | None = None
    replace: bool = True
    draw_at_anchor: bool = False

    def update(self, oracles, anchor: State | None, x, rng):
        """The estimate at x, after a refresh at x if the epoch is over; returns (v, anchor)."""
        at_anchor = anchor is None or anchor.age >= self.epoch_length(oracles.n)
        if anchor is None or at_anchor:
            release(anchor)
            anchor = self.refresh(oracles, x)
        anchor.age += 1
        v = anchor.gradient.copy()
        if not at_anchor or self.draw_at_anchor:
            batch = component_batch(rng, oracles.n, self.batch or paper_batch(oracles.n), self.replace)
            oracles.add_component_difference(v, x, anchor.slopes, batch)
        return v, anchor

    def refresh(self, oracles, x) -> State:
        """Move the anchor to x."""
        return State(*oracles.anchor(x))

    def epoch_length(self, n: int) -> int:
        """m for n components."""
        return paper_epoch(n) if self.epoch is None else self.epoch or n


def theory(constants, n: int, epsilon: float) -> tuple[float, float]:
    """(b, p) for E‖v − ∇F‖² ≤ ε² with steps ε/L: n^{2/3}, n^{1/3}, as the error is ≤ p²ε²/b (nfwu §3.1)."""
    return n ** (2 / 3), n ** (1 / 3)


def paper_batch(n: int) -> int:
    """b = ⌈n^{2/3}⌉ (ncgs Theorem 3; the rounding is U5)."""
    return int(np.ceil(round(n ** (2 / 3), 9)))


def paper_epoch(n: int) -> int:
    """m = round(n^{1/3}), at least 1 (ncgs Theorem 3; the rounding is U5)."""
    return max(1, round(n ** (1 / 3)))
