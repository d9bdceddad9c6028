"""The feasible points of a linear model of HiGHS, CVXPY, Pyomo or SciPy, whole numbers included.

HiGHS solves it, scaled by powers of two. Without whole numbers the bound is the one of `polytope`, which
believes no solver. With them it is the dual bound of branch and bound, less the error that the tolerances of
HiGHS allow.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from scipy import sparse
from scipy.optimize import Bounds, LinearConstraint, milp

from projfree.common.parameters import NotNegative, Positive, checked
from projfree.linalg.atoms import as_array
from projfree.linalg.scaling import times_power

from . import polytope
from .from_lmo import ByOracle

#: HiGHS sees costs of 2^COST at most. By its tolerances (1e-6 for feasibility and the absolute gap) its dual
#: bound may be too high by ALLOWED, so that about 2e-10 of the largest cost is lost.
COST, ALLOWED = 14, 2e-6
#: Violation of a row that a point may have, relative to its right side and its largest entry.
FEASIBLE = 1e-6


@dataclass(frozen=True)
class Program:
    """low ≤ A y ≤ high and lower ≤ y ≤ upper, whole numbers where `whole` says so; points are y[columns]."""

    A: sparse.csr_array
    low: np.ndarray
    high: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    whole: np.ndarray
    columns: np.ndarray
    names: tuple = ()

    @cached_property
    def polytope(self):
        """The set of all y of a program without whole numbers."""
        A, low, high = self.A.toarray(), self.low, self.high
        same = low == high
        above, below = np.isfinite(high) & ~same, np.isfinite(low) & ~same
        rows, sides = np.vstack([A[above], -A[below]]), np.concatenate([high[above], -low[below]])
        if not len(rows) and not same.any():
            rows, sides = np.zeros((1, A.shape[1])), np.ones(1)
        equal = (A[same], low[same]) if same.any() else (None, None)
        unequal = (rows, sides) if len(rows) else (None, None)
        return polytope.Set(*unequal, *equal, self.lower, self.upper)

    @cached_property
    def scaled(self):
        """The program of z, y = 2^p z, with rows of largest entries of about 1; p is 0 for whole numbers."""
        A = self.A.tocoo()
        p = np.where(self.whole, 0, -_exponents(A.data, A.col, A.shape[1]))
        data = np.ldexp(A.data, p[A.col])
        e = -_exponents(data, A.row, A.shape[0])
        A = sparse.csr_array((np.ldexp(data, e[A.row]), (A.row, A.col)), A.shape)
        limits = (np.ldexp(side, -p) for side in (self.lower, self.upper))
        return Program(A, np.ldexp(self.low, e), np.ldexp(self.high, e), *limits, self.whole, self.columns), p

    def least(self, cost, gap):
        """argmin ⟨cost, y⟩, and a lower bound of the minimum."""
        if not self.whole.any():
            return self.polytope.oracle(cost)
        scaled, p = self.scaled
        e = int((np.frexp(cost)[1] + p)[cost != 0.0].max()) - COST if cost.any() else 0
        small = np.ldexp(cost, p - e)
        solution = scaled.solved(small, scaled.whole, scaled.lower, scaled.upper, gap)
        z = solution.x.copy()
        z[self.whole] = np.round(z[self.whole])
        if (z != solution.x).any() and not self.whole.all():
            lower, upper = (np.where(self.whole, z, side) for side in (scaled.lower, scaled.upper))
            z = scaled.solved(small, 0 * scaled.whole, lower, upper, 0.0).x
        z = np.clip(z, scaled.lower, scaled.upper)
        rows = scaled.A @ z
        miss = np.maximum(scaled.low - rows, rows - scaled.high)
        sides = (np.where(np.isfinite(side), np.abs(side), 0.0) for side in (scaled.low, scaled.high))
        worst = (miss / (1.0 + np.maximum(*sides))).max(initial=0.0)
        if not worst <= FEASIBLE:
            raise ArithmeticError(f"from_model: HiGHS' point is outside by {worst:.1e}")
        dual = -np.inf if solution.mip_dual_bound is None else solution.mip_dual_bound
        low = min(dual - ALLOWED, float(small @ z)) if cost.any() else 0.0
        return np.ldexp(z, p), times_power(low, e)

    def solved(self, cost, whole, lower, upper, gap):
        """HiGHS' answer, optimal to the gap."""
        rows = LinearConstraint(self.A, self.low, self.high) if self.A.shape[0] else ()
        options = {"mip_rel_gap": gap}
        solution = milp(
            cost, integrality=whole, bounds=Bounds(lower, upper), constraints=rows, options=options
        )
        if solution.status in (2, 3):
            raise ValueError(f"from_model: the model is {('empty', 'unbounded')[solution.status - 2]}")
        if solution.x is None or solution.status != 0:
            raise ArithmeticError(f"from_model: HiGHS did not solve it ({solution.message})")
        return solution


