"""Local improvement by L-BFGS in the metric of the diagonal of the Hessian; ours, for speed.

In balanced singular coordinates VᵀV is diagonal, and the Hessian block of a row of U is nearly so: user i
with d_i ratings has about d_i σ_r/n + λ for column r. The rest, for L-BFGS, is well conditioned, while in
the plain metric the ratio of the largest to the least d_i slows it down.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...common.parameters import Count, NotNegative
from ..inner import limited_memory
from .lbfgs import alive


@dataclass(frozen=True)
class Policy:
    """At most `iterations` steps of L-BFGS in the image's precision, then rotation to singular coordinates.

    Attributes
    ----------
    iterations, memory : int
        Steps, and corrections kept.
    ftol : float
        Ends once a step lowers ℓ + λρ by less than ftol times its value.
    drop : float
        Columns with σ_i below `drop` times the largest are left out.
    """

    iterations: Count = 15
    memory: Count = 5
    ftol: NotNegative = 1e-10
    drop: NotNegative = 1e-4

    def start(self, oracles):
        """W = 0, no columns."""
        return oracles.start("factors")

    def reduce(self, oracles, x):
        """The factors in singular coordinates, with their image and ρ = κ; x must be in such, or nearly."""
        if x.rank == 0:
            return x
        U, V = oracles.constraint.rotate(*self.minimise(oracles, x))
        return oracles.point(*alive(oracles.constraint, U, V, self.drop))

    def minimise(self, oracles, x):
        """Factors of no larger ℓ + λρ."""
        return self.descend(oracles, oracles.constraint.weight, x.U, x.V, x.image.dtype)

    def descend(self, problem, weights, U, V, dtype):
        """Factors of no larger ℓ + ½Σ_r w_r(‖U_r‖² + ‖V_r‖²), the weights one number or one a column.

        The problem's `factor_gradients` and `factor_curvatures` say what ℓ is, in the precision `dtype`.
        """
        rows, weights = len(U), np.asarray(weights, dtype)
        scale = 1 / np.sqrt(np.concatenate(problem.factor_curvatures(U, V)) + weights)
        z, scale = (np.concatenate([U, V]) / scale).astype(dtype), scale.astype(dtype)

        def surrogate(z):
            both = scale * z.reshape(scale.shape)
            loss, left, right = problem.factor_gradients(both[:rows], both[rows:])
            slope = both * weights
            rho = limited_memory.inner(slope.ravel(), both.ravel()) / 2
            slope[:rows] += left
            slope[rows:] += right
            slope *= scale
            return loss + rho, slope.ravel()

        settings = {"iterations": self.iterations, "memory": self.memory, "ftol": self.ftol}
        z = limited_memory.minimise(surrogate, z.ravel(), **settings)
        both = (scale * z.reshape(scale.shape)).astype(np.float64)
        return both[:rows], both[rows:]
