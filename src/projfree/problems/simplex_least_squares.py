"""Strongly convex least squares on the simplex, all constants known exactly."""

import numpy as np

from ..common.parameters import checked
from ..families import strongly_convex
from ..linalg.validation import real
from ..sets import simplex
from ._smoothness import rounding


class Problem:
    """F(w) = (1/n) Σ ½(⟨a_i, w⟩ − c_i)² + (ρ/2)‖w‖², over the simplex; κ = L/μ as given.

    Parameters
    ----------
    arrays : dict
        ``A`` (n, p), ``c`` (n,).
    kappa : float
        κ of F; ρ follows from it.
    noise : float
        Scale of the component gradients' deviation from their mean; F does not depend on it: σ² ∝ noise².
    """

    family = strongly_convex.FAMILY
    small_constraint = simplex.Set(1.0)

    @checked
    def __init__(self, arrays, *, kappa: float = 10.0, noise: float = 1.0, constants=None):
        self.A, self.c = real("A", arrays["A"]), real("c", arrays["c"])
        self.n, p = self.A.shape
        self.shape = (p,)
        self.hessian, self.linear = self.A.T @ self.A / self.n, self.A.T @ self.c / self.n
        low, high = np.linalg.eigvalsh(self.hessian)[[0, -1]]
        if not high / low > kappa > 1:
            raise ValueError(f"kappa must lie between 1 and {high / low:g}, the data's own, got {kappa}")
        self.rho, self.noise = (high - kappa * low) / (kappa - 1), noise
        self.constants = constants or self._constants(low, high)

    @classmethod
    def small(cls, rng):
        """A small instance with its unconstrained solution outside the simplex."""
        A = rng.standard_normal((40, 8)) / (1 + np.arange(8))
        yield cls({"A": A, "c": 3 * A @ rng.dirichlet(np.full(8, 0.3)) + 0.5 * rng.standard_normal(40)})

    def _constants(self, low, high):
        """L, μ, the mean-square L_vr and σ² = max over the vertices of (1/n) Σ ‖∇f_i − ∇F‖²."""
        square = np.einsum("ij,ij->i", self.A, self.A)
        second = (self.A.T * (self.noise**2 * square)) @ self.A / self.n
        second += (1 - self.noise**2) * self.hessian @ self.hessian
        second += 2 * self.rho * self.hessian + self.rho**2 * np.eye(self.A.shape[1])
        vertices = np.eye(self.A.shape[1])
        slack = rounding(self.hessian, sum(self.A.shape))
        return {
            "L_full": high + slack + self.rho,
            "L_vr": float(np.sqrt(np.linalg.eigvalsh(second)[-1] + rounding(second, sum(self.A.shape)))),
            "L_max": float(square.max()) + self.rho,
            "l_lower": 0.0,
            "mu": low - slack + self.rho,
            "sq_noise": max(self.variance(w) for w in vertices),
        }

    @property
    def metrics(self):
        return {"objective": self.value}

    def variance(self, w):
        """(1/n) Σ ‖∇f_i(w) − ∇F(w)‖², convex in w."""
        slopes = self.A @ w - self.c
        mean = self.A.T @ slopes / self.n
        square = np.einsum("ij,ij->i", self.A, self.A)
        return self.noise**2 * float(np.mean(slopes**2 * square) - mean @ mean)

    def start(self, kind="array"):
        """The centre of the simplex."""
        return np.full(self.shape, 1.0 / self.shape[0])

    def value(self, w):
        return float(0.5 * np.mean((self.A @ w - self.c) ** 2) + 0.5 * self.rho * (w @ w))

    def line(self, w, v):
        """γ ↦ F(w + γ(v − w))."""
        w, direction = w.copy(), v - w
        return lambda gamma: self.value(w + gamma * direction)

    def gradient(self, w):
        return self.hessian @ w - self.linear + self.rho * w

    def component_gradient(self, w, indices):
        """(1/b) Σ ∇f_i(w) over the batch, ∇f_i = ∇F + noise·(its own − the mean)."""
        rows = self.A[indices]
        own = rows.T @ (rows @ w - self.c[indices]) / len(indices)
        mean = self.hessian @ w - self.linear
        return mean + self.noise * (own - mean) + self.rho * w
