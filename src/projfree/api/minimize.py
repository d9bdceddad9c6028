"""`minimize`: run any of the methods on a problem, with the same driver as the replication."""

import dataclasses
import math
import signal
import warnings
from copy import deepcopy
from numbers import Integral, Real
from types import SimpleNamespace
from typing import Any

import numpy as np

from ..common.registry import called
from ..engine import interruption, metrics
from ..engine.budget import Budget
from ..engine.driver import Drive, Setting, prepared
from ..engine.schedule import Schedule
from ..engine.seeds import seeds_of
from ..families import composite, regularised
from ..linalg.compiled import not_counted
from ..linalg.factored import Factors
from ..linalg.scaling import PRECISIONS
from ..linalg.spectral import economy_svd
from ..linalg.validation import array
from ..penalties import Unmade, _own, unmade
from ..sets import from_lmo
from ..solvers.inner.active_set import ActiveSet
from . import function, methods, records, warm_starts
from .progress import Progress, Table
from .result import CERTIFIES, Certificate, Result, done, never_fell, outcome

#: What an end by rounding of the function's own type advises.
HELP = "so give a larger tol, or values and gradients of float64 (JAX: jax_enable_x64; PyTorch: .double())"
#: Iterations where no budget is given: every loop ends.
ITERATIONS = 1000


