"""Robust multi-view dictionary learning: the smoothed l1 distance of W to two noisy views (gcg §5.3)."""

from typing import Literal

import numpy as np

from ..common.parameters import Positive, checked
from ..families import regularised
from ..linalg.compiled import njit
from ..linalg.validation import real


class Problem:
    """F(W) = ℓ(W) + λκ(W) with ℓ(W) = Σ_ij φ(W_ij − Ẑ_ij), a sum.

    φ(r) = r²/(2s) for ``|r| ≤ s``, else ``|r| − s/2``.
    W = U Vᵀ is (n1 + n2, m), a column for each pair of observations, the rows of the x-view first. φ is the
    l1 loss smoothed by a quadratic prox-function of modulus s (Becker et al. 2009, eq. 3.1).

    Parameters
    ----------
    arrays : dict
        ``noisy`` (n1 + n2, m) Ẑ, ``clean`` of the same shape, ``views`` (2,) with n1 and n2;
        ``latent`` (t*, m), H* of generated data, if any.
    smoothing : float, s
    trained_on : {"noisy", "clean"}
        Choice of Ẑ (unstated choice U26).
    """

    family = regularised.FAMILY
    quadratic = False

    @checked
    def __init__(
        self,
        arrays,
        *,
        smoothing: Positive = 1e-4,
        trained_on: Literal["noisy", "clean"] = "noisy",
        constants=None,
    ):
        self.target = np.ascontiguousarray(real(trained_on, arrays[trained_on]))
        self.noisy = real("noisy", arrays["noisy"])
        self.clean = real("clean", arrays["clean"])
        self.views = tuple(int(rows) for rows in arrays["views"])
        self.latent = arrays.get("latent")
        self.smoothing, self.shape, self.n = float(smoothing), self.target.shape, self.target.size
        if len(self.views) != 2 or sum(self.views) != self.shape[0]:
            raise ValueError(
                f"multi_view: views {self.views} do not sum to the {self.shape[0]} rows of the data"
            )
        if self.clean.shape != self.shape or not np.isfinite(self.target).all():
            raise ValueError(
                f"multi_view: noisy {self.shape} must be finite, clean {self.clean.shape} as large"
            )
        self.constants = constants or {"L_full": 1.0 / self.smoothing, "l_lower": 0.0}

    @property
    def metrics(self):
        """Squared distances of W to the clean and to the noisy data (deviation U34)."""
        return {"error_clean": self.error_clean, "error_noisy": self.error_noisy}

    @classmethod
    def small(cls, rng):
        """Small instances with their penalty as `small_constraint`."""
        from ..penalties.multi_view import Penalty

        for views in ((4, 3), (5, 1)):
            clean = rng.standard_normal((sum(views), 2)) @ rng.standard_normal((2, 6))
            noisy = clean + 3.0 * (rng.random(clean.shape) < 0.1)
            # a coarser smoothing than the paper's, so that finite differences and rates can be seen
            problem = cls({"noisy": noisy, "clean": clean, "views": np.array(views)}, smoothing=0.05)
            problem.small_constraint = Penalty.for_problem(problem, weight=1.0, gamma=2.0)
            yield problem

    def image(self, U, V):
        """W itself (n1 + n2, m)."""
        return U @ V.T

    def left(self, u):
        """The left factor of the image: the columns themselves."""
        return u

    def value(self, image):
        return self.value_and_slopes(image)[0]

    def slopes(self, image):
        """∇ℓ(W) = clip((W − Ẑ)/s, −1, 1)."""
        return self.value_and_slopes(image)[1]

    def value_and_slopes(self, image):
        """(ℓ, ∇ℓ) in one sweep."""
        slopes = np.empty(self.shape)
        return _sweep(np.ascontiguousarray(image), self.target, self.smoothing, slopes), slopes

    def gradient(self, slopes):
        """∇ℓ(W), the slopes."""
        return slopes

    def factor_gradients(self, U, V):
        """(ℓ, ∇ℓ V, ∇ℓᵀ U) at W = U Vᵀ."""
        value, slopes = self.value_and_slopes(U @ V.T)
        return value, *self.products(slopes, U, V)

    def products(self, slopes, U, V):
        """(∇ℓ V, ∇ℓᵀ U) of known slopes."""
        return slopes @ V, slopes.T @ U

    def curvature(self, image, change):
        """The derivative of the slopes along `change`: 1/s at entries with ``|W − Ẑ| ≤ s``, else 0."""
        return np.where(np.abs(image - self.target) <= self.smoothing, change / self.smoothing, 0.0)

    def dual_bound(self, slopes, image, polar, weight):
        """max_τ −τ⟨S, Ẑ⟩ − (s/2)τ²‖S‖², 0 ≤ τ ≤ min(1/‖S‖_∞, λ/κ°(S)): a lower bound of F*.

        −ℓ*(τS) with the conjugate φ*(y) = sy²/2 + yẐ on ``|y| ≤ 1``; τS is dual-feasible if κ°(τS) ≤ λ.
        """
        squared = float(np.sum(slopes * slopes))
        if squared == 0.0:
            return 0.0
        slope = -float(np.sum(slopes * self.target))
        largest = 1.0 / float(np.abs(slopes).max())
        if polar > 0.0:
            largest = min(largest, weight / polar)
        tau = min(max(slope / (self.smoothing * squared), 0.0), largest)
        return tau * slope - 0.5 * self.smoothing * tau**2 * squared

    def error_clean(self, point):
        """‖X − X*‖_F² + ‖Y − Y*‖_F² against the clean views."""
        return float(np.sum((point.image - self.clean) ** 2))

    def error_noisy(self, point):
        """The same against the noisy views."""
        return float(np.sum((point.image - self.noisy) ** 2))


@njit
def _sweep(image, target, s, slopes):
    total = 0.0
    for i in range(image.shape[0]):
        row = 0.0
        for j in range(image.shape[1]):
            r = image[i, j] - target[i, j]
            slope = min(max(r / s, -1.0), 1.0)
            slopes[i, j] = slope
            row += slope * (r - 0.5 * s * slope)
        total += row
    return total
