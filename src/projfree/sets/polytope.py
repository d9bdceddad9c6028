"""A polytope {x : A x ≤ b, E x = f, lower ≤ x ≤ upper}; its oracles are linear programs of HiGHS.

HiGHS sees x, rows and gradients scaled by powers of two, and its answer is not believed: the vertex is
checked, and the bound of a certificate is made of its multipliers, by weak duality, which holds for any.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.optimize import linprog

from ..common.parameters import checked
from ..linalg.scaling import EPS, times_power
from ..linalg.validation import matrix, real, vector
from ._base import NoProjection

#: The least tolerances that HiGHS takes. They are absolute, so it sees scaled programs only.
TOLERANCE = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
#: Scaled violation that a vertex may have; passes that find the size of the set.
FEASIBLE, PASSES = 1e-9, 5

Rows = list | np.ndarray | None
Limit = float | list | np.ndarray | None


@checked
@dataclass(frozen=True, eq=False)
class Set(NoProjection):
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
    is_polytope = True
    n = property(lambda self: self.size)

    def __post_init__(self):
        if self.A is None and self.E is None:
            raise ValueError("polytope: neither A nor E is given; a `box` needs none")
        if (self.A is None, self.E is None) != (self.b is None, self.f is None):
            raise ValueError("polytope: A goes with b, E with f")
        for rows, sides in (("A", "b"), ("E", "f")):
            if (value := getattr(self, rows)) is not None:
                value = matrix(f"polytope: {rows}", value)
                vector(f"polytope: {sides}", getattr(self, sides), len(value))

    @cached_property
    def size(self) -> int:  # type: ignore[override]
        """n."""
        return np.shape(self.E if self.A is None else self.A)[1]  # type: ignore[arg-type]

    @cached_property
    def limits(self):
        """Lower and upper limits (n, 2), infinite if there is no limit."""
        low = -np.inf if self.lower is None else real("polytope: lower", self.lower)
        high = np.inf if self.upper is None else real("polytope: upper", self.upper)
        return np.column_stack(np.broadcast_arrays(low, high, np.zeros(self.size))[:2])

    @cached_property
    def program(self):
        """A, b, E, f and limits (n, 2) of y, of a size of about 1, and the exponents p (n,) of x = 2^p y.

        The largest entry of a row is about 1, and of a column whose variable has no limit on a side.
        """
        first = 0 if self.A is None else len(self.A)
        rows, sides = (
            np.concatenate([np.asarray(part, float) for part in parts if part is not None])
            for parts in ((self.A, self.E), (self.b, self.f))
        )
        e, limits = -_exponents(rows, 1), self.limits
        rows, sides = np.ldexp(rows, e[:, None]), np.ldexp(sides, e)
        p = np.where(np.isinf(limits).any(axis=1), -_exponents(rows, 0), 0)
        rows, scaled = np.ldexp(rows, p), np.ldexp(limits, -p[:, None])
        unit = _exponents(sides if sides.any() else scaled[np.isfinite(scaled)], None)
        for _ in range(PASSES):
            p, sides = p + unit, np.ldexp(sides, -unit)
            cut = rows[:first], sides[:first], rows[first:], sides[first:], np.ldexp(limits, -p[:, None])
            ends = [_solved(sign * np.ones(self.size), *cut) for sign in (1.0, -1.0)]
            unit = _exponents(np.array([end.x for end in ends if end.status == 0]), None)
            if abs(unit) <= 3:
                break
        return *cut, p

    @cached_property
    def reach(self) -> float:
        """M ≥ the distances of y_j from its limit, if it has only one, and ≥ ``|y_j|``, if it has none."""
        low, high = self.program[4].T
        near, least, slips = _near(low, high), 0.0, [0.0]
        one = np.where(np.isinf(high), 1.0, 0.0) - np.where(np.isinf(low), 1.0, 0.0)
        free = np.eye(self.size)[np.isinf(low) & np.isinf(high)]
        for o in [*([one] if one.any() else []), *free, *-free]:
            base, slip = self._below(-o, self._vertex(-o))
            least = max(least, -base - o @ near + EPS * self.size * (np.abs(o) @ np.abs(near)))
            slips.append(slip)
        return least / (1.0 - max(slips)) * (1.0 + 1e-9) if max(slips) < 0.5 else np.inf

    @cached_property
    def corners(self):
        """Bounds of the least and largest x_i over the set, by 2n linear programs: (2, n)."""
        axes = np.eye(self.size)
        return np.array([[-self.support(-row) for row in axes], [self.support(row) for row in axes]])

    @property
    def diameter(self) -> float:
        """A bound of ‖x − y‖, the diagonal of the smallest box around the set."""
        return float(np.linalg.norm(self.corners[1] - self.corners[0]))

    @property
    def norm_bound(self) -> float:
        """A bound of ‖x‖, by the same box."""
        return float(np.linalg.norm(np.abs(self.corners).max(axis=0)))

    def _support(self, G):
        """The value, or a bound of it just above, whatever the accuracy of the linear program."""
        return -self.oracle(-G)[1]

    def _gauge(self, x):
        """1 + the largest violation of an inequality, in units of the set's size and of its right side."""
        with np.errstate(invalid="ignore", over="ignore"):  # ∞ − ∞ and 0·∞
            over = _over(np.ldexp(x, -self.program[5]), *self.program[:5])
        return 1.0 + np.maximum(0.0, np.max(over))  # of NaN it is NaN

    def _lmo(self, G):
        """A vertex by the dual simplex method.

        It is the same for 2ᵏG as for G, and for rows times 2ᵏ; and 2ᵏ times as large for limits and right
        sides times 2ᵏ.

        Raises
        ------
        ValueError
            If the polytope is empty or unbounded in that direction.
        ArithmeticError
            If the solver's vertex violates an inequality.
        """
        return self.oracle(G)[0]

    def oracle(self, G):
        """`lmo` of G and a lower bound of its minimum, by one linear program: its vertex is checked."""
        G, p = vector("polytope: G", G, self.size), self.program[5]
        # ⟨G, x⟩ = 2^e⟨cost, y⟩ with the largest entry of the cost 1 … 2
        e = int((np.frexp(G)[1] + p)[G != 0.0].max()) - 1 if G.any() else 0
        cost = np.ldexp(G, p - e)
        answer = self._vertex(cost)
        y = np.clip(answer.x, *self.program[4].T)
        miss = _over(y, *self.program[:5]).max()
        if not miss <= FEASIBLE:
            raise ArithmeticError(f"polytope: the vertex of the linear program is outside by {miss:.1e}")
        base, slip = self._below(cost, answer)
        return np.ldexp(y, p), times_power(base - (slip * self.reach if slip else 0.0), e)

    def _vertex(self, cost):
        """HiGHS' answer for min ⟨cost, y⟩."""
        optimum = _solved(cost, *self.program[:5])
        if optimum.status != 0:
            raise ValueError(f"polytope: linear program not solved ({optimum.message})")
        return optimum

    def _below(self, cost, optimum):
        """(base, slip): min ⟨cost, y⟩ ≥ base − slip·M by the multipliers, with M as in `reach`.

        min ⟨cost, y⟩ ≥ ⟨u, b⟩ + ⟨w, f⟩ + min over the limits of ⟨r, y⟩ for all u ≤ 0 and w, with
        r = cost − Aᵀu − Eᵀw. An entry of r whose sign wants a limit that is not there is rounding: a slip.
        """
        A, b, E, f, limits = self.program[:5]
        low, high = limits.T
        u, w = np.minimum(optimum.ineqlin.marginals, 0.0), optimum.eqlin.marginals
        r, terms = cost - u @ A - w @ E, A.shape[0] + E.shape[0] + self.size
        lost = EPS * terms * (np.abs(cost) + np.abs(u) @ np.abs(A) + np.abs(w) @ np.abs(E))
        ends, open_ = np.where(r > 0.0, low, high), np.isinf(limits).any(axis=1)
        slip = float(np.abs(r[np.isinf(ends)]).sum() + lost[open_].sum())
        parts = np.concatenate([u * b, w * f, r * np.where(np.isinf(ends), _near(low, high), ends)])
        farthest = np.abs(np.where(np.isinf(limits), 0.0, limits)).max(axis=1)
        return float(parts.sum() - EPS * terms * np.abs(parts).sum() - lost @ farthest), slip


def _solved(cost, A, b, E, f, limits):
    """HiGHS' answer; to its own tolerances if it fails with the least."""
    for options in (TOLERANCE, {}):
        optimum = linprog(cost, A, b, E, f, limits, method="highs-ds", options=options)
        if optimum.status in (0, 2, 3):  # solved, empty, unbounded
            break
    return optimum


def _over(y, A, b, E, f, limits):
    """Violation of each inequality, relative to 1 + its right side."""
    low, high = limits.T
    over = [np.where(np.isfinite(low), low - y, 0.0), np.where(np.isfinite(high), y - high, 0.0)]
    over += [(A @ y - b) / (1.0 + np.abs(b)), np.abs(E @ y - f) / (1.0 + np.abs(f))]
    return np.concatenate(over)


def _near(low, high):
    return np.where(np.isfinite(low), low, np.where(np.isfinite(high), high, 0.0))


def _exponents(entries, axis):
    """e with the largest size in ½·2^e … 2^e; 0 for zeros and for none."""
    return np.frexp(np.abs(entries).max(axis=axis, initial=0.0))[1]
