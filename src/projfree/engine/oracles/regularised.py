"""The oracles of an objective F(W) = ℓ(W) + λκ(W) with an atomic penalty.

Iterates are `Factors` or `WeightedAtoms` (linalg/factored.py). The loss sees W through its image, which is
linear in W, so that its gradient is known by the slopes dℓ/d image alone.
"""

from dataclasses import replace

import numpy as np

from ...linalg.factored import Factors, WeightedAtoms
from ...linalg.singular import matvec, rmatvec
from . import composite


class Oracles(composite.Oracles):
    """The oracles of loss and penalty: PU counts polars, FO gradients of the loss, inner ones too."""

    timed = ("gradient", "polar", "project", "value")
    phases = ("linesearch", "reduce")

    def start(self, kind="factors"):
        """W = 0 without columns, as ``factors`` or as a growing list of ``atoms``."""
        U, V = (np.zeros((side, 0)) for side in self.problem.shape)
        image = self.image(U, V)
        return Factors(U, V, image) if kind == "factors" else WeightedAtoms.zero(self.problem.shape, image)

    def phase(self, name):
        """Time a phase of the outer iteration, one of `phases`; the oracles called in it keep their own."""
        return self.timers.phase(name)

    def point(self, U, V, rho=None) -> Factors:  # type: ignore[override]
        """The iterate U Vᵀ with its image; ρ is the penalty's bound of these factors if not given."""
        return Factors(U, V, self.image(U, V), self.constraint.bound(U, V) if rho is None else rho)

    def passed(self, U, V) -> Factors:
        """The same for a record inside of a step: neither counted nor timed."""
        return Factors(U, V, self.problem.image(U, V), self.constraint.bound(U, V))

    def image(self, U, V):
        """What the loss sees of U Vᵀ: timed as a value."""
        return self._timed("value", self.problem.image, U, V)

    def value(self, image) -> float:
        """ℓ at an image."""
        return self._timed("value", self.problem.value, image)

    def slopes(self, image):
        """dℓ/d image, which is the gradient of ℓ: one FO, n IFO."""
        self._count_full()
        return self._timed("gradient", self.problem.slopes, image)

    def value_and_slopes(self, image):
        """ℓ and dℓ/d image, of one softmax or the like where the loss has it: one FO, n IFO."""
        self._count_full()
        problem = self.problem
        both = getattr(problem, "value_and_slopes", None)
        return self._timed("gradient", both or (lambda at: (problem.value(at), problem.slopes(at))), image)

    def polar(self, slopes, *, start=None, tol=1e-3):
        """The `Polar` of −∇ℓ, given the slopes: one PU, and its products with ∇ℓ as matvec.

        Atoms come in pairs ±u vᵀ, so it is the polar of ∇ℓ with the other sign, and −∇ℓ is not formed.
        """
        self.counts["PU"] += 1
        polar = self._timed("polar", self._polar, slopes, start, tol)
        self.counts["matvec"] += polar.matvecs
        return replace(polar, u=-polar.u)

    def _polar(self, slopes, start, tol):
        return self.constraint.polar(self.problem.gradient(slopes), start=start, rng=self.rng, tol=tol)

    def polars(self, slopes, count: int, *, start=None, beside=None):
        """Up to `count` orthogonal atoms of −∇ℓ as (U, values, V): one PU, all its products as matvec.

        `start` are the right columns of an earlier answer. With `beside`, an iterate, the atoms of what −∇ℓ
        does orthogonally to its factors.
        """
        self.counts["PU"] += 1
        U, values, V, matvecs = self._timed("polar", self._polars, slopes, count, start, beside)
        self.counts["matvec"] += matvecs
        return -U, values, V

    def _polars(self, slopes, count, start, beside):
        G, factors = self.problem.gradient(slopes), None if beside is None else (beside.U, beside.V)
        return self.constraint.atoms(G, count, rng=self.rng, start=start, beside=factors)

    def factor_curvatures(self, U, V):
        """Diagonals of the Hessian blocks of ℓ(U Vᵀ) in U and in V: the work of a gradient, one FO."""
        self._count_full()
        return self._timed("gradient", self.problem.factor_curvatures, U, V)

    def factor_gradients(self, U, V):
        """ℓ(U Vᵀ), ∇ℓ V, ∇ℓᵀ U: one FO, n IFO."""
        self._count_full()
        return self._timed("gradient", self.problem.factor_gradients, U, V)

    def products(self, slopes, U, V):
        """∇ℓ V and ∇ℓᵀ U of known slopes: as many matvec as columns, twice."""
        self.counts["matvec"] += U.shape[1] + V.shape[1]
        return self._timed("gradient", self.problem.products, slopes, U, V)

    def left_product(self, slopes, V):
        """∇ℓ V of known slopes: as many matvec as columns."""
        self.counts["matvec"] += V.shape[1]
        return self._timed("gradient", self._product, matvec, slopes, V)

    def right_product(self, slopes, U):
        """∇ℓᵀ U of known slopes."""
        self.counts["matvec"] += U.shape[1]
        return self._timed("gradient", self._product, rmatvec, slopes, U)

    def _product(self, product, slopes, columns):
        G = self.problem.gradient(slopes)
        if isinstance(G, np.ndarray):
            return product(G, columns)
        return np.column_stack([product(G, np.ascontiguousarray(column)) for column in columns.T])

    def curvature(self, image, change):
        """The derivative of the slopes along the image `change`: n SSO."""
        self.counts["SSO"] += self.n
        return self._timed("gradient", self.problem.curvature, image, change)
