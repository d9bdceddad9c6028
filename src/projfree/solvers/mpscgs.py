"""Mirror-prox stochastic conditional gradient sliding (mpcgs Algorithms 6 and 7, Theorem 3).

Our text of the paper lacks all formulas; we derived the parameters (docs/replication-notes.md).
"""

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from ..common.parameters import Count, Positive, checked
from . import mpcgs
from .estimators import component_batch
from .inner.sliding import STORC
from .mpcgs import State  # noqa: F401 - the same state


@checked
@dataclass(frozen=True)
class Solver(mpcgs.Solver):
    """MPCGS with ∇_x from one growing sample S_k a step, used in all its passes, and y by (inexact) STORC.

    In the y-block of the problem all components share one Hessian. So STORC's variance-reduced steps have no
    variance; with snapshots of all n, the method is sliding with STORC's parameters. The attributes are those
    of `mpcgs`, with `beta` 12, and:

    Attributes
    ----------
    schedule : {"derived", "cubic"}
        P_k = ⌈σ_x² k(k+1)²/(6M²D²)⌉ with σ_x² at the current y, or ⌈n(k/`horizon`)³⌉ (U5).
    floor : int
        Lower limit of P_k; n is the upper one.
    horizon : int
    replace : bool
        Whether samples are drawn with replacement; without, P_k = n is exact (U6).
    """

    phases: ClassVar = STORC
    bound: ClassVar = 42.0
    beta: Positive = 12.0
    schedule: Literal["derived", "cubic"] = "derived"
    floor: Count = 100
    horizon: Count = 200
    replace: bool = False

    def draw(self, oracles, s, rng):
        """S_k, sorted, and its rows; None for all."""
        size = self.sample_size(oracles, s)
        if size >= oracles.n and not self.replace:
            return None
        batch = np.sort(component_batch(rng, oracles.n, size, self.replace))
        return batch, oracles.rows(batch)

    def sample_size(self, oracles, s) -> int:
        """P_k."""
        k, n = s.k, oracles.n
        if self.schedule == "cubic":
            return min(n, self.floor + math.ceil(n * (k / self.horizon) ** 3))
        scale = 6 * (self.M(oracles.constants) * oracles.constraint.diameter) ** 2
        size = oracles.problem.sq_noise(s.y) * k * (k + 1) ** 2 / scale if scale else n
        return min(n, max(self.floor, math.ceil(size)))

    def slopes(self, oracles, scores, sample):
        """The part for the rows of the sample only."""
        return oracles.slopes(scores, None if sample is None else sample[0])

    def gradient_x(self, oracles, slopes, y, sample):
        """∇_x f over the sample."""
        if sample is None:
            return super().gradient_x(oracles, slopes, y, sample)
        batch, rows = sample
        return oracles.batch_gradient_x(rows, slopes, y, batch)
