"""Corrective Frank-Wolfe with quadratic corrections.

Halbey, Rakotomandimby, Besançon, Designolle and Pokutta, "Efficient quadratic corrections for Frank-Wolfe
algorithms" (2025): their correction QC-MNP.
"""

from dataclasses import dataclass, field

import numpy as np

from ..common.parameters import checked
from ..linalg.atoms import as_array
from .inner import active_steps


@dataclass
class State(active_steps.State):
    """x_k as a combination of atoms, and the gradients at these."""

    gradients: list = field(default_factory=list)  # ∇F(a_i), or None where it was not asked for


@checked
@dataclass(frozen=True)
class Solver(active_steps.Settings):
    """A step to the minimum over the affine hull of the atoms, if it gains more than a new vertex does.

    The correction solves a linear system, as in Wolfe's algorithm. It ends at the boundary of the hull, and
    an atom is dropped there. It is exact for quadratic F; if F does not fall, a pairwise step follows
    instead. The method stores one gradient for each atom.
    """

    def start(self, oracles, rng):
        """The problem's start as the only atom, or the atoms of a warm start."""
        s = super().start(oracles, rng)
        return State(s.active, s.L, gradients=[None] * len(s.active.atoms))

    def step(self, oracles, s, rng):
        """One step: 1 FO, 1 LO; a correction needs 1 FO more for each new atom."""
        gradient, v = self.begin(oracles, s)
        if s.converged:
            return s
        s.gradients += [None] * (len(s.active.atoms) - len(s.gradients))
        before, (best, worst, scores) = s.active.atoms, s.active.extremes(gradient)
        if scores[worst] - scores[best] < s.gap:
            self.move(oracles, s, gradient, v, None)
        elif not self.correct(oracles, s):
            self.move(oracles, s, gradient, best, worst)
        known = {id(atom): found for atom, found in zip(before, s.gradients, strict=True)}
        s.gradients = [known[id(atom)] for atom in s.active.atoms]
        return s

    def correct(self, oracles, s) -> bool:
        """Go towards the minimum over the affine hull, up to the boundary; returns whether F fell."""
        held = np.flatnonzero(s.active.weights > 0.0)
        for i in held:
            if s.gradients[i] is None:
                alone = np.arange(s.active.weights.size) == i
                s.gradients[i] = as_array(oracles.gradient(s.active.point(alone)))
        change = np.zeros(s.active.weights.size)
        change[held] = affine_minimiser(s, held) - s.active.weights[held]
        falls = change < 0.0
        reach = s.active.weights[falls] / -change[falls]
        gamma = reach.min(initial=1.0)
        weights = s.active.weights + gamma * change
        weights[np.flatnonzero(falls)[reach <= gamma]] = 0.0
        weights /= weights.sum()
        x = s.active.point(weights)
        if not oracles.value(x) < oracles.value(s.active.x):
            return False
        oracles.tally.add(corrections=1)
        s.active.go(x, weights)
        return True


def affine_minimiser(s, held):
    """α of sum 1 with ⟨Σ α_i ∇F(a_i), a_j − a_0⟩ = 0 for all j; the sum is ∇F(Σ α_i a_i) for quadratic F."""
    products = np.column_stack([s.active.scores(s.gradients[i])[held] for i in held])
    system = np.vstack([products[1:] - products[0], np.full(held.size, np.abs(products).max() or 1.0)])
    right = np.append(np.zeros(held.size - 1), system[-1, 0])
    return np.linalg.lstsq(system, right, rcond=None)[0]
