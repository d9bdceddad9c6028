"""Generalised conditional gradient with a block of atoms a step; our variant, for speed.

Algorithm 3 of Yu, Zhang and Schuurmans (2017), but a step adds all singular pairs of −∇ℓ that exceed λ,
orthogonal to the atoms of the iterate, instead of the polar atom. Their mean with weights σ_i − λ has κ = 1
like any atom. So the line search, the surrogate ℓ + λρ and the certificate are unchanged.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..common.parameters import Count, NotNegative, checked
from ..families import regularised
from .inner import conic_search
from .inner.certificate import seems_optimal
from .inner.steps import AtX
from .reduce.scaled_lbfgs import Policy


@dataclass
class State(AtX):
    """W_t in singular coordinates with ρ_t = κ(W_t), and data of the last block."""

    x: object
    t: int = 0
    level: float = np.inf  # the largest value of the last block
    warm: np.ndarray | None = None  # right columns of it, the start of the next
    converged: bool = False


@checked
@dataclass(frozen=True)
class Solver:
    """W_{t+1} = Reduce((1−η_t)W_t + θ_t Σ w_i u_i v_iᵀ), w_i ∝ (σ_i − λ)₊: 1 PU a step.

    Attributes
    ----------
    atoms : int
        Largest number of atoms a step: singular pairs of −∇ℓ(W_t) orthogonal to the factors of W_t.
    iterations, memory : int
        Number of iterations, and memory, of L-BFGS in Reduce (`solvers/reduce/scaled_lbfgs`).
    tol : float
        Stop if the bound of κ°(−∇ℓ) is at most λ(1 + tol) and ``|⟨∇ℓ, W⟩ + λρ|`` ≤ tol·F.
    """

    atoms: Count = 64
    iterations: Count = 15
    memory: Count = 5
    tol: NotNegative = 1e-3

    families = (regularised.FAMILY,)
    needs = ("atoms", "rotate")

    @cached_property
    def policy(self):
        return Policy(iterations=self.iterations, memory=self.memory)

    def start(self, oracles, rng):
        """W_0 = 0."""
        return State(self.policy.start(oracles))

    def step(self, oracles, s, rng):
        """One outer iteration."""
        slopes = oracles.slopes(s.x.image)
        U, values, V = oracles.polars(slopes, self.atoms, start=s.warm, beside=s.x)
        s.warm = V
        if not (values > oracles.constraint.weight * (1 + self.tol)).any():
            polar = oracles.polar(slopes, tol=self.tol / 4)
            s.converged = seems_optimal(oracles, s.x, slopes, polar.bound, self.tol)
            U, values, V = polar.u[:, None], np.array([polar.value]), polar.v[:, None]
        s.t, s.level = s.t + 1, float(values[0])
        del slopes  # as large as the data
        return s if s.converged else self.move(oracles, s, U, values, V)

    def move(self, oracles, s, U, values, V):
        """Line search along the mean of the atoms, then Reduce."""
        with oracles.phase("linesearch"):
            u, v = mean(U, values - oracles.constraint.weight, V)
            image = oracles.image(u, v)
            keep, theta = conic_search.search(oracles, s.x, image)
            s.x = s.x.moved(keep, theta, u, v, image)
        with oracles.phase("reduce"):
            s.x = self.policy.reduce(oracles, s.x)
        return s


def mean(U, excess, V):
    """The mean of orthogonal atoms, weighted by their excess over λ; the first atom if there is no excess."""
    used = excess > 0
    if not used.any():
        return U[:, :1], V[:, :1]
    root = np.sqrt(excess[used] / excess[used].sum())
    return U[:, used] * root, V[:, used] * root
