"""Corrective Frank-Wolfe with quadratic corrections.

Halbey, Rakotomandimby, Besançon, Designolle and Pokutta, "Efficient quadratic corrections for Frank-Wolfe
algorithms" (2025): their correction QC-MNP.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from ..common.parameters import checked
from ..linalg.atoms import as_array
from ..linalg.scaling import EPS
from .inner import active_steps

#: Added to the curvatures of the model, in units of their rounding: a singular one still has a minimum.
RIDGES = 1e3, 1e6
#: Up to so many atoms are corrected: the work of a correction is the cube of their number.
MOST_ATOMS = 1000


@dataclass
class Model:
    """bᵀw + wᵀQw/2, which is F(Σ w_i a_i) up to a constant if F is quadratic, from a gradient for each atom.

    b_i = ⟨∇F(r), a_i⟩ and Q_ij = ⟨∇F(a_i) − ∇F(r), a_j − r⟩; of the gradients only that at r is kept.
    """

    r: np.ndarray
    slope: np.ndarray  # ∇F(r)
    b: np.ndarray
    Q: np.ndarray
    solved: bool = False  # whether it was minimised over the affine hull of these atoms

    def extend(self, oracles, active, new, close) -> bool:
        """Take the first `new` atoms of an active set, 1 FO for each that it has not; False if it cannot.

        There are too many, F is infinite at one, or Q is not symmetric up to `close` times its size.
        """
        old = self.b.size
        if new > MOST_ATOMS:
            return False
        self.b, self.Q = active.scores(self.slope)[:new], np.pad(self.Q, (0, new - old))
        for i in range(old, new):
            x = active.atoms[i].toarray()
            if getattr(oracles.problem, "partial", False) and not oracles.value(x) < np.inf:
                return False
            change = as_array(oracles.gradient(x)) - self.slope
            row = active.scores(change)[:new] - np.vdot(change, self.r)
            miss = np.abs(row[old:i] - self.Q[old:i, i]).max(initial=0.0)
            self.Q[i] = self.Q[:, i] = row
            if miss / close > np.abs(self.Q).max():
                return False
        self.solved = False
        return True

    def keep(self, places) -> None:
        """Leave all atoms but some."""
        if len(places) < self.b.size:
            self.b, self.Q, self.solved = self.b[places], self.Q[np.ix_(places, places)], False

    def agrees(self, scores, weights, close) -> bool:
        """Whether the slopes ⟨∇F(x), a_i⟩ are its own up to a constant and `close` times their size."""
        size = np.abs(self.Q).max() + np.abs(scores).max()
        return bool(np.ptp(scores - self.b - self.Q @ weights) <= close * size)

    def change(self, scores, precision) -> np.ndarray | None:
        """The change of the weights, of sum 0, from such slopes to its minimum; None if it is not convex."""
        size, sides = self.Q.diagonal().max(), np.column_stack([-scores, np.ones(scores.size)])
        for ridge in RIDGES:
            try:
                factor = cho_factor(self.Q + size * (1.0 + precision * ridge * np.eye(scores.size)))
            except LinAlgError:
                continue
            change, ones = cho_solve(factor, sides).T
            return change - change.sum() / ones.sum() * ones
        return None


@dataclass
class State(active_steps.State):
    """x_k as a combination of atoms, and the model of F over their hull."""

    model: Model | None = None  # None if F has been measured as not quadratic


@checked
@dataclass(frozen=True)
class Solver(active_steps.Settings):
    """A step to the minimum over the affine hull of the atoms, if it gains more than a new vertex does.

    The correction solves a linear system, as in Wolfe's algorithm. It ends at the boundary of the hull, and
    an atom is dropped there. It is exact for quadratic F. Where it is not made, a pairwise step is, as in
    blended pairwise Frank-Wolfe.

    Attributes
    ----------
    corrections : {"always", "measured"}
        ``always``: whenever F falls by them. ``measured``: as long as the slopes of F along all atoms are
        those of a quadratic, to the root of their rounding. This costs a plain function no call with secant
        steps, which need the gradient at a new vertex.
    """

    corrections: Literal["always", "measured"] = "always"

    def start(self, oracles, rng):
        """The problem's start as the only atom, or the atoms of a warm start."""
        s = super().start(oracles, rng)
        return State(s.active, s.L)

    def step(self, oracles, s, rng):
        """One step: 1 FO, 1 LO; 1 FO more for each new atom."""
        gradient, v = self.begin(oracles, s)
        if s.converged:
            return s
        before, (best, worst, scores) = s.active.atoms, s.active.extremes(gradient)
        if s.k == 1:
            s.model = self.first(oracles, s.active, gradient)
        if scores[worst] - scores[best] < s.gap:
            if s.model and not s.model.extend(oracles, s.active, scores.size, self.close(oracles)):
                s.model = None
            self.move(oracles, s, gradient, v, None)
        elif not self.correct(oracles, s, scores):
            self.move(oracles, s, gradient, best, worst)
        if s.model:
            kept = set(map(id, s.active.atoms))
            s.model.keep([i for i in range(s.model.b.size) if id(before[i]) in kept])
        return s

    def close(self, oracles) -> float:
        """How far F may be from a quadratic."""
        eps = getattr(oracles.problem, "precision", EPS)
        return np.sqrt(eps) if self.corrections == "measured" else np.inf

    def first(self, oracles, active, gradient) -> Model | None:
        """The model at the start."""
        atoms = np.count_nonzero(active.weights)
        model = Model(active.x.copy(), as_array(gradient), np.zeros(1), np.zeros((1, 1)))
        if atoms == 1:  # r
            return model
        model.keep([])
        return model if model.extend(oracles, active, atoms, self.close(oracles)) else None

    def correct(self, oracles, s, scores) -> bool:
        """Go towards the minimum over the affine hull, up to the boundary; returns whether F fell."""
        model, eps = s.model, getattr(oracles.problem, "precision", EPS)
        if model is None or model.solved:
            return False
        held, close = model.b.size, self.close(oracles)
        if not model.agrees(scores[:held], s.active.weights[:held], close):
            s.model = None
            return False
        change = model.change(scores[:held], eps)
        if change is None:
            return False
        F = oracles.value(s.active.x)
        change = np.pad(change, (0, scores.size - held))  # the oracle's vertex has no weight
        falls = change < 0.0
        reach = s.active.weights[falls] / -change[falls]
        gamma = reach.min(initial=1.0)
        weights = s.active.weights + gamma * change
        weights[np.flatnonzero(falls)[reach <= gamma]] = 0.0
        weights /= weights.sum()
        x = s.active.point(weights)
        # near its minimum the values of F have too few digits for what a quadratic gains
        if not oracles.value(x) < F + (active_steps.ROUNDING * eps * abs(F) if close < np.inf else 0.0):
            return False
        oracles.tally.add(corrections=1)
        model.solved = bool(gamma == 1.0)
        s.active.go(x, weights)
        return True
