"""Any compact convex set, given by your own function for linear minimisation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from projfree.ground.parameters import Positive, checked
from projfree.linalg.projections import norm_l2
from projfree.linalg.scaling import rounding
from projfree.linalg.validation import array, entries

from ._ball import finite_array, only_full
from ._nearest import nearest
from ._violation import ByViolation


@checked
@dataclass(frozen=True, eq=False)
class Set(ByViolation):
    """The convex hull of all points that a function can return.

    Attributes
    ----------
    oracle : callable
        G ↦ argmin ⟨G, v⟩ over the set: an extreme point, as an array of G's shape or an object with
        ``toarray``. The certificate of a run relies on it: an oracle that is not exact returns
        (v, bound) instead, with a lower bound of the minimum, such as the dual bound of a solver.
    radius : float or None
        A bound of ‖x‖. Step lengths by the diameter need it, and tolerances are relative to it.
    is_polytope : bool
        Whether the set has finitely many extreme points; `projfree.minimize` then prefers an active set.
    """

    oracle: Callable
    radius: Positive | None = None
    is_polytope: bool = False

    @property
    def bound(self) -> float:
        """The bound on the gauge, the radius, or 1 if none is given."""
        return self.radius or 1.0

    @property
    def diameter(self) -> float:
        """A bound of ‖x − y‖, twice the radius."""
        return 2.0 * self.norm_bound

    @property
    def norm_bound(self) -> float:
        """A bound of ‖x‖, the radius."""
        if self.radius is None:
            raise ValueError("from_lmo: its diameter is not known; give a bound of ‖x‖ as `radius`")
        return self.radius

    def support(self, G) -> float:
        """max_{x in set} ⟨G, x⟩ = ⟨G, lmo(−G)⟩, or the oracle's bound of it."""
        return -self._answer(-finite_array("from_lmo", G))[1]

    def violation(self, x) -> float:
        """The distance of x from the set."""
        x = entries("from_lmo: x", x)
        return norm_l2(x - nearest(self.lmo, x)) if np.isfinite(x).all() else float(np.abs(x).max())

    def lmo(self, G, *, start=None, rng=None, tol=0.0) -> np.ndarray:
        """argmin_{x in set} ⟨G, x⟩ by the function, as a new array.

        Raises
        ------
        ValueError
            If the answer is not finite or has another shape than G, or its bound is above its value.
        """
        return self._answer(finite_array("from_lmo", G))[0]

    def _answer(self, G):
        """The oracle's point, and its lower bound of the minimum, or the value at the point."""
        answer, bound = self.oracle(G.copy()), None
        if isinstance(answer, tuple) and len(answer) == 2 and np.shape(answer[0]) == G.shape:
            answer, bound = answer
        v = array("from_lmo: the answer", answer.toarray() if hasattr(answer, "toarray") else answer)
        if v.shape != G.shape:
            raise ValueError(f"from_lmo: the answer has shape {v.shape}, G {G.shape}")
        value = float(np.vdot(G, v))
        if bound is None:
            return v.copy(), value
        if not bound <= value + rounding(v.size, norm_l2(G) * norm_l2(v)):
            raise ValueError(f"from_lmo: the bound {bound} is not below the value at the answer, {value}")
        return v.copy(), float(bound)

    def project(self, x, method="full") -> np.ndarray:
        """Nearest point of the set to x, by Wolfe's algorithm: exact on polytopes, else to about 1e-7."""
        only_full("from_lmo", method)
        return nearest(self.lmo, array("from_lmo: x", x))
