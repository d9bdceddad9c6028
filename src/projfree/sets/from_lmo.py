"""Any compact convex set, given by your own function for linear minimisation."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..common.parameters import NotNegative, Positive, checked
from ..linalg.projections import norm_l2
from ..linalg.scaling import rounding
from ..linalg.validation import array
from ._base import FeasibleSet
from ._nearest import nearest


class ByOracle(FeasibleSet):
    """Subclasses have an `oracle`, a `radius` or None, and the relative error `tolerance` of answers."""

    radius: float | None
    tolerance = 0.0

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
            raise ValueError(f"{self._name}: its diameter is not known; give a bound of ‖x‖ as `radius`")
        return self.radius

    def _support(self, G):
        """⟨G, lmo(−G)⟩, or the oracle's bound of it."""
        return -self._answer(-G)[1]

    def _gauge(self, x):
        """The bound plus the distance of x from the set."""
        return self.bound + norm_l2(x - nearest(self.lmo, x))

    def _lmo(self, G):
        return self._answer(G)[0]

    def _answer(self, G):
        """The oracle's point, and its lower bound of the minimum, or the value at the point.

        ValueError if the answer is not finite or has another shape than G, or its bound is above its value.
        """
        answer, bound = self.oracle(G.copy()), None
        if isinstance(answer, tuple) and len(answer) == 2 and np.shape(answer[0]) == G.shape:
            answer, bound = answer
        v = array(f"{self._name}: the answer", answer.toarray() if hasattr(answer, "toarray") else answer)
        if v.shape != G.shape:
            raise ValueError(f"{self._name}: the answer has shape {v.shape}, G {G.shape}")
        value = float(np.vdot(G, v))
        if bound is None:
            return v.copy(), value - self.tolerance * abs(value)
        if not bound <= value + rounding(v.size, norm_l2(G) * norm_l2(v)):
            raise ValueError(f"{self._name}: the bound {bound} is not below the value at the answer, {value}")
        return v.copy(), float(bound)

    def _project(self, x):
        """By Wolfe's algorithm: exact on polytopes, else to about 1e-7."""
        return nearest(self.lmo, x)


@checked
@dataclass(frozen=True, eq=False)
class Set(ByOracle):
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
    tolerance : float
        Largest relative error of an oracle without a bound: ``⟨G, v⟩ ≤ min + tolerance·|⟨G, v⟩|``. The
        certificate adds it, as it adds the distance to a bound.

    Examples
    --------
    >>> import numpy as np, projfree as pf
    >>> corner = lambda G: (-np.sign(G), -np.abs(G).sum() - 0.1)  # a vertex of a cube, a loose lower bound
    >>> cube = pf.sets.FromLmo(corner, radius=2.0, is_polytope=True)
    >>> cube.lmo([1.0, -2.0]), cube.support([1.0, -2.0])
    (array([-1.,  1.]), 3.1)
    """

    oracle: Callable
    radius: Positive | None = None
    is_polytope: bool = False
    tolerance: NotNegative = 0.0
