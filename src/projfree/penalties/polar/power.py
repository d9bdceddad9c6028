"""The modified power iteration of gcg §4.4.2, in m dimensions."""

import math

import numpy as np


def climb(K1, K2, v, *, tol: float = 1e-6, max_iterations: int = 500):
    """From a unit v to a stationary one of ‖G₁v‖ + ‖G₂v‖; returns v and the number of iterations.

    The paper's (s; t) = GGᵀ(a; b), a ← s/‖s‖, b ← t/‖t‖ with a = G₁v/‖G₁v‖, b = G₂v/‖G₂v‖ is
    v ← w/‖w‖, w = K₁v/‖G₁v‖ + K₂v/‖G₂v‖. It maximises the linearisation of a convex function over the
    sphere, so the value never falls; it may end at a local maximum. It stops at ‖Δv‖ ≤ tol.
    """
    for iteration in range(1, max_iterations + 1):
        w = _half(K1, v) + _half(K2, v)
        norm = math.sqrt(w @ w)
        if norm == 0.0:
            return v, iteration
        w /= norm
        change = w - v
        v = w
        if change @ change <= tol * tol:
            break
    return v, iteration


def _half(K, v):
    """Kv/√(vᵀKv), the gradient of √(vᵀKv); 0 where that is 0 (one of its subgradients)."""
    image = K @ v
    squared = float(v @ image)
    return image / math.sqrt(squared) if squared > 0.0 else np.zeros_like(image)
