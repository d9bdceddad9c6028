"""Restarted conditional gradient sliding for strongly convex functions, for CGS, STORC and MPCGS."""

import math
from dataclasses import dataclass

import numpy as np

from ...linalg.dense import blend
from ...sets import simplex
from .condg import StopRule, condg
from .condg_simplex import condg_simplex


@dataclass(frozen=True)
class Phases:
    """The parameters of a phase that halves the error δ of its start.

    A phase has N = ⌈√(stretch·κ)⌉ steps with λ_k = 2/(k+1), β_k = factor·L/k, η_k = 8Lδ/(2μNk).

    Attributes
    ----------
    factor, stretch : float
        CGS (Lan and Zhou, Theorem 2.4): 2, 24. STORC (Hazan and Luo): 3, 32; with sampled snapshots 128.
    """

    factor: float
    stretch: float

    def length(self, kappa) -> int:
        """N."""
        return math.ceil(round(math.sqrt(self.stretch * kappa), 9))

    def beta(self, smoothness, k) -> float:
        """β_k."""
        return self.factor * smoothness / k

    def eta(self, smoothness, modulus, delta, k) -> float:
        """η_k of a phase that starts within delta of the minimum."""
        return 4 * smoothness * delta / (modulus * self.length(smoothness / modulus) * k)


CGS, STORC, ISTORC = Phases(2.0, 24.0), Phases(3.0, 32.0), Phases(3.0, 128.0)


def slide(gradient, prox, x, v, k, beta, eta, max_lo=None):
    """One step: v ← CndG(∇(z), v, β, η) at z = (1−λ)x + λv, x ← (1−λ)x + λv; returns (x, v, LO calls)."""
    share = 2 / (k + 1)
    z = blend(x, v, share)
    v, lo = prox(gradient(z), v, beta, eta, max_lo)
    return blend(x, v, share), v, lo


def prox_over(oracles):
    """CndG over the oracles' set: (g, u, β, η, most LO calls or None) → (v, LO calls)."""

    def prox(g, u, beta, eta, max_lo=None):
        if isinstance(oracles.constraint, simplex.Set):
            v, _, lo = over_simplex(oracles.count_lo, g, u, beta, eta, max_lo, oracles.constraint.total)
            return v, lo
        kind = "theorem" if max_lo is None else "capped"
        result = condg(oracles, g, u, 1 / beta, StopRule(kind, max(eta, TINY), max_lo=max_lo or 1))
        return result.x, result.lo

    return prox


def over_simplex(counted, g, u, beta, eta, max_lo=None, total=1.0):
    """CndG over a simplex in compiled loops, between which a budget can end it.

    `counted` runs a function whose last result is the number of linear minimisations. Returns (v, gap, LO).
    """
    v, used, most = u, 0, MOST if max_lo is None else max_lo
    while True:
        left = min(CHUNK, most - used)
        v, gap, lo = counted(condg_simplex, g, u, v, beta, eta, left, total)
        used += lo
        if lo < left or gap <= eta or used >= most:
            return v, gap, used


#: Linear minimisations between two looks at the budget, and in all; the least η, below which rounding rules.
CHUNK, MOST, TINY = 20_000, 2_000_000, 1e-300


@dataclass
class Restarted:
    """The end of a restarted run: the point, a bound on its error, counts, whether the cap ended it."""

    x: np.ndarray
    delta: float
    phases: int
    steps: int
    lo: int
    capped: bool


def restarted(
    gradient, prox, gap, x, smoothness, modulus, epsilon, phases=CGS, max_lo=None, delta=None
) -> Restarted:
    """Phases from x until the error is at most epsilon: by their guarantee, or by a Frank-Wolfe gap.

    `gap(x)` is the Frank-Wolfe gap, one linear minimisation; of the start it is δ₀ if that is not given as
    `delta` (mpcgs U3).
    `prox` as `prox_over` makes it. With `max_lo` the calls of CndG together spend at most so many
    linear minimisations, shared evenly over the steps of a phase, and the guarantee becomes formal.
    """
    delta, lo = (gap(x), 1) if delta is None else (delta, 0)
    used, done = 0, 0
    steps = phases.length(smoothness / modulus)
    required = max(0, math.ceil(math.log2(delta / epsilon))) if delta > epsilon else 0
    share = None if max_lo is None else max(1, max_lo // steps)
    while done < required and delta > epsilon:
        v = x
        for k in range(1, steps + 1):
            cap = None if max_lo is None else min(share, max_lo - used)
            if cap == 0:
                return Restarted(x, delta, done, done * steps + k - 1, lo + used, True)
            eta = phases.eta(smoothness, modulus, delta, k)
            x, v, calls = slide(gradient, prox, x, v, k, phases.beta(smoothness, k), eta, cap)
            used += calls
        done += 1
        delta = min(delta / 2, gap(x)) if max_lo is None else gap(x)
        lo += 1
    return Restarted(x, delta, done, done * steps, lo + used, delta > epsilon)
