"""Blended conditional gradients (Braun, Pokutta, Tu and Wright 2019, Algorithms 1 and 2)."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from ..common.parameters import Range, checked
from .frank_wolfe import towards_minimiser
from .inner import active_steps, line_steps
from .inner.active_set import ActiveSet


@dataclass
class State(active_steps.State):
    """x_k as a combination of atoms, and Φ."""

    phi: float = np.inf  # estimate of the gap; infinite before the first linear minimisation


@checked
@dataclass(frozen=True)
class Solver(line_steps.Settings):
    """Gradient descent on the weights of the active set while it gains Φ, else a step to a new vertex.

    Φ is halved if no vertex gains Φ/K. Most steps need no linear minimisation.

    Attributes
    ----------
    K : float
        A vertex must gain Φ/K; 1 is the strictest value.
    """

    K: Annotated[float, Range(least=1)] = 2.0

    def start(self, oracles, rng):
        """The problem's start as the only atom, or the atoms of a warm start."""
        return State(ActiveSet.start(oracles), self.first_curvature(oracles))

    def step(self, oracles, s, rng):
        """One step: 1 FO, and 1 LO if no atom of the active set is good enough."""
        gradient = oracles.gradient(s.active.x)
        s.k += 1
        if s.k % self.refresh == 0:
            s.active.refresh()
        best, worst, scores = s.active.extremes(gradient)
        if scores[worst] - scores[best] >= s.phi:
            self.descend(oracles, s, scores)
            return s
        to = self.separate(oracles, s, gradient, best, scores[best])
        if to is not None:
            self.move(oracles, s, gradient, to, None)
        return s

    def separate(self, oracles, s, gradient, best, score):
        """The index of an atom with ⟨∇F, x − v⟩ ≥ Φ/K; None if there is none, after Φ is halved."""
        along = float(np.vdot(gradient, s.active.x))
        if 0.0 < s.phi / self.K <= along - score:
            return best
        s.atom, s.gap = towards_minimiser(oracles, gradient, s.active.x, s.atom)
        s.converged = s.gap <= 0
        if s.phi == np.inf:  # Φ_0 is half of the first gap
            s.phi = s.gap / 2
        if s.converged or s.gap < s.phi / self.K:
            s.phi = min(s.phi, s.gap) / 2
            return None
        return s.active.place(s.atom)

    def descend(self, oracles, s, scores):
        """Simplex gradient descent (Algorithm 2): along the projected gradient of the weights; 0 LO.

        If F is not larger on the boundary, the step goes there, and an atom is dropped.
        """
        slopes = scores - scores.mean()
        slopes -= slopes.mean()  # again: what rounding left of the mean would be no descent near the optimum
        d = np.zeros(s.active.x.shape)
        for slope, atom in zip(slopes, s.active.atoms, strict=True):
            atom.add_to(d, -slope)
        falls = slopes > 0.0
        longest = float(np.min(s.active.weights[falls] / slopes[falls]))

        def weights(gamma):
            used_up = falls & (s.active.weights <= gamma * slopes)
            left = np.where(used_up, 0.0, s.active.weights - gamma * slopes)
            return left / left.sum()

        def point(gamma):
            return s.active.point(weights(gamma))

        gamma = longest
        if oracles.value(point(longest)) > oracles.value(s.active.x):
            gamma = self.length(oracles, s, point, d, float(slopes @ slopes), longest)
        s.active.go(point(gamma), weights(gamma))
