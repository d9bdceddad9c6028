"""What a method sees of a problem and its feasible set: every call counted and timed (SPEC-common 0.1)."""

from time import process_time

import numpy as np

COUNTS = ("FO", "IFO", "SSO", "LO", "PO", "PU", "matvec")
TIMERS = ("gradient", "lmo", "project", "value")


class OutOfBudget(Exception):
    """Raised by an oracle when the budget ends inside a step."""


class Oracles:
    """Counting wrapper of a problem and a feasible set.

    Parameters
    ----------
    problem, feasible_set : Problem, Set
    rng : numpy.random.Generator
        Feeds the random part of warm starts of the linear minimisation oracle; apart from the method's own
        generator, so that methods with the same seed draw the same batches.
    lmo_tol : float
        Relative residual at which the linear minimisation oracle accepts.
    guard : callable, optional
        Called before each oracle call; may raise `OutOfBudget`.
    """

    def __init__(self, problem, feasible_set, rng, *, lmo_tol=1e-3, guard=None):
        self.problem, self.set, self.rng = problem, feasible_set, rng
        self.lmo_tol = lmo_tol
        self.guard = guard or (lambda: None)
        self.counts = dict.fromkeys(COUNTS, 0)
        self.seconds = dict.fromkeys(TIMERS, 0.0)
        self.n = problem.n
        self.constants = problem.constants

    def _timed(self, kind, function, *args, **keywords):
        self.guard()
        began = process_time()
        try:
            return function(*args, **keywords)
        finally:
            self.seconds[kind] += process_time() - began

    def start(self, kind="array"):
        """The start point: zero, as an array or as a sum of atoms where the problem has such iterates."""
        return self.problem.start(kind)

    def value(self, x):
        """F(x); function values are timed, not counted."""
        return self._timed("value", self.problem.value, x)

    def line(self, x, v):
        """γ ↦ F(x + γ(v − x)), prepared so that a trial costs O(n); its trials are timed as values."""
        trial = self._timed("value", self.problem.line, x, v)
        return lambda gamma: self._timed("value", trial, gamma)

    def gradient(self, x):
        """∇F(x): one FO, n IFO."""
        self._count_full()
        return self._timed("gradient", self.problem.gradient, x)

    def anchor(self, x):
        """∇F(x) and what is needed to evaluate any ∇f_i at x again: one FO, n IFO."""
        self._count_full()
        return self._timed("gradient", self.problem.anchor, x)

    def component_gradient(self, x, indices):
        """(1/b) Σ ∇f_i(x) over the batch: b IFO."""
        self.counts["IFO"] += len(indices)
        return self._timed("gradient", self.problem.component_gradient, x, indices)

    def component_gradient_difference(self, x, slopes, indices):
        """(1/b) Σ (∇f_i(x) − ∇f_i(anchor)) over the batch: 2b IFO."""
        self.counts["IFO"] += 2 * len(indices)
        return self._timed("gradient", self.problem.component_gradient_difference, x, slopes, indices)

    def component_slopes(self, x, indices):
        """The scalars s_i with ∇f_i(x) = s_i A_i (linear-argument losses): b IFO."""
        self.counts["IFO"] += len(indices)
        return self._timed("gradient", self.problem.component_slopes, x, indices)

    def combine(self, weights, indices):
        """Σ w_i A_i of scalars that are known already: no count."""
        return self._timed("gradient", self.problem.combine, weights, indices)

    def lmo(self, gradient, start=None, tol=None):
        """argmin over the set of ⟨gradient, v⟩: one LO, and its products with the gradient as matvec."""
        self.counts["LO"] += 1
        atom = self._timed(
            "lmo", self.set.lmo, gradient, start=start, rng=self.rng, tol=self.lmo_tol if tol is None else tol
        )
        self.counts["matvec"] += getattr(atom, "matvecs", 0)
        return atom

    def project(self, x, method="full"):
        """Euclidean projection onto the set: one PO."""
        self.counts["PO"] += 1
        return self._timed("project", self.set.project, x, method=method)

    def _count_full(self):
        self.counts["FO"] += 1
        self.counts["IFO"] += self.n


def is_zero(gradient) -> bool:
    """Whether a gradient (array or sparse) vanishes identically."""
    return not np.any(getattr(gradient, "values", gradient))
