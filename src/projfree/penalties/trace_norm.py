"""The trace norm: atoms u vᵀ of unit vectors, polar the spectral norm, prox the singular value threshold."""

import math
from dataclasses import dataclass

import numpy as np

from ..common.parameters import NotNegative, checked
from ..families import regularised
from ..linalg.block_krylov import deflated, leading_triplets
from ..linalg.factored import balanced
from ..linalg.low_rank import by_products, orthonormal
from ..linalg.sampled import operator
from ..linalg.singular import leading_pair
from ..linalg.spectral import economy_svd
from ..linalg.validation import about, positive
from .polar import Polar
from .prox import Prox, choose, singular_threshold

#: Norm of the random part of a warm start, in units of the start: the leading pair has changed.
START_NOISE = 0.1


@checked
@dataclass(frozen=True)
class Penalty:
    """λκ(W) with κ(W) = ‖W‖_tr = min ½(‖U‖_F² + ‖V‖_F²) over U Vᵀ = W (gcg Prop. 15 with c = r = 2).

    Attributes
    ----------
    weight : float, λ
    """

    weight: NotNegative
    family = regularised.FAMILY
    reference = "full"

    @classmethod
    def for_problem(cls, problem, weight: NotNegative = 1.0):
        """λ, the same for every problem."""
        return cls(weight)

    def polar(self, G, *, start=None, rng=None, tol=1e-3) -> Polar:
        """The leading singular pair of G to a relative residual `tol`; κ°(G) = σ₁.

        Without a start it is certified: the bound is within `tol` of the value too, if the basis suffices.
        """
        G = operator("trace_norm: G", G)
        if start is not None:
            noise = np.random.default_rng(0) if rng is None else rng
            start = start / np.linalg.norm(start)
            fresh = noise.standard_normal(start.size)
            start += START_NOISE / np.linalg.norm(fresh) * fresh
        with about("trace_norm: G"):
            pair = leading_pair(G, start=start, rng=rng, tol=tol, gap=tol if start is None else math.inf)
        certified = pair.bound <= pair.sigma * (1 + tol)
        return Polar(pair.u, pair.v, pair.sigma, pair.bound, certified, pair.matvecs, pair.v)

    def atoms(self, G, count: int, *, rng, start=None, beside=None):
        """At most `count` leading singular triplets of G, (U, σ, V, products): several atoms at once.

        `start` (n, ·) has right vectors of an earlier G. With `beside` = (U, V), of independent columns, the
        triplets belong to the part of G that is orthogonal to them.
        """
        if beside is not None and beside[0].shape[1]:
            G = deflated(G, *map(orthonormal, beside))
        if isinstance(G, np.ndarray):
            U, sigma, Vt = economy_svd(G)
            return U[:, :count], sigma[:count], Vt[:count].T, 2 * sigma.size
        return leading_triplets(G, count, rng=rng, start=start)

    def value(self, U, V) -> float:
        """‖U Vᵀ‖_tr, exactly."""
        return float(balanced(U, V)[2].sum()) if U.shape[1] else 0.0

    def bound(self, U, V) -> float:
        """ρ = ½(‖U‖_F² + ‖V‖_F²)."""
        return float(np.vdot(U, U) + np.vdot(V, V)) / 2

    def factor_penalty(self, U, V):
        """ρ and its gradients with respect to U and V."""
        return self.bound(U, V), U, V

    def sizes(self, U, V) -> np.ndarray:
        """‖U_i‖‖V_i‖ of each column."""
        return np.linalg.norm(U, axis=0) * np.linalg.norm(V, axis=0)

    def balance(self, U, V):
        """The columns rescaled so that ‖U_i‖ = ‖V_i‖, which reduces ρ to Σ‖U_i‖‖V_i‖."""
        left, right = np.linalg.norm(U, axis=0), np.linalg.norm(V, axis=0)
        ratio = np.sqrt(np.divide(right, left, out=np.ones_like(left), where=(left > 0) & (right > 0)))
        return U * ratio, V / ratio

    def random_columns(self, rng, rows: int, columns: int) -> np.ndarray:
        """Columns uniform on the unit sphere, independent of each other (rows, columns)."""
        U = rng.standard_normal((rows, columns))
        return U / np.linalg.norm(U, axis=0)

    def project_columns(self, U) -> np.ndarray:
        """The columns, scaled to length 1 if they are longer."""
        return U / np.maximum(np.linalg.norm(U, axis=0), 1.0)

    def rotate(self, U, V):
        """Factors from the singular value decomposition of U Vᵀ, for which ρ = κ."""
        U, V, _ = balanced(U, V)
        return U, V

    def prox(self, Y, gamma, *, method="full", tol=0.0, warm=None, rng=None, weight=None, **options) -> Prox:
        """argmin ½‖W − Y‖² + γλ‖W‖_tr as factors: `full` for an array, `partial` or `block` for an operator.

        `weight` replaces λ, for methods that continue from larger weights.
        """
        Y, gamma = operator("trace_norm: Y", Y), positive("trace_norm: gamma", gamma)
        known = {name: getattr(singular_threshold, name) for name in ("full", "partial", "block")}
        threshold = choose(known, method)
        options |= {"warm": warm} if method == "block" else {}
        with about("trace_norm: Y"):
            Y = Y if method == "full" else by_products(Y)
            return threshold(Y, gamma * (self.weight if weight is None else weight), rng=rng, **options)
