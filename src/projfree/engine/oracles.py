"""What a method sees of a problem and its feasible set: every call counted and timed."""

from time import process_time

import numpy as np

from ..ground.counts import COUNTS
from .tally import Tally

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
        self.tally = Tally()
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
        """The problem's start point, in a kind that it has (``array``; ``atoms``, ``observed``).

        Zero where the set holds it, as balls do; on the simplex its centre.
        """
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

    def add_component_difference(self, g, x, slopes, indices):
        """g ← g + (1/b) Σ (∇f_i(x) − ∇f_i(anchor)) over the batch in place: 2b IFO."""
        if isinstance(g, np.ndarray):
            g += self.component_gradient_difference(x, slopes, indices)
            return g
        self.counts["IFO"] += len(indices)  # of the anchor, whose slopes happen to be known
        change = self.component_slopes(x, indices) - slopes[indices]
        return self.add_components(g, change / len(indices), indices)

    def component_slopes(self, x, indices):
        """The scalars s_i with ∇f_i(x) = s_i A_i (linear-argument losses): b IFO."""
        self.counts["IFO"] += len(indices)
        return self._timed("gradient", self.problem.component_slopes, x, indices)

    def combine(self, weights, indices):
        """Σ w_i A_i of scalars that are known already: no count."""
        return self._timed("gradient", self.problem.combine, weights, indices)

    def add_components(self, g, weights, indices):
        """g ← g + Σ w_i A_i in place, of scalars that are known already: no count."""
        return self._timed("gradient", self.problem.add_components, g, weights, indices)

    def component_curvatures(self, x):
        """The scalars κ_i of all components, ∇²f_i(x) d = κ_i ⟨A_i, d⟩ A_i: n SSO."""
        self.counts["SSO"] += self.n
        return self._timed("gradient", self.problem.component_curvatures, x)

    def curvature_terms(self, curvatures, d, indices):
        """κ_i ⟨A_i, d⟩ over the batch, what ∇²f_i d is of A_i: b SSO."""
        self.counts["SSO"] += len(indices)
        return self._timed("gradient", self._curvature_terms, curvatures, d, indices)

    def _curvature_terms(self, curvatures, d, indices):
        return curvatures[indices] * self.problem.arguments(d, indices)

    def hessian_product(self, curvatures, d):
        """∇²F d by curvatures that are known already: no count, as the Hessian was."""
        return self._timed("gradient", self.problem.hessian_product, curvatures, d)

    def lmo(self, gradient, start=None, tol=None):
        """argmin over the set of ⟨gradient, v⟩: one LO, and its products with the gradient as matvec."""
        self._count_lo(1)
        atom = self._timed(
            "lmo", self.set.lmo, gradient, start=start, rng=self.rng, tol=self.lmo_tol if tol is None else tol
        )
        self.counts["matvec"] += getattr(atom, "matvecs", 0)
        return atom

    def count_lo(self, function, *args):
        """A compiled loop of linear minimisations, which returns their number last."""
        result = self._timed("lmo", function, *args)
        self._count_lo(result[-1])
        return result

    def project(self, x, method="full"):
        """Euclidean projection onto the set: one PO."""
        self.counts["PO"] += 1
        return self._timed("project", self.set.project, x, method=method)

    @property
    def penalty(self):
        """The penalty of a composite objective, which stands where others have a feasible set."""
        return self.set

    def prox(self, p, gamma, *, method=None, tol=0.0, warm=None, **options):
        """A proximal point of the penalty: one PO, exact or not, and its products with p as matvec.

        The tally has the ``inner`` steps, and how many certificates are ``unmet``, above `tol`.
        """
        self.counts["PO"] += 1
        found = self._timed(
            "project",
            self.set.prox,
            p,
            gamma,
            method=method or self.set.reference,
            tol=tol,
            warm=warm,
            rng=self.rng,
            **options,
        )
        self.counts["matvec"] += found.matvecs
        self.tally.add(inner=found.passes, unmet=found.gap > (tol(found.x) if callable(tol) else tol))
        return found

    def point(self, raw):
        """An iterate with its image under the problem's linear map: timed as a value."""
        return self._timed("value", self.problem.point, raw)

    def raw(self, point):
        """What the penalty sees of an iterate."""
        return self.problem.raw(point)

    @property
    def tables(self) -> dict:
        """All that is counted and timed, by name: what a checkpoint keeps."""
        return {"counts": self.counts, "seconds": self.seconds, "tally": self.tally}

    def _count_lo(self, number):
        self.counts["LO"] += number

    def _count_full(self):
        self.counts["FO"] += 1
        self.counts["IFO"] += self.n


def is_zero(gradient) -> bool:
    """Whether a gradient (array or sparse) vanishes identically."""
    return not np.any(getattr(gradient, "values", gradient))
