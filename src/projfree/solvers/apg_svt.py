"""Accelerated proximal gradients by singular value thresholding (Toh and Yun 2010): APG in gcg §5.1.

The paper calls it too slow and does not run it. `plain` decomposes a dense matrix in each step. The strong
form adds Toh and Yun's continuation, a partial decomposition that starts from the last iterate's columns and
is as accurate as the step needs, and restarts of the momentum (O'Donoghue and Candès 2015).
"""

import math
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from ..common.parameters import Count, NotNegative, Range, checked
from ..families import regularised
from ..linalg.factored import Factors, combined
from ..linalg.low_rank import LowRankPlusSparse
from .inner.certificate import optimal_level
from .inner.steps import AtX


@dataclass
class State(AtX):
    """W_k, W_{k−1} and the momentum between them."""

    x: Factors
    before: Factors
    momentum: float = 1.0  # t_k
    weight: float = math.inf  # λ_k of the continuation
    value: float = math.inf  # F at W_k with λ_k
    change: float = 1.0  # of F in the last step, relative
    t: int = 0
    peak_rank: int = 0
    converged: bool = False


@checked
@dataclass(frozen=True)
class Solver:
    """W_{k+1} = SVT_{λ_k/L}(Y_k − ∇ℓ(Y_k)/L) with Y_k = W_k + ((t_{k−1} − 1)/t_k)(W_k − W_{k−1}).

    1 FO and 1 PO a step.

    Attributes
    ----------
    plain : bool
        Use a full decomposition of the dense matrix, λ_k = λ and no restarts.
    decay : float
        λ_{k+1} = max(decay·λ_k, λ) from λ_0 = κ°(−∇ℓ(0)).
    check : int
        Number of steps between two tests for optimality of W_k (1 PU each).
    partial : {"block", "partial"}
        Decomposition of operators in the strong form: block power sweeps from W_k, or Lanczos
        bidiagonalisation from a random start, to 1e-8.
    tol : float
        Tolerance of the stopping test.
    """

    plain: bool = False
    decay: Annotated[float, Range(above=0, below=1)] = 0.7
    check: Count = 10
    partial: Literal["block", "partial"] = "block"
    tol: NotNegative = 1e-4

    families = (regularised.FAMILY,)
    needs = ("prox",)

    def start(self, oracles, rng):
        """W_0 = 0."""
        zero = oracles.start("factors")
        s = State(zero, zero, weight=oracles.constraint.weight)
        if not self.plain:
            s.weight = max(s.weight, oracles.polar(oracles.slopes(zero.image), tol=1e-2).value)
        return s

    def step(self, oracles, s, rng):
        """One proximal gradient step."""
        if s.t % self.check == 0 and self.stops(oracles, s):
            s.converged = True
            return s
        s.t += 1
        weight = oracles.constraint.weight
        level = weight if self.plain else max(self.decay * s.weight, weight)
        following = (1 + math.sqrt(1 + 4 * s.momentum**2)) / 2
        y, beta = s.x, (s.momentum - 1) / following
        if beta:
            y = extrapolated(s.x, s.before, beta)
        with oracles.phase("reduce"):
            x = self.proximal_step(oracles, y, level, s)
        value = oracles.value(x.image) + level * x.rho
        restart = not self.plain and level == s.weight and value > s.value
        s.change = abs(value - s.value) / abs(value) if s.value < math.inf and value else 1.0
        s.before, s.x = s.x, x
        s.momentum, s.weight, s.value = 1.0 if restart else following, level, value
        s.peak_rank = max(s.peak_rank, x.rank)
        return s

    def proximal_step(self, oracles, y, level, s):
        """SVT of Y − ∇ℓ(Y)/L as factors with ρ equal to the trace norm."""
        L = oracles.constants["L_full"]
        G = oracles.problem.gradient(oracles.slopes(y.image))
        if self.plain or isinstance(G, np.ndarray):
            G = G if isinstance(G, np.ndarray) else G.toarray()
            result = oracles.prox(y.toarray() - G / L, 1 / L, method="full", weight=level)
        else:
            Y = LowRankPlusSparse(y.U, y.V, G.scaled(-1 / L))
            options = {"method": self.partial, "weight": level, "guess": s.x.rank + 5}
            if self.partial == "block":
                options |= {"warm": s.x.V, "accuracy": min(max(SHARE * s.change, LEAST), MOST)}
            result = oracles.prox(Y, 1 / L, **options)
        return oracles.point(*result.x)

    def stops(self, oracles, s) -> bool:
        """The certificate of optimality at W_k."""
        if s.weight > oracles.constraint.weight:
            return False
        slopes = oracles.slopes(s.x.image)
        level = oracles.polar(slopes, tol=self.tol / 10).value
        return optimal_level(oracles, s.x, slopes, level, self.tol) is not None


#: Accuracy of a decomposition in the last relative change of F, and its bounds.
SHARE, LEAST, MOST = 0.1, 1e-9, 1e-2


def extrapolated(x: Factors, before: Factors, beta: float) -> Factors:
    """(1 + β)x − βx₋."""
    U = np.concatenate([(1 + beta) * x.U, -beta * before.U], axis=1)
    V = np.concatenate([x.V, before.V], axis=1)
    return Factors(U, V, combined(1 + beta, x.image, -beta, before.image))