def minimize(
    fun,
    constraint,
    method=None,
    x0=None,
    *,
    warm_start=None,
    tol=1e-6,
    budget=None,
    options=None,
    constants=None,
    callback=None,
    every=None,
    rng=None,
    progress=False,
    verbose=False,
) -> Result:
    """Minimise a function over a set, or its sum with a penalty.

    Parameters
    ----------
    fun : callable or problem
        x ↦ (value, gradient) as for SciPy's ``jac=True``; a `FiniteSum`; or a problem of `projfree.problems`,
        whose structure the stochastic and sampled methods use.
    constraint : set or penalty
        ``projfree.sets.NuclearBall(10.0)``, ``projfree.penalties.L1(0.1)``, or your own: a function
        G ↦ argmin ⟨G, v⟩ over a set (see `FromLmo`), anything with ``lmo``, ``support``, ``gauge`` and
        ``bound``, a penalty with ``value(x)`` and ``prox(p, gamma)``, or a norm of matrices with
        ``value(X)`` and ``polar(G)`` = (u, v).
    method : str, optional
        One of `projfree.methods()`. The default depends on the problem and the set.
    x0 : array, optional
        Starting point, in the set. A plain function needs one; a problem has its own.
    warm_start : Result or ActiveSet, optional
        What to start from instead of `x0`: methods with an active set continue with its atoms and weights,
        others at its x. From a set of another size, atoms are scaled to the size of this one.
    tol : float ≥ 0
        The run has converged if and only if the certificate's value is at most `tol` (for a squared norm, its
        root), see `Result.certificate`.
    budget : int or dict, optional
        Number of iterations (default 1000), or limits on ``iterations``, ``cpu_seconds``, ``wall_seconds``
        and counts.
    options : dict, optional
        Parameters of the method.
    constants : dict, optional
        Known constants of a plain function, such as ``L_full``, the Lipschitz constant of its gradient; see
        `projfree.api.function.CONSTANTS`.
    callback : callable, optional
        Called with a `Progress` at each record; StopIteration ends the run.
    every : int, optional
        Iterations from a record to the next; 1 records each step. By default the distance grows by a tenth,
        so that records and their certificates cost little.
    rng : int, SeedSequence or Generator, optional
        Source of randomness. The default is a fixed seed, so that equal calls give equal results.
    progress : bool
        Whether to show a progress bar.
    verbose : bool
        Whether to print a table of the records: objective, certificate, CPU seconds and oracle calls.

    Returns
    -------
    Result
        After ^C, the result of the run so far, once the current step ends (a second ^C does not wait).
        If the function fails after the start, the best recorded point, with the status ``error``.

    Raises
    ------
    ValueError
        For an unknown method, parameter, constant or limit; for a start outside of the set; for a method
        that needs an oracle or a constant that the problem or the constraint lacks.

    Warns
    -----
    RuntimeWarning
        If a plain function never decreased: its gradient may have the wrong sign, see `check_gradient`.

    Examples
    --------
    >>> import numpy as np, projfree as pf
    >>> aim = np.array([0.2, 1.0, -0.5])
    >>> found = pf.minimize(lambda x: (0.5 * (x - aim) @ (x - aim), x - aim), pf.sets.Simplex(), x0=[1, 0, 0])
    >>> found.x.round(3), found.status
    (array([0.1, 0.9, 0. ]), 'converged')
    """
    if not (isinstance(tol, Real) and float(tol) >= 0.0):
        raise ValueError(f"tol must be a number ≥ 0, not {tol!r}")
    x0, warm = warm_starts.warmed(warm_start, x0, constraint)
    problem = as_problem(fun, constraint, x0, constants)
    constraint = fitted(constraint, problem)
    if warm is not None:
        problem.active_set = warm_starts.held(warm, constraint)
    solver = methods.chosen(method, problem, constraint, options)
    name, says = CERTIFIES[problem.family.name]
    level = float(tol) ** 2 if name.startswith("sq_") else float(tol)
    if every is not None and not (isinstance(every, Integral) and int(every) >= 1):
        raise ValueError(f"every must be a whole number ≥ 1, not {every!r}")
    recorded = records.measured(problem, constraint, solver, level)
    schedule = Schedule(every=None if every is None else int(every))
    setting = Setting(limits(budget, {name: level}), schedule, recorded)
    setting.progress = progress
    solver = prepared(solver, problem, constraint)
    run = Run(problem, constraint, solver, seeds_of(rng), 0, setting)
    run.callback, run.certifies, run.level = callback, name, level
    run.before = getattr(problem, "calls", None) or 0
    label = type(solver).__module__.rpartition(".")[2].replace("_", "-")
    if verbose:
        run.table = Table(name, every)
        beside = type(constraint).__module__.rpartition(".")[2]
        run.table.head(f"{label}, {problem.family.constraint} {beside}, tol {tol:g}")
    trace = run.run()
    x = run.state.iterate
    if run.error:  # nothing more is asked of the function
        known = run.known
    else:
        known = {key: metric(x) for key, metric in records.last(recorded, problem, constraint).items()}
        if getattr(problem, "single", False) and "infeasibility" in known:  # of x as it is returned
            known["infeasibility"] = records.outside(constraint, x.astype(np.float32).astype(float))
        for key, exact in known.items():
            trace.metrics[key][-1] = exact
    value, found = known["objective"], Certificate(name, known[name], says, known.get("infeasibility", 0.0))
    given = {f.name: getattr(solver, f.name) for f in dataclasses.fields(solver)}
    plain = x.array if hasattr(x, "array") and hasattr(x, "image") else x
    if getattr(problem, "single", False) and isinstance(plain, np.ndarray):
        plain = plain.astype(np.float32)
    trace.end_status, trace.message = outcome(trace, found, level)
    if verbose:
        run.shown(end=True)
        print(f"{trace.end_status}: {trace.message}", flush=True)
    falls = isinstance(problem, function.Function) and problem.family.name != "saddle"
    if falls and never_fell(trace, name):
        trace.message += "; the objective never fell: does check_gradient say that its gradient is right?"
        warnings.warn(trace.message, RuntimeWarning, stacklevel=2)
    ended = trace.end_status, trace.message
    kept = getattr(run.own, "active", None)
    kept = kept if isinstance(kept, ActiveSet) else None
    numbers = plain, float(value), found.value, found, *ended, run.counted()
    return Result(*numbers, trace, label, given, run.error, constraint, kept)


def certificate(problem, constraint, x, constants=None) -> Certificate:
    """The certificate of a point of a problem, without a run.

    Parameters
    ----------
    problem : callable or problem
        As in `minimize`: a plain function with its gradient, a `FiniteSum`, or one of `projfree.problems`.
    constraint : set or penalty
    x : array or iterate
        A point in the set or near it; with a penalty on matrices, the matrix.
    constants : dict, optional
        Constants of a plain function; a penalty with a prox needs ``L_full``.

    Examples
    --------
    >>> import numpy as np, projfree as pf
    >>> aim = np.array([0.2, 1.0, -0.5])
    >>> square = lambda x: (0.5 * (x - aim) @ (x - aim), x - aim)
    >>> print(round(pf.certificate(square, pf.sets.Simplex(), [0.0, 1.0, 0.0]).value, 12))
    0.2
    """
    problem = as_problem(problem, constraint, None if hasattr(problem, "family") else x, constants)
    return certified(problem, made(constraint, problem), placed(problem, x))


