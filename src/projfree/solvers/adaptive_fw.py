"""Frank-Wolfe without a Lipschitz constant: backtracking (Pedregosa et al. 2020) or the secant method."""

from dataclasses import dataclass

from ..common.parameters import checked
from .frank_wolfe import towards_minimiser
from .inner import line_steps

State = line_steps.State


@checked
@dataclass(frozen=True)
class Solver(line_steps.Settings):
    """x_{k+1} = x_k + γ_k (v_k − x_k), with γ_k from the curvature or the slope along the step."""

    def step(self, oracles, s, rng):
        """One step: 1 FO, 1 LO; ``secant`` needs 1 FO more for each trial."""
        gradient = oracles.gradient(s.active.x)
        v, s.gap = towards_minimiser(oracles, gradient, s.active.x, s.atom)
        s.k, s.atom, s.converged = s.k + 1, v, s.gap <= 0
        if not s.converged:
            self.go(oracles, s, v)
        return s
