"""Parts that several methods share: a state that is measured at its x, a step length."""

import numpy as np


class AtX:
    """A state whose iterate is its x, as it is."""

    @property
    def iterate(self):
        """x."""
        return self.x


def theory_step(oracles, x, smoothness, horizon, factor=1.0):
    """γ = √(2ΔF/(factor · T L D²)) with ΔF := F(x_0), as F ≥ 0; at most 1."""
    curvature = factor * horizon * oracles.constants[smoothness] * oracles.constraint.diameter**2
    return min(1.0, float(np.sqrt(2 * oracles.value(x) / curvature))) if curvature else 1.0