def certified(problem, constraint, x) -> Certificate:
    """The certificate of an iterate."""
    name, says = CERTIFIES[problem.family.name]
    value, outside = float(metrics.make(name, problem, constraint)(x)), 0.0
    if name == "fw_gap" and isinstance(problem, function.Function):
        value += records.lost(problem, problem.gradient(x), x, value)
    if problem.family.constraint == "set" and isinstance(x, np.ndarray):
        outside = float(metrics.make("infeasibility", problem, constraint)(x))
    return Certificate(name, value, says, outside)


def placed(problem, x):
    """An array as a point in the form that the metrics of the problem's family use."""
    if not (isinstance(x, np.ndarray | list | tuple) or hasattr(x, "tocsr")):
        return x
    x = array("x", x)
    if x.shape != tuple(problem.shape):
        raise ValueError(f"x has shape {x.shape}, the problem {tuple(problem.shape)}")
    if problem.family is regularised.FAMILY:
        U, s, Vt = economy_svd(x)
        U, V = U * np.sqrt(s), Vt.T * np.sqrt(s)
        return Factors(U, V, problem.image(U, V), float(s.sum()))
    return problem.point(x) if problem.family is composite.FAMILY else x


class Run(Drive):
    """A run that calls a callback; ^C ends it and keeps the result so far."""

    callback, certifies, stopped, error = None, "", False, None
    table: Table | None = None
    # where the function may fail: the point of the least recorded objective, and its metrics
    best: Any = None
    known: dict[str, float] = {}
    before = 0  # calls of a plain function before the run
    level, looks = 0.0, 0  # the tolerance, and the step from which the method's own gap may ask for a record

    def run(self):
        """Its clock counts no compiling: the first run of a process would get less of its budget."""
        with not_counted(self.clock, self.oracles.timers):
            return super().run()

    @property
    def own(self):
        """The method's own state, in that of `lazy` too."""
        return getattr(self.state, "own", self.state)

    def _advance(self):
        """A step; where the function fails, the run ends at its best point."""
        try:
            super()._advance()
        except Exception as error:
            if error is not getattr(self.problem, "failure", None):
                raise
            self.error, self.trace.end_status = error, "error"
            said = "; ".join([f"{type(error).__name__}: {error}", *error.__notes__])
            self.trace.message = f"the function failed in step {self._iteration + 1}: {said}"
        if self.trace.end_status in ("error", "diverged") and self.best is not None:
            self.state = SimpleNamespace(iterate=self.best)

    def _due(self):
        """Methods that know their gap are recorded seldom, and where it is at most the tolerance."""
        gap = getattr(self.own, "gap", None)
        if (
            gap is None
            or self.setting.records.every is not None
            or self.problem.family.metrics != "constrained"
        ):
            return super()._due()
        costly = hasattr(self.oracles.constraint, "support_bounds")
        self.setting.records = records.SELDOM if costly else records.FEW
        asks = gap <= self.level and self._iteration >= self.looks
        self.looks = records.OFTEN.after(self._iteration) if asks else self.looks
        return asks or super()._due()

    def _record(self):
        super()._record()
        last = {name: values[-1] for name, values in self.trace.metrics.items()}
        ranks = self.certifies if self.problem.family.name == "saddle" else "objective"
        if hasattr(self.problem, "failure") and not last[ranks] >= self.known.get(ranks, np.inf):
            self.best, self.known = deepcopy(self.state.iterate), last
        self.shown()
        if self.callback is None:
            return
        seen = last["objective"], last[self.certifies], self.counted(), self.clock.read()[0]
        try:
            self.callback(Progress(deepcopy(self.state.iterate), self._iteration, *seen))
        except StopIteration:
            self.stopped, self.trace.message = True, "the callback asked for the end"

    def shown(self, end=False):
        """The last record as a row of the table, if there is one."""
        if self.table is not None:
            trace = self.trace
            last = (trace.metrics[name][-1] for name in ("objective", self.certifies))
            self.table.row(trace.iteration[-1], *last, trace.cpu_seconds[-1], self.counted(), end)

    def counted(self) -> dict:
        """The oracle calls so far. Of a plain function FO and IFO count all calls, those for values too."""
        counts = dict(self.oracles.counts)
        if (calls := getattr(self.problem, "calls", None)) is not None:
            counts["FO"] = counts["IFO"] = calls - self.before
        return counts

    def _meets(self, value, level):
        return done(value, level)

    def _status_of_record(self):
        gap = self.setting.metrics.get("fw_gap")
        found = super()._status_of_record() or ("interrupted" if self.stopped else None)
        lost = 2.0 * getattr(gap, "lost", 0.0)
        if lost and not found and self.trace.metrics["fw_gap"][-1] <= lost:
            self.trace.message = (
                f"{named(self.problem.precision)}: the rest is rounding of the gradient, {HELP}"
            )
            return "stalled"
        return found

    def _interruption(self):
        return interruption.noticed(signal.SIGINT)

    def _stop(self):
        if self.trace.iteration[-1] != self._iteration:
            self._record()
        self.trace.end_status, self.trace.message = "interrupted", "by ^C"


