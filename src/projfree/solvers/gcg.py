"""Generalised conditional gradient: Algorithms 2 and 3 of Yu, Zhang and Schuurmans (2017).

One outer loop; what Improve (Algorithm 2) or Reduce (Algorithm 3) does is a policy of `solvers/reduce`.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np

from ..common import parameters
from ..common.parameters import Count, NotNegative, checked
from ..families import regularised
from . import reduce
from .inner import conic_search
from .inner.certificate import seems_optimal
from .inner.steps import AtX


@dataclass
class State(AtX):
    """W_t with ρ_t, and the warm start of the next polar."""

    x: object  # Factors or WeightedAtoms, as the policy has it
    t: int = 0
    level: float = np.inf  # κ°(−∇ℓ(W_{t−1})), from below
    warm: np.ndarray | None = None  # start of the next polar
    converged: bool = False


@dataclass(frozen=True)
class Seeds:
    """W_0 of random columns of unit atoms.

    Attributes
    ----------
    columns : int
    first : {"reduce", "polar"}
        Whether the first iteration does nothing but Reduce them (U9).
    law : str or None
        The penalty's law of random columns; None is its own choice.
    """

    columns: Count
    first: Literal["reduce", "polar"] = "reduce"
    law: str | None = None


@checked
@dataclass(frozen=True)
class Solver:
    """W_{t+1} = Reduce((1−η_t)W_t + θ_t u_t v_tᵀ), with (u_t, v_t) the polar atom of −∇ℓ(W_t): 1 PU a step.

    Attributes
    ----------
    reduce : dict
        The inner policy, ``{name: lbfgs | null | …, **parameters}``.
    line_search : {"exact", "open_loop"}
        (η, θ) by eq. (40); or η = 2/(t+2) with θ of eq. (34), which needs the constant `L_full`.
    polar_tol : float
        Relative residual of the polar atom (gcg U2).
    tol : float
        Stops when κ°(−∇ℓ) ≤ λ(1 + tol) and ``|⟨∇ℓ, W⟩ + λρ|`` ≤ tol·F, of which ours (U3).
    seeds : dict, optional
        Those of `Seeds`, from which W_0 is made (U8).
    """

    reduce: dict = field(default_factory=lambda: {"name": "lbfgs"})
    line_search: Literal["exact", "open_loop"] = "exact"
    polar_tol: NotNegative = 1e-3
    tol: NotNegative = 1e-4
    seeds: dict | None = None

    families = (regularised.FAMILY,)

    def __post_init__(self):
        self.policy, self.planted  # noqa: B018 - what they refuse is an error now

    @cached_property
    def policy(self):
        return reduce.make(self.reduce)

    @cached_property
    def planted(self):
        return parameters.call(Seeds, self.seeds) if self.seeds else None

    def start(self, oracles, rng):
        """W_0 = 0, ρ_0 = 0, or random columns."""
        if not self.planted:
            return State(self.policy.start(oracles))
        rows, side = oracles.problem.shape
        law = {"law": self.planted.law} if self.planted.law else {}
        U = oracles.constraint.random_columns(rng, rows, self.planted.columns, **law)
        V = rng.standard_normal((side, self.planted.columns))
        return State(oracles.point(U, V / np.linalg.norm(V, axis=0)))

    def step(self, oracles, s, rng):
        """One outer iteration."""
        if s.t == 0 and self.planted and self.planted.first == "reduce":
            with oracles.phase("reduce"):
                s.x, s.t = self.policy.reduce(oracles, s.x), 1
            return s
        slopes = oracles.slopes(s.x.image)
        atom = oracles.polar(slopes, start=s.warm, tol=self.polar_tol)
        s.warm = atom.warm
        if seems_optimal(oracles, s.x, slopes, atom.value, self.tol):
            atom = oracles.polar(slopes, tol=self.tol / 10)  # once more, from a random start
            s.converged = seems_optimal(oracles, s.x, slopes, atom.value, self.tol)
        s.t, s.level = s.t + 1, float(atom.value)
        del slopes  # as large as the data
        return s if s.converged else self.move(oracles, s, atom.u[:, None], atom.v[:, None])

    def move(self, oracles, s, u, v):
        """Line search along the atom, then the policy."""
        with oracles.phase("linesearch"):
            image = oracles.image(u, v)
            keep, theta = self.weights(oracles, s, u, v, s.level, image)
            s.x = s.x.moved(keep, theta, u, v, image)
        with oracles.phase("reduce"):
            s.x = self.policy.reduce(oracles, s.x)
        return s

    def weights(self, oracles, s, u, v, value, image):
        """(1 − η_t, θ_t)."""
        if self.line_search == "exact":
            return conic_search.search(oracles, s.x, image)
        eta, L = 2 / (s.t + 1), oracles.constants["L_full"]
        return 1 - eta, open_loop_weight(s.x, u[:, 0], v[:, 0], value, eta, L, oracles.constraint.weight)


def open_loop_weight(x, u, v, value: float, eta: float, L: float, weight: float) -> float:
    """θ of eq. (34): argmin over θ ≥ 0 of ⟨θA − ηW, ∇ℓ⟩ + (L/2)‖θA − ηW‖² + λθ, with value = ⟨A, −∇ℓ⟩."""
    square = float((u @ u) * (v @ v))
    return max(L * eta * x.inner(u, v) + value - weight, 0.0) / (L * square)
