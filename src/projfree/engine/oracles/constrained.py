"""What a method sees of an objective, by components too, and of its feasible set."""

import numpy as np

from ...linalg.atoms import toward
from ...linalg.scratch import pieces
from . import base

#: Most times that a step is halved which leaves the domain of a function.
HALVINGS = 60


class Oracles(base.Oracles):
    """Values, gradients and curvatures of the components; linear minimisation and projection."""

    def start(self, kind="array"):
        """The problem's start, or that share of a random vertex of the set which the problem asks for.

        All methods of a seed get the same one, since this is the first that is drawn.
        """
        x, share = super().start(kind), getattr(self.problem, "random_start", 0.0)
        if share:
            toward(x, self.constraint.lmo(self.rng.standard_normal(x.shape), rng=self.rng), share)
        return x

    def line(self, x, v):
        """γ ↦ F(x + γ(v − x)), prepared so that a trial costs O(n); its trials are timed as values."""
        trial = self._timed("value", self.problem.line, x, v)
        return lambda gamma: self._timed("value", trial, gamma)

    def toward(self, x, v, gamma):
        """x ← (1 − γ)x + γv in place for the largest γ of gamma, gamma/2, … with F(x) < ∞; returns γ.

        Only of a plain function it is asked: its next gradient is at x, so that its value comes for nothing.
        """
        before = x.copy() if getattr(self.problem, "partial", False) else None
        toward(x, v, gamma)
        for _ in range(HALVINGS if before is not None else 0):
            if self.value(x) < np.inf:
                break
            gamma /= 2
            x[...] = before
            toward(x, v, gamma)
        return gamma

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
        for part in pieces(len(indices)):
            change = self.component_slopes(x, indices[part])
            change -= slopes[indices[part]]
            change /= len(indices)
            self.add_components(g, change, indices[part])
        return g

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

    def offsets(self, slopes, curvatures, x):
        """∇f_i − ∇²f_i x, and their mean, of slopes and curvatures at x that are known already: no count."""
        return self._timed("gradient", self.problem.offsets, slopes, curvatures, x)

    def curvature_terms(self, curvatures, d, indices):
        """κ_i ⟨A_i, d⟩ over the batch, what ∇²f_i d is of A_i: b SSO."""
        self.counts["SSO"] += len(indices)
        return self._timed("gradient", self._curvature_terms, curvatures, d, indices)

    def _curvature_terms(self, curvatures, d, indices):
        terms = self.problem.arguments(d, indices)
        terms *= curvatures[indices]
        return terms

    def hessian_product(self, curvatures, d):
        """∇²F d by curvatures that are known already: no count, as the Hessian was. It may take d's place."""
        return self._timed("gradient", self.problem.hessian_product, curvatures, d)

    def lmo(self, gradient, start=None, tol=None):
        """argmin over the set of ⟨gradient, v⟩: one LO, and its products with the gradient as matvec."""
        self._count_lo(1)
        tol = self.lmo_tol if tol is None else tol
        atom = self._timed("lmo", self.constraint.lmo, gradient, start=start, rng=self.rng, tol=tol)
        self.counts["matvec"] += getattr(atom, "matvecs", 0)
        return atom

    def count_lo(self, function, *args):
        """A compiled loop of linear minimisations, which returns their number last."""
        result = self._timed("lmo", function, *args)
        self._count_lo(result[-1])
        return result

    def project(self, x, method="full"):
        """Euclidean projection onto the set: one PO; the tally has the full decompositions among them."""
        self.counts["PO"] += 1
        self.tally.add(svd=method in getattr(self.constraint, "decomposing", ()))
        return self._timed("project", self.constraint.project, x, method=method)

    def _count_lo(self, number):
        self.counts["LO"] += number
