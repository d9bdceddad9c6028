"""The constraint rank(X) ≤ r as a penalty: 0 inside, infinite outside (ipg eq. 11)."""

from dataclasses import dataclass

import numpy as np

from ..common.parameters import Count, checked
from ..families import composite
from ..linalg.low_rank import by_products
from ..linalg.sampled import operator
from ..linalg.validation import about, positive
from .prox import Prox, block_power, choose, level, truncated_svd

METHODS = dict.fromkeys(("dense", "propack", "arpack", "block_power", "perturbed"))


@checked
@dataclass(frozen=True)
class Penalty:
    """h(X) = 0 for rank(X) ≤ r, else ∞; points are factors (U, V) of at most r columns.

    Attributes
    ----------
    bound : int, r
    """

    family = composite.FAMILY
    bound: Count
    convex = False
    reference = "propack"

    @classmethod
    def for_problem(cls, problem, bound: Count = 10):
        """r, or the smaller side of the problem's matrix if that is less."""
        if len(problem.shape) != 2:
            raise ValueError(f"rank: points must be matrices, not of shape {tuple(problem.shape)}")
        if bound > min(problem.shape):
            raise ValueError(f"rank: r = {bound} is larger than the smaller side of {problem.shape}")
        return cls(bound)

    def value(self, factors) -> float:
        """0 for factors of at most r columns, else ∞."""
        return 0.0 if factors[0].shape[1] <= self.bound else np.inf

    def prox(self, Y, gamma, *, method="propack", tol=0.0, warm=None, rng=None, exact="propack", **options):
        """The nearest matrix of rank ≤ r: ``dense``, ``propack``, ``arpack``, ``block_power``, ``perturbed``.

        `tol` is the error that ``perturbed`` adds; the other methods have their own accuracy in `options`.
        """
        choose(METHODS, method)
        Y, gamma = operator("rank: Y", Y), positive("rank: gamma", gamma)
        with about("rank: Y"):
            if method == "dense":
                return truncated_svd.dense(Y, self.bound)
            Y = by_products(Y)
            if method == "block_power":
                return block_power.prox(Y, self.bound, warm=warm, rng=rng, **options)
            if method != "perturbed":
                return truncated_svd.lanczos(Y, self.bound, solver=method, warm=warm, rng=rng, **options)
            # The exact point with a change of U: V is orthonormal and (UVᵀ − Y)V = 0, so ε = ‖change‖²/(2γ).
            point = self.prox(Y, gamma, method=exact, warm=warm, rng=rng, **options)
            U, V = point.x
            target = max(level(tol, point.x), 0.0)
            change = rng.standard_normal(U.shape)
            change *= np.sqrt(2 * gamma * target) / np.linalg.norm(change)
            return Prox((U + change, V), 0.0, gap=target, warm=point.warm, matvecs=point.matvecs)

    def error(self, x, Y, gamma: float, rng=None) -> float:
        """Φ(x) − min Φ = (‖X‖² − 2⟨X, Y⟩ + Σ_{i≤r} σ_i(Y)²)/(2γ), σ by PROPACK to 1e-10 or a dense SVD."""
        U, V = x
        Y = by_products(operator("rank: Y", Y))
        if min(Y.shape) <= max(64, self.bound):
            best = truncated_svd.dense(Y, self.bound)
        else:
            rng = np.random.default_rng(0) if rng is None else rng
            best = truncated_svd.lanczos(Y, self.bound, rng=rng)
        own = float(np.sum((U.T @ U) * (V.T @ V))) - 2 * Y.inner(U, V)
        return (own + float(np.sum(best.x[0] ** 2))) / (2 * gamma)

    def metrics(self, problem) -> dict:
        """No metrics."""
        return {}
