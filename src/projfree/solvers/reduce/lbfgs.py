"""Local improvement by L-BFGS on ℓ(U Vᵀ) + (λ/2) Σ(‖U_i‖_c² + ‖V_i‖²) (gcg eq. 53, Algorithm 3 line 6)."""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from ...common.parameters import Count, NotNegative


@dataclass(frozen=True)
class Policy:
    """At most `iterations` steps of L-BFGS-B from the factors of the line search; no ascent.

    Attributes
    ----------
    iterations : int
        The paper's 20.
    memory : int
        Corrections kept; with `ftol` and `gtol` the defaults of the code that the paper used (gcg U5).
    ftol, gtol : float
        Relative fall of the objective, and largest entry of the gradient, that end it.
    drop : float
        Columns with ‖U_i‖_c‖V_i‖ below `drop` times the largest are left out (U6); 0 drops exact zeros.
    rotate : bool
        Replace the factors by the singular value decomposition, of least ρ (U7; trace norm only).
    """

    iterations: Count = 20
    memory: Count = 5
    ftol: NotNegative = 1e7 * np.finfo(float).eps
    gtol: NotNegative = 1e-5
    drop: NotNegative = 1e-8
    rotate: bool = False

    def start(self, oracles):
        """W = 0, no columns."""
        return oracles.start("factors")

    def reduce(self, oracles, x):
        """The factors with their image and ρ = ½Σ(‖U_i‖_c² + ‖V_i‖²)."""
        if x.rank == 0:
            return x
        U, V = self.minimise(oracles, x.U, x.V)
        if self.rotate:
            U, V = oracles.constraint.rotate(U, V)
        return oracles.point(*alive(oracles.constraint, U, V, self.drop))

    def minimise(self, oracles, U, V):
        """The best factors that L-BFGS saw at the end of an iteration, or (U, V)."""
        weight, shapes, values = oracles.constraint.weight, (U.shape, V.shape), []

        def surrogate(z):
            U, V = _parted(z, shapes)
            loss, left, right = oracles.factor_gradients(U, V)
            rho, left_of_rho, right_of_rho = oracles.constraint.factor_penalty(U, V)
            left += weight * left_of_rho
            right += weight * right_of_rho
            values.append(loss + weight * rho)
            return values[-1], _joined(left, right)

        result = self.descend(oracles, surrogate, _joined(U, V), values, lambda z: _parted(z, shapes))
        return (U, V) if result is None else _parted(result, shapes)

    def descend(self, oracles, surrogate, z, values, factors):
        """The end of L-BFGS-B from z, or None if that is no lower than `values[0]`, the surrogate at z.

        `factors` makes U and V of a vector, to record the points on the way.
        """
        passing = oracles.passing and (lambda z: oracles.passing(lambda: oracles.passed(*factors(z))))
        options = {"maxiter": self.iterations, "maxfun": 20 * self.iterations, "maxcor": self.memory}
        options |= {"ftol": self.ftol, "gtol": self.gtol}
        result = minimize(surrogate, z, jac=True, method="L-BFGS-B", callback=passing, options=options)
        return result.x if result.fun < values[0] else None


def alive(penalty, U, V, drop: float):
    """Factors without the columns that have died."""
    sizes = penalty.sizes(U, V)
    used = sizes > drop * sizes.max(initial=0.0)
    return (U, V) if used.all() else (np.ascontiguousarray(U[:, used]), np.ascontiguousarray(V[:, used]))


def _joined(U, V):
    return np.concatenate([U.ravel(), V.ravel()])


def _parted(z, shapes):
    """U and V as views of one vector."""
    left, right = shapes
    size = left[0] * left[1]
    return z[:size].reshape(left), z[size:].reshape(right)
