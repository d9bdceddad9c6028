"""Local improvement by L-BFGS in the metric of the diagonal of the Hessian; ours, for speed.

In balanced singular coordinates VᵀV is diagonal, and the Hessian block of a row of U is nearly so: user i
with d_i ratings has about d_i σ_r/n + λ for column r. What is left to L-BFGS is well conditioned, while in
the plain metric the ratio of the largest to the least d_i stands in the way.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...ground.parameters import Count, NotNegative
from .lbfgs import alive


@dataclass(frozen=True)
class Policy:
    """At most `iterations` steps of L-BFGS with unit first trials, then rotation to singular coordinates.

    Attributes
    ----------
    iterations, memory : int
        Steps, and corrections kept.
    ftol : float
        Ends once a step lowers ℓ + λρ by less than ftol times its value.
    drop : float
        Columns with σ_i below `drop` times the largest are left out.
    """

    iterations: Count = 40
    memory: Count = 8
    ftol: NotNegative = 1e-9
    drop: NotNegative = 1e-6

    def start(self, oracles):
        """W = 0, no columns."""
        return oracles.start("factors")

    def reduce(self, oracles, x):
        """The factors in singular coordinates, with their image and ρ = κ."""
        if x.rank == 0:
            return x
        U, V = oracles.constraint.rotate(*self.minimise(oracles, *oracles.constraint.rotate(x.U, x.V)))
        return oracles.point(*alive(oracles.constraint, U, V, self.drop))

    def minimise(self, oracles, U, V):
        """Factors of no larger ℓ + λρ."""
        rows, shape, weight = U.shape[0], (sum(oracles.problem.shape), U.shape[1]), oracles.constraint.weight
        scale = 1 / np.sqrt(np.concatenate(oracles.factor_curvatures(U, V)) + weight)

        def surrogate(z):
            both = scale * z.reshape(shape)
            loss, left, right = oracles.factor_gradients(both[:rows], both[rows:])
            slope = weight * both
            slope[:rows] += left
            slope[rows:] += right
            return loss + weight / 2 * float(np.vdot(both, both)), (scale * slope).ravel()

        z = minimise(surrogate, (np.concatenate([U, V]) / scale).ravel(), self)
        both = scale * z.reshape(shape)
        return both[:rows], both[rows:]


def minimise(function, z, settings):
    """L-BFGS from z with backtracking, first trial 1; `settings` has iterations, memory and ftol."""
    pairs, (f, g) = Corrections(z.size, settings.memory), function(z)
    for _ in range(settings.iterations):
        d = pairs.direction(g)
        slope, step = float(d @ g), 1.0
        while True:
            trial = z + step * d
            value, gradient = function(trial)
            if value <= f + 1e-4 * step * slope:
                break
            step *= min(0.5, max(0.1, -slope * step / (2 * (value - f - step * slope))))
            if step < 1e-10:
                return z
        pairs.append(trial - z, gradient - g)
        fell, z, f, g = f - value, trial, value, gradient
        if fell <= settings.ftol * abs(f):
            break
    return z


class Corrections:
    """The last differences of points and gradients, and the quasi-Newton direction that they give."""

    def __init__(self, size: int, memory: int):
        self.s, self.y = np.empty((memory, size)), np.empty((memory, size))
        self.count, self.next = 0, 0

    def append(self, s, y):
        """Keep a pair if it has curvature."""
        if float(s @ y) <= 1e-12 * float(s @ s):
            return
        self.s[self.next], self.y[self.next] = s, y
        self.next = (self.next + 1) % len(self.s)
        self.count = min(self.count + 1, len(self.s))

    def direction(self, g):
        """−H g by the two loops, scaled by sᵀy/yᵀy of the last pair."""
        q, order = -g, [(self.next - 1 - i) % len(self.s) for i in range(self.count)]
        weights = []
        for k in order:
            weights.append(float(self.s[k] @ q) / float(self.s[k] @ self.y[k]))
            q -= weights[-1] * self.y[k]
        if order:
            k = order[0]
            q *= float(self.s[k] @ self.y[k]) / float(self.y[k] @ self.y[k])
        for k, weight in zip(reversed(order), reversed(weights), strict=True):
            q += (weight - float(self.y[k] @ q) / float(self.s[k] @ self.y[k])) * self.s[k]
        return q
