"""The nuclear-norm ball {X : ‖X‖_* ≤ R} of m×n matrices."""

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from scipy.linalg import svdvals

from ..common.names import unknown
from ..common.parameters import NotNegative, checked
from ..linalg.atoms import Atom
from ..linalg.partial import partial_svd
from ..linalg.projections import project_spectrum, simplex_threshold
from ..linalg.sampled import operator
from ..linalg.scaling import resized, scaled, times_power
from ..linalg.singular import gram_pair, leading_pair
from ..linalg.spectral import economy_svd, gram_svd, low_rank_norm, nuclear_norm
from ..linalg.validation import about, finite, matrix
from ._base import Ball
from ._gram_projection import project_by_gram

#: Relative gap between what Lanczos finds for a certificate and its upper bound.
CERTIFIED = 1e-10


@checked
@dataclass(frozen=True)
class Set(Ball):
    """Matrices of nuclear norm at most `radius`.

    Attributes
    ----------
    radius : float, R
    linear : {"lanczos", "gram"}
        Method for the leading pair of a dense gradient: Lanczos to the given tolerance, or exactly by the
        Gram matrix of the small side, which is cheaper if that side is small.
    """

    #: Ways to project that decompose every matrix, also one that lies inside.
    decomposing: ClassVar = ("full",)
    radius: NotNegative
    linear: Literal["lanczos", "gram"] = "lanczos"

    def support(self, G) -> float:
        """max_{X in set} ⟨G, X⟩ = R σ₁(G), for metrics and certificates.

        For an array by a dense SVD (or Gram matrix), for a sparse matrix as a certified bound by Lanczos.
        """
        G = operator("nuclear_ball: G", G)
        with about("nuclear_ball: G"):
            if not isinstance(G, np.ndarray):
                return self.radius * leading_pair(G, tol=CERTIFIED, gap=CERTIFIED).bound
            if self.linear == "gram":
                return self.radius * gram_pair(G).bound
            X, e = scaled(G)
            return self.radius * times_power(svdvals(X, check_finite=False)[0], e)

    def support_bounds(self, G, accuracy, rng) -> tuple[float, float]:
        """Bounds of the support of an array G, to the relative `accuracy` where Lanczos reaches it.

        The upper one is too small with probability 1e-9 over the random start at most (`SingularPair`).
        """
        G = operator("nuclear_ball: G", G)
        with about("nuclear_ball: G"):
            exact = self.linear == "gram"
            pair = gram_pair(G) if exact else leading_pair(G, tol=1.0, gap=accuracy, rng=rng)
        return self.radius * pair.sigma, self.radius * pair.bound

    def excess(self, X) -> float:
        """max(0, ‖X‖_* − R), NaN for a point with NaN; of low rank without decomposing the whole matrix."""
        if not hasattr(X, "nuclear_norm"):
            X = matrix("nuclear_ball: X", X)
            finite_entries = np.isfinite(np.abs(X).max())
            if finite_entries and self._plainly_holds(X):
                return 0.0
            if finite_entries and (most := low_rank_norm(X)) is not None:
                return max(0.0, most - self.radius)
        return float(np.maximum(0.0, self.gauge(X) - self.radius))

    def gauge(self, X) -> float:
        """‖X‖_*."""
        if hasattr(X, "nuclear_norm"):
            return X.nuclear_norm()
        X = matrix("nuclear_ball: X", X)
        largest = float(np.abs(X).max())
        return nuclear_norm(X) if np.isfinite(largest) else largest

    def contains(self, X, slack=1e-9) -> bool:
        """Whether ‖X‖_* ≤ R (1 + slack); for R = 0, whether X is zero."""
        return bool(self.excess(X) <= self.radius * slack)

    def lmo(self, G, *, start=None, rng=None, tol=1e-3) -> Atom:
        """The nuclear LMO: argmin_{X in set} ⟨G, X⟩ = −R u vᵀ, (u, v) the leading pair of G.

        G: an array or an operator.

        start: an Atom of an earlier call, whose v starts the iteration; tol: relative residual. An `Atom`
        comes back: its factors, not a matrix.

        Examples
        --------
        >>> import numpy as np
        >>> import projfree as pf
        >>> G = np.array([[0.0, 2.0], [1.0, 0.0]])
        >>> atom = pf.sets.NuclearBall(3.0).lmo(G)
        >>> atom.toarray() + 0.0
        array([[ 0., -3.],
               [ 0.,  0.]])
        >>> atom.inner(G), atom.sigma  # the least value, and the largest singular value of G
        (-6.0, 2.0)
        """
        G = operator("nuclear_ball: G", G)
        with about("nuclear_ball: G"):
            if self.linear == "gram" and isinstance(G, np.ndarray):
                pair = gram_pair(G)
            else:
                warm = start.v if isinstance(start, Atom) else start
                pair = leading_pair(G, start=warm, rng=rng, tol=tol)
        return Atom(pair.u, pair.v, -self.radius, pair.sigma, pair.residual, pair.matvecs)

    def project(self, X, method=None) -> np.ndarray:
        """Nearest point of the set to a dense X (m, n); X itself if it lies inside.

        method: "full" (economy SVD, computed for every X, as papers count it), "gram" (eigenproblem of the
        small side) or "partial" (as many triplets as the rank of the result, certified; "gram" if these are
        too many). All but "full" first test whether √rank·‖X‖_F is small enough. The default is "gram" with
        no more vectors than the result has if that is as exact as "full", else "full".
        """
        if method not in (None, *_SVD):
            raise ValueError(unknown("projection method", method, _SVD, "nuclear_ball"))
        X = finite("nuclear_ball: X", matrix("nuclear_ball: X", X))
        looks = method not in self.decomposing or self.radius == 0.0
        if looks and self._plainly_holds(X):
            return X
        if self.radius == 0.0:
            return np.zeros_like(X)
        if method in ("gram", None):
            projected = project_by_gram(X, self.radius, exact=method is None)
            if projected is not None:
                return projected
        U, s, Vt = _SVD[method or "full"](X, self.radius)
        if s.sum() <= self.radius:
            return X
        spectrum = project_spectrum(s, self.radius)
        rank = np.count_nonzero(spectrum)
        return (U[:, :rank] * spectrum[:rank]) @ Vt[:rank]

    def _plainly_holds(self, X):
        """Whether √rank·‖X‖_F, which bounds the nuclear norm, is small enough."""
        Y, e = resized(X)
        return times_power(math.sqrt(min(X.shape)) * np.linalg.norm(Y), e) <= self.radius


def _partial(X, radius):
    def threshold(s):
        return simplex_threshold(s, radius) if s.sum() > radius else None

    return partial_svd(X, threshold) or gram_svd(X, orthonormal=False)


_SVD = {
    "full": lambda X, radius: economy_svd(X),
    "gram": lambda X, radius: gram_svd(X, orthonormal=False),
    "partial": _partial,
}
