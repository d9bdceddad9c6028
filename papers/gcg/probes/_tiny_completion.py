"""A small completion problem seen as dense arrays, and its optima by accelerated proximal gradient."""

from __future__ import annotations

import numpy as np


class Dense:
    """ℓ(W) = ½‖P(W − X)‖² of a `ratings_completion` problem, for arrays W."""

    def __init__(self, problem):
        ones = np.ones(problem.n)
        self.mask = problem.gradient(ones).toarray()
        self.X = problem.gradient(problem.target.astype(np.float64)).toarray()

    def value(self, W) -> float:
        """ℓ(W)."""
        return float(np.sum((self.mask * (W - self.X)) ** 2)) / 2

    def gradient(self, W) -> np.ndarray:
        """∇ℓ(W)."""
        return self.mask * (W - self.X)


def accelerated(dense, proximal, steps: int, tol: float = 1e-13) -> np.ndarray:
    """FISTA with restarts, L = 1: the minimiser of ℓ + h, given the proximal map of h for step 1."""
    W = Y = proximal(np.zeros_like(dense.X))
    t = 1.0
    for _ in range(steps):
        new = proximal(Y - dense.gradient(Y))
        if np.vdot(Y - new, new - W) > 0:
            t = 1.0
        following = (1 + np.sqrt(1 + 4 * t * t)) / 2
        Y, moved = new + (t - 1) / following * (new - W), np.linalg.norm(new - Y)
        W, t = new, following
        if moved <= tol * max(1.0, np.linalg.norm(W)):
            break
    return W


def penalised_optimum(dense, constraint, steps: int = 20_000) -> np.ndarray:
    """argmin ℓ + λ‖·‖_tr."""

    def shrunk(Y):
        U, V = constraint.prox(Y, 1.0).x
        return U @ V.T

    return accelerated(dense, shrunk, steps)


def trace_norm(W) -> float:
    """‖W‖_tr."""
    return float(np.linalg.norm(W, "nuc"))


def planted_pair(G, value: float):
    """Unit u, v with uᵀGv = `value` ≤ σ₁ exactly: the leading pair, u turned towards the second."""
    U, s, Vt = np.linalg.svd(G)
    c = min(max(value / s[0], -1.0), 1.0) if s[0] > 0 else 1.0
    return c * U[:, 0] + np.sqrt(1 - c * c) * U[:, 1], Vt[0], float(s[0])
