"""A polytope {x : A x ≤ b, E x = f, lower ≤ x ≤ upper}; its oracles are linear programs of HiGHS."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.optimize import linprog

from projfree.ground.parameters import checked
from projfree.linalg.validation import matrix, numbers, real, vector

TOLERANCE = {"dual_feasibility_tolerance": 1e-10}

Rows = list | np.ndarray | None
Limit = float | list | np.ndarray | None


@checked
@dataclass(frozen=True, eq=False)
class Set:
    """Vectors (n,) with ``A x ≤ b``, ``E x = f`` and ``lower ≤ x ≤ upper``; it must be bounded.

    Attributes
    ----------
    A, b : (rows, n) and (rows,), or None
    E, f : (rows, n) and (rows,), or None
    lower, upper : float or (n,), or None for no limit
    """

    A: Rows = None
    b: Rows = None
    E: Rows = None
    f: Rows = None
    lower: Limit = 0.0
    upper: Limit = None
    bound = 1.0
    is_polytope = True

    def __post_init__(self):
        if self.A is None and self.E is None:
            raise ValueError("polytope: neither A nor E is given; a `box` needs none")
        if (self.A is None, self.E is None) != (self.b is None, self.f is None):
            raise ValueError("polytope: A goes with b, E with f")
        for rows, sides in (("A", "b"), ("E", "f")):
            if (given := getattr(self, rows)) is not None:
                given = matrix(f"polytope: {rows}", given)
                vector(f"polytope: {sides}", getattr(self, sides), len(given))

    @cached_property
    def size(self) -> int:
        """n."""
        return np.shape(self.E if self.A is None else self.A)[1]

    @cached_property
    def limits(self):
        """Lower and upper limits (n, 2), infinite if there is no limit."""
        low = -np.inf if self.lower is None else real("polytope: lower", self.lower)
        high = np.inf if self.upper is None else real("polytope: upper", self.upper)
        return np.column_stack(np.broadcast_arrays(low, high, np.zeros(self.size))[:2])

    @cached_property
    def corners(self):
        """Least and largest x_i over the set, by 2n linear programs: (2, n)."""
        sides = [sign * row for sign in (1.0, -1.0) for row in np.eye(self.size)]
        found = np.array([self.lmo(c) @ c for c in sides]).reshape(2, -1)
        return found * np.array([[1.0], [-1.0]])

    @property
    def diameter(self) -> float:
        """A bound of ‖x − y‖, the diagonal of the smallest box around the set."""
        return float(np.linalg.norm(self.corners[1] - self.corners[0]))

    @property
    def norm_bound(self) -> float:
        """A bound of ‖x‖, by the same box."""
        return float(np.linalg.norm(np.abs(self.corners).max(axis=0)))

    def support(self, G) -> float:
        """max_{x in set} ⟨G, x⟩."""
        G = vector("polytope: G", G, self.size)
        return float(G @ self.lmo(-G))

    def gauge(self, x) -> float:
        """1 + the largest violation of an inequality, relative to 1 + its right side."""
        x = numbers("polytope: x", x, self.size)
        low, high = self.limits.T
        with np.errstate(invalid="ignore"):  # ∞ − ∞ and 0·∞
            return 1.0 + float(np.maximum(0.0, np.max(self._over(x, low, high))))  # of NaN it is NaN

    def _over(self, x, low, high):
        """Violation of each inequality, relative to 1 + its right side."""
        over = [np.where(np.isfinite(low), low - x, 0.0), np.where(np.isfinite(high), x - high, 0.0)]
        if self.A is not None:
            over.append((np.asarray(self.A) @ x - self.b) / (1.0 + np.abs(self.b)))
        if self.E is not None:
            over.append(np.abs(np.asarray(self.E) @ x - self.f) / (1.0 + np.abs(self.f)))
        return np.concatenate(over)

    def contains(self, x, slack=1e-9) -> bool:
        """Whether no inequality is violated by more than slack relative to 1 + its right side."""
        return bool(self.gauge(x) <= 1.0 + slack)

    def lmo(self, G, *, start=None, rng=None, tol=0.0) -> np.ndarray:
        """argmin_{x in set} ⟨G, x⟩, a vertex by the dual simplex method; the same for 2ᵏG as for G.

        HiGHS's tolerances are absolute. So the largest ``|G_i|`` is scaled to 1 … 2, and the tolerance is the
        smallest that HiGHS takes, because all certificates rely on this minimum.

        Raises
        ------
        ValueError
            If the polytope is empty or unbounded in that direction.
        """
        G = vector("polytope: G", G, self.size)
        sized = np.ldexp(G, 1 - np.frexp(np.abs(G).max())[1])
        rows = (self.A, self.b, self.E, self.f)
        found = linprog(sized, *rows, self.limits, method="highs-ds", options=TOLERANCE)
        if found.status != 0:
            raise ValueError(f"polytope: linear program not solved ({found.message})")
        return found.x