@checked
@dataclass(frozen=True, eq=False)
class Set(ByOracle):
    """The convex hull of a model's feasible points; it must be bounded. The model's objective is left out.

    Without whole numbers the rows are made dense.

    Attributes
    ----------
    model : path, highspy.Highs, cvxpy.Problem, Pyomo model or dict
        A path is of an MPS or LP file, which any modeller writes; a dict has ``constraints``, ``bounds`` and
        ``integrality`` as for `scipy.optimize.milp`. Paths and Pyomo models need the package highspy.
    variable : cvxpy.Variable or None
        The variable whose values are the points, of its shape; None is the only one. Points of other models
        are vectors (n,), in the order of `names`.
    radius : float or None
        A bound of ‖x‖; None computes one, by 2n linear programs, for methods that need it.
    gap : float
        Relative gap at which HiGHS may stop. Its dual bound at the end is in the certificate.

    Examples
    --------
    >>> import numpy as np, projfree as pf
    >>> from scipy.optimize import Bounds, LinearConstraint
    >>> rows = LinearConstraint([[3.0, 5.0]], -np.inf, 7.0)
    >>> whole = pf.sets.FromModel(dict(constraints=rows, bounds=Bounds(0, 2), integrality=[1, 1]))
    >>> whole.lmo([-1.0, -1.0]), round(whole.support([1.0, 1.0]), 6)
    (array([2., 0.]), 2.0)
    """

    model: Any
    variable: Any = None
    radius: Positive | None = None
    gap: NotNegative = 0.0
    is_polytope = True

    @cached_property
    def program(self):
        """The model as a `Program`."""
        read = _reader(self.model)
        return read(self.model, self.variable) if read is _of_cvxpy else read(self.model)

    @cached_property
    def shape(self):
        """The shape of a point."""
        if self.variable is None and _reader(self.model) is _of_cvxpy:
            return self.model.variables()[0].shape
        return self.program.columns.shape if self.variable is None else self.variable.shape

    @property
    def names(self) -> tuple:
        """The names of the columns, if the model has them."""
        return self.program.names

    def oracle(self, G):
        """argmin ⟨G, x⟩, and a lower bound of the minimum."""
        if G.shape != self.shape:
            raise ValueError(f"from_model: G must be of shape {self.shape}, not {G.shape}")
        program = self.program
        cost = np.zeros(program.whole.size)
        cost[program.columns] = G.ravel(order="F")  # CVXPY's order
        y, low = program.least(cost, self.gap)
        return y[program.columns].reshape(self.shape, order="F"), low

    @cached_property
    def norm_bound(self) -> float:
        """A bound of ‖x‖: the radius, or that of the smallest box around the set."""
        if self.radius is not None:
            return self.radius
        axes = np.eye(self.program.columns.size).reshape(-1, *self.shape)
        sides = [max(self.support(axis), self.support(-axis)) for axis in axes]
        return float(np.linalg.norm(sides))


def _reader(model):
    """The function that reads such a model."""
    if isinstance(model, dict):
        return _of_scipy
    if isinstance(model, str | Path):
        return _of_file
    kinds = {"getLp": _of_highs, "get_problem_data": _of_cvxpy, "component_data_objects": _of_pyomo}
    for method, read in kinds.items():
        if hasattr(model, method):
            return read
    raise ValueError(
        "from_model: the model must be a path of an MPS or LP file, a highspy.Highs, a cvxpy.Problem, a "
        f"Pyomo model or a dict for scipy.optimize.milp, not of type {type(model).__name__}"
    )


def _of_scipy(arguments):
    if unknown := set(arguments) - {"constraints", "bounds", "integrality"}:
        raise ValueError(f"from_model: a dict has constraints, bounds, integrality, not {sorted(unknown)}")
    rows, bounds, whole = (arguments.get(name) for name in ("constraints", "bounds", "integrality"))
    rows = [] if rows is None else [rows] if isinstance(rows, LinearConstraint) else list(rows)
    if not all(isinstance(row, LinearConstraint) for row in rows):
        raise ValueError("from_model: constraints must be one scipy.optimize.LinearConstraint, or a list")
    matrices = [sparse.csr_array(np.atleast_2d(as_array(row.A))) for row in rows]
    n = max([A.shape[1] for A in matrices] + [np.size(whole)] + ([np.size(bounds.lb)] if bounds else []))
    whole = np.broadcast_to(0 if whole is None else whole, n)
    if not np.isin(whole, (0, 1)).all():
        raise ValueError("from_model: integrality must be 0 or 1; semi-continuous variables are not known")
    A = sparse.csr_array(sparse.vstack([sparse.csr_array((0, n)), *matrices]))
    pairs = list(zip(rows, matrices, strict=True))
    low = [np.broadcast_to(row.lb, B.shape[0]) for row, B in pairs]
    high = [np.broadcast_to(row.ub, B.shape[0]) for row, B in pairs]
    ends = (np.concatenate([np.zeros(0), *side]) for side in (low, high))
    limits = (bounds.lb, bounds.ub) if bounds else (0.0, np.inf)
    limits = (np.broadcast_to(np.asarray(side, float), n) for side in limits)
    return Program(A, *ends, *limits, whole.astype(bool), np.arange(n))


