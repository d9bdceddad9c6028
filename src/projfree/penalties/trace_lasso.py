"""The trace Lasso λ‖X Diag(x)‖_* of a data matrix X (ipg eq. 13; Grave, Obozinski and Bach 2011)."""

from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np

from ..common.parameters import NotNegative, checked
from ..linalg.validation import finite, matrix, numbers, positive, vector
from ._vector import VectorPenalty
from .prox import choose, dual_fista, dual_frank_wolfe, perturbed, smoothing_newton

#: Singular values below this share of the largest count as zero in a subgradient.
NEGLIGIBLE = 1e-12


@checked
@dataclass(frozen=True)
class Penalty(VectorPenalty):
    """h(x) = λ‖R Diag(x)‖_* with X = QR: all inner work is N×N, for any number of rows of X.

    Attributes
    ----------
    R : ndarray (k, N)
    radius : float, λ
    null_pairs : bool
        M of a subgradient (Theorem 4) is made of LAPACK's null pairs instead of 0 (unstated choice U9).
    """

    R: np.ndarray
    radius: NotNegative
    null_pairs: bool = False
    reference = "dual_fista"

    def __post_init__(self):
        R = matrix("penalty 'trace_lasso': R", self.R)
        object.__setattr__(self, "R", finite("penalty 'trace_lasso': R", R))

    @classmethod
    @checked
    def for_problem(
        cls,
        problem,
        weight: NotNegative = 0.1,
        units: Literal["relative", "absolute"] = "relative",
        null_pairs: bool = False,
    ):
        """λ as given (``units: absolute``), or in units of ‖∇g(0)‖_∞ / max_j ‖X_j‖ (unstated choice U14)."""
        R = problem.triangular_factor
        if units == "relative":
            longest = float(np.sqrt(np.max(np.einsum("ij,ij->j", R, R))))
            weight = weight * problem.constants["largest_slope"] / longest
        return cls(R, weight, null_pairs)

    def value(self, x) -> float:
        """h(x), by one decomposition."""
        x = numbers("x", x, self.R.shape[1])
        return self.radius * float(np.linalg.svd(self.R * x, compute_uv=False).sum())

    def prox(
        self, p, gamma, *, method="dual_fista", tol=0.0, warm=None, rng=None, relative_tol=None, **options
    ):
        """A point with a certified gap by ``newton``, ``dual_fista``, ``dual_frank_wolfe``, or ``perturbed``.

        `relative_tol` t requires a gap of t(1 + h(p)) instead of `tol`.
        """
        p, gamma = vector("p", p, self.R.shape[1]), positive("gamma", gamma)
        if relative_tol is not None:
            tol = relative_tol * (1 + self.value(p))
        methods = {
            "dual_fista": partial(dual_fista.prox, self.R, self.radius),
            "dual_frank_wolfe": partial(dual_frank_wolfe.prox, self.support),
            "newton": partial(smoothing_newton.prox, self.R, self.radius),
            "perturbed": None,
        }
        prox = choose(methods, method)
        if prox is None:
            # a planted error is right to a thousandth; where it depends on the point, to 1e-10
            fine = 1e-10 * (1 + self.value(p)) if callable(tol) else 1e-3 * tol
            exact = methods["dual_fista"](p, gamma, tol=fine, warm=warm, **options)
            return perturbed.along(exact, p, gamma, self.value, tol, rng)
        return prox(p, gamma, tol=tol, warm=warm, **options)

    def support(self, x):
        """(s, h(x)) with s = λ diag(Rᵀ(U Vᵀ + M)) ∈ ∂h(x), Theorem 4 (M: deviation U9)."""
        U, sigma, Vt = np.linalg.svd(self.R * vector("x", x, self.R.shape[1]), full_matrices=False)
        rank = sigma.size if self.null_pairs else int(np.sum(sigma > NEGLIGIBLE * sigma[0]))
        s = np.einsum("ij,ij->j", self.R, U[:, :rank] @ Vt[:rank])
        return self.radius * s, self.radius * float(sigma.sum())

    @property
    def sq_diameter(self) -> float:
        """A bound on diam(D)², D = {λ diag(RᵀM) : ‖M‖ ≤ 1}: 4λ² Σ_j ‖R_j‖²."""
        return 4.0 * self.radius**2 * float(np.sum(self.R**2))
