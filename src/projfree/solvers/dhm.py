"""Totally corrective conditional gradient of Dudík, Harchaoui and Malick (2012): DHM in gcg §3.3 and §5."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from ..common.parameters import Count, NotNegative, checked
from ..families import regularised
from ..linalg.factored import WeightedAtoms
from .inner import conic_search, corrective
from .inner.certificate import optimal_level
from .inner.steps import AtX


@dataclass
class State(AtX):
    """W_t as a list of atoms, including atoms of weight 0, and the buffers of the corrective step."""

    x: WeightedAtoms
    buffer: object  # corrective.Gram or corrective.Embedded
    t: int = 0
    warm: np.ndarray | None = None
    converged: bool = False


@checked
@dataclass(frozen=True)
class Solver:
    """Append the polar atom, then σ = argmin over σ ≥ 0 of ℓ(Σσ_τ u_τ v_τᵀ) + λΣσ_τ (eq. 42): 1 PU a step.

    Attributes
    ----------
    correct : {"lbfgs", "line_search", "active_set"}
        Method for eq. (42): L-BFGS-B; exact coordinate steps, on the new atom and then once on each old one,
        our interpretation of DHM's line search (U11); or active sets, the strong form. The last two are for
        the square loss.
    accuracy : float
        Largest entry of the projected gradient that ends the correction, in units of λ (U10).
    most_iterations : int
        Largest number of iterations of L-BFGS-B, or of linear systems of the active set method.
    polar_tol, tol : float
        Relative residual of the polar atom; tolerance of the stopping test.
    """

    correct: Literal["lbfgs", "line_search", "active_set"] = "lbfgs"
    accuracy: NotNegative = 1e-6
    most_iterations: Count = 500
    polar_tol: NotNegative = 1e-3
    tol: NotNegative = 1e-4

    families = (regularised.FAMILY,)

    def start(self, oracles, rng):
        """No atoms."""
        if self.correct != "lbfgs" and not oracles.problem.quadratic:
            raise ValueError(f"dhm: {self.correct} is for the square loss")
        buffer = corrective.Gram if oracles.problem.quadratic else corrective.Embedded
        return State(oracles.start("atoms"), buffer.empty(oracles))

    def step(self, oracles, s, rng):
        """One atom, all weights."""
        slopes = oracles.slopes(s.x.image)
        atom = oracles.polar(slopes, start=s.warm, tol=self.polar_tol)
        s.t, s.warm = s.t + 1, atom.warm
        if optimal_level(oracles, s.x, slopes, atom.value, self.tol) is not None:
            s.converged = True
            return s
        p = oracles.image(atom.u[:, None], atom.v[:, None])
        with oracles.phase("linesearch"):
            theta = conic_search.search(oracles, s.x, p)[1]
        with oracles.phase("reduce"):
            x = s.x.appended(atom.u, atom.v, theta, s.x.image, s.x.rho)
            s.buffer.add(oracles, x, p)
            sigma, weights = self.weights(oracles, s.buffer, x), x.weights.copy()
            weights[: x.count] = sigma
            x = replace(x, weights=weights, rho=float(sigma.sum()))
            s.x = replace(x, image=oracles.image(x.U, x.V))  # of atoms of positive weight
        return s

    def weights(self, oracles, buffer, x):
        """σ."""
        gtol = self.accuracy * max(oracles.constraint.weight, 1e-12)
        if self.correct == "line_search":
            return buffer.coordinate_pass(oracles, x)
        if self.correct == "active_set":
            return buffer.active_set(oracles, x, self.most_iterations, gtol)
        return buffer.minimise(oracles, x, {"maxiter": self.most_iterations, "gtol": gtol, "ftol": 0.0})