def _of_highs(highs):
    lp = highs.getLp()
    matrix, n = lp.a_matrix_, lp.num_col_
    kind = sparse.csr_array if "Row" in str(matrix.format_) else sparse.csc_array
    A = kind((matrix.value_, matrix.index_, matrix.start_), (lp.num_row_, n)).tocsr()
    kinds = [str(each).rpartition(".k")[2] for each in lp.integrality_] or ["Continuous"] * n
    if set(kinds) - {"Continuous", "Integer"}:
        raise ValueError("from_model: semi-continuous variables are not known")
    sides = (lp.row_lower_, lp.row_upper_, lp.col_lower_, lp.col_upper_)
    sides = [np.where(np.abs(side) >= 1e30, np.copysign(np.inf, side), side) for side in map(np.array, sides)]
    return Program(A, *sides, np.array(kinds) == "Integer", np.arange(n), tuple(lp.col_names_))


def _of_file(path):
    if not Path(path).is_file():
        raise ValueError(f"from_model: there is no file {path}")
    try:
        highs = import_module("highspy").Highs()
    except ImportError as error:
        raise ValueError("from_model: files and Pyomo models need highspy: pip install highspy") from error
    highs.silent()
    if "Error" in str(highs.readModel(str(path))):
        raise ValueError(f"from_model: HiGHS cannot read {path} as an MPS or LP file")
    return _of_highs(highs)


def _of_pyomo(model):
    """The program of a Pyomo model, by the LP file that it writes, with its own names."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.lp"
        model.write(str(path), io_options={"symbolic_solver_labels": True})
        program = _of_file(path)
    own = np.array([name != "ONE_VAR_CONSTANT" for name in program.names])  # of models without an objective
    names = tuple(np.array(program.names)[own].tolist())
    return replace(program, columns=np.flatnonzero(own), names=names)


def _of_cvxpy(problem, variable=None):
    """The program of a CVXPY problem with linear constraints, in its canonical form."""
    if variable is None and len(problem.variables()) != 1:
        names = ", ".join(v.name() for v in problem.variables())
        raise ValueError(f"from_model: the problem has several variables ({names}); give one as `variable`")
    variable = problem.variables()[0] if variable is None else variable
    try:
        data, _, _ = problem.get_problem_data("SCIPY")
    except Exception as error:  # CVXPY has many
        raise ValueError(
            "from_model: CVXPY cannot write these constraints as linear ones. For other convex sets give "
            "FromLmo a function that solves the problem and returns (v, dual bound)"
        ) from error
    starts = data["param_prob"].var_id_to_col
    start, n = starts.get(variable.id), len(data["c"])
    if start is None or min((s for s in starts.values() if s > start), default=n) - start != variable.size:
        raise ValueError(
            f"from_model: CVXPY replaces {variable.name()} by another variable; state its attributes "
            "(nonneg, symmetric, …) as constraints instead"
        )
    parts = [(data[key], data[side]) for key, side in (("A", "b"), ("G", "h")) if data.get(key) is not None]
    A = sparse.csr_array(sparse.vstack([sparse.csr_array(A) for A, _ in parts]))
    high = np.concatenate([np.asarray(side, float) for _, side in parts])
    low = np.where(np.arange(high.size) < data["dims"].zero, high, -np.inf)
    limits = [data.get("lower_bounds"), data.get("upper_bounds")]
    lower, upper = (
        np.full(n, free) if limit is None else np.asarray(limit, float)
        for limit, free in zip(limits, (-np.inf, np.inf), strict=True)
    )
    whole, bools = np.zeros(n, bool), np.asarray(data["bool_vars_idx"], int)
    whole[np.asarray([*data["int_vars_idx"], *bools], int)] = True
    lower[bools], upper[bools] = np.maximum(lower[bools], 0.0), np.minimum(upper[bools], 1.0)
    return Program(A, low, high, lower, upper, whole, start + np.arange(variable.size))


def _exponents(entries, places, size):
    """e with the largest size of each place in ½·2^e … 2^e; 0 for places of zeros."""
    largest = np.zeros(size)
    np.maximum.at(largest, places, np.abs(entries))
    return np.frexp(largest)[1]