def named(precision) -> str:
    """The name of a type by its precision."""
    return next(name for name, eps in PRECISIONS.items() if eps == precision)


def as_problem(fun, constraint, x0, constants):
    """A function as a problem, in the form of the family that fits its constraint."""
    if hasattr(fun, "family") and constants:
        raise ValueError("constants are for a plain function: a problem has its own, a FiniteSum takes them")
    if hasattr(fun, "family") and x0 is None:
        return fun
    if hasattr(fun, "family"):
        return Started(fun, x0)
    if not callable(fun):
        raise ValueError(f"fun must be a function or a problem, not of type {type(fun).__name__}")
    if x0 is None:
        raise ValueError("a plain function needs x0, which says of what shape x is")
    return form(constraint)(fun, x0, constants)


def form(constraint):
    """The kind of problem that fits a constraint."""
    from .. import penalties

    constraint = _own.form(constraint)
    kind = penalties.load(constraint.name) if isinstance(constraint, Unmade) else type(constraint)
    family = getattr(kind, "family", None)
    smooth = function.SmoothOfAny if kind is _own.ByProx else function.Smooth
    return {composite.FAMILY: smooth, regularised.FAMILY: function.Loss}.get(family, function.Function)


class Started:
    """A problem with another starting point, an array."""

    def __init__(self, problem, x0):
        self._problem, self.x0 = problem, np.array(array("x0", x0), order="C")
        if problem.family.name not in ("constrained", "strongly_convex"):
            raise ValueError(f"x0 cannot be given for a {problem.family.name} problem")
        if self.x0.shape != tuple(problem.shape):
            raise ValueError(f"x0 has shape {self.x0.shape}, the problem {tuple(problem.shape)}")

    def __getattr__(self, name):
        return getattr(self._problem, name)

    def start(self, kind="array"):
        """x_0."""
        return self.x0.copy()


def fitted(constraint, problem):
    """The constraint `made` for the problem; ValueError if x_0 lies outside of the set."""
    constraint = made(constraint, problem)
    x0 = getattr(problem, "x0", None)
    if x0 is not None and hasattr(constraint, "contains") and not constraint.contains(x0, 1e-6):
        raise ValueError("x0 does not lie in the set: start at constraint.lmo(x0) or constraint.project(x0)")
    return constraint


def made(constraint, problem):
    """The constraint for the problem: penalties that are `Unmade`, sets without a size."""
    if constraint is None or isinstance(constraint, (str, type)):
        raise ValueError(
            f"the constraint must be a set or a penalty, such as projfree.sets.Simplex(), not {constraint!r}"
        )
    if getattr(constraint, "func", None) is unmade:
        name = called(constraint.args[0])
        raise ValueError(f"{name} is not made yet: give projfree.penalties.{name}(…) with its parameters")
    if callable(constraint) and not hasattr(constraint, "lmo"):
        constraint = from_lmo.Set(constraint)  # a function for linear minimisation
    constraint = _own.form(constraint)
    if isinstance(constraint, Unmade):
        constraint = constraint.for_problem(problem)
    missing = [part for part in ("support", "gauge", "bound") if not hasattr(constraint, part)]
    if missing and hasattr(constraint, "lmo"):
        raise ValueError(
            f"the set has `lmo` but no {', '.join(missing)}: give projfree.sets.FromLmo(the_set.lmo), "
            "or write what is missing (docs/library.md)"
        )
    if dataclasses.is_dataclass(constraint) and getattr(constraint, "size", 0) is None:
        size_of = getattr(constraint, "size_of", math.prod)
        constraint = dataclasses.replace(constraint, size=int(size_of(problem.shape)))
    return constraint


def limits(budget, stop) -> Budget:
    """The budget of a run."""
    given = {"iterations": ITERATIONS} if budget is None else budget
    given = given if isinstance(given, dict) else {"iterations": given}
    return Budget.parse({**given, "stop": stop})
