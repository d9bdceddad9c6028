"""`minimize`: any of the methods on any problem, by the driver that runs the replication."""

from __future__ import annotations

import dataclasses
import math
import signal
from dataclasses import dataclass

import numpy as np

from ..engine import interruption, metrics
from ..engine.budget import Budget
from ..engine.driver import Drive, Setting, prepared
from ..families import composite, regularised
from ..penalties import Unmade
from . import function, methods
from .result import CERTIFIES, Result, certificate

#: Iterations where no budget is given: every loop ends.
ITERATIONS = 1000


@dataclass(frozen=True)
class Progress:
    """What a callback sees at each record: SciPy's intermediate result.

    Attributes
    ----------
    x : the iterate, not to be written into
    nit : int
    value, gap : float
    counts : dict
    """

    x: object
    nit: int
    value: float
    gap: float
    counts: dict


def minimize(
    fun,
    constraint,
    method=None,
    x0=None,
    *,
    tol=1e-6,
    budget=None,
    options=None,
    constants=None,
    callback=None,
    rng=None,
    progress=False,
) -> Result:
    """Minimise a function over a set, or beside a penalty.

    Parameters
    ----------
    fun : callable or problem
        x ↦ (value, gradient) as for SciPy's ``jac=True``; a `FiniteSum`; or a problem of `projfree.problems`,
        whose structure the stochastic and sampled methods use.
    constraint : set or penalty
        ``projfree.sets.NuclearBall(10.0)``, ``projfree.penalties.Oscar(lambda1=0.1)``, or anything with
        ``lmo``, ``support``, ``gauge`` and ``bound``.
    method : str, optional
        One of `projfree.methods()`; without it the one that suits the problem.
    x0 : array, optional
        Where to start, in the set. A plain function needs it; problems have a start of their own.
    tol : float
        The run has converged once the certificate's number is at most this (of squares: its root), see
        `Result.certificate`.
    budget : int or dict, optional
        Iterations, 1000 without it; or limits of ``iterations``, ``cpu_seconds``, ``wall_seconds``, counts.
    options : dict, optional
        Parameters of the method.
    constants : dict, optional
        What is known of a plain function, such as ``L_full``, the Lipschitz constant of its gradient.
    callback : callable, optional
        Called with a `Progress` at each record; StopIteration ends the run.
    rng : int, SeedSequence or Generator, optional
        Source of randomness; without it a fixed one, so that equal calls give equal results.
    progress : bool
        Whether a bar is shown.

    Returns
    -------
    Result
        Also after ^C: with what was reached after the step under way (a second ^C does not wait for it).

    Raises
    ------
    ValueError
        For an unknown method, parameter or limit; a start outside of the set; a method that needs what the
        problem or the constraint does not have.

    Examples
    --------
    >>> import numpy as np, projfree as pf
    >>> aim = np.array([0.2, 1.0, -0.5])
    >>> found = pf.minimize(lambda x: (0.5 * (x - aim) @ (x - aim), x - aim), pf.sets.Simplex(), x0=[1, 0, 0])
    >>> found.x.round(3), found.status
    (array([0.1, 0.9, 0. ]), 'converged')
    """
    problem = as_problem(fun, constraint, x0, constants)
    constraint = fitted(constraint, problem)
    solver = methods.chosen(method, problem, constraint, options)
    name, _ = CERTIFIES[problem.family.name]
    level = tol**2 if name.startswith("sq_") else tol
    setting = Setting(limits(budget, {name: level}), metrics=measured(problem, constraint), progress=progress)
    solver = prepared(solver, problem, constraint)
    run = Run(problem, constraint, solver, seeds_of(rng), 0, setting)
    run.callback, run.certifies = callback, name
    trace = run.run()
    x, found = run.state.iterate, certificate(problem, constraint, run.state.iterate)
    value = metrics.make("objective", problem, constraint)(x)
    label = type(solver).__module__.rpartition(".")[2].replace("_", "-")
    given = {f.name: getattr(solver, f.name) for f in dataclasses.fields(solver)}
    plain = x.array if hasattr(x, "array") and hasattr(x, "image") else x
    status, counts = trace.end_status, dict(run.oracles.counts)
    return Result(plain, float(value), found.value, found, status, trace.message, counts, trace, label, given)


class Run(Drive):
    """A run that tells a callback, and that ^C ends with what is there."""

    callback, certifies, stopped = None, "", False

    def _record(self):
        super()._record()
        if self.callback is None:
            return
        last = {name: values[-1] for name, values in self.trace.metrics.items()}
        seen = last["objective"], last[self.certifies], dict(self.oracles.counts)
        try:
            self.callback(Progress(self.state.iterate, self._iteration, *seen))
        except StopIteration:
            self.stopped, self.trace.message = True, "the callback asked for the end"

    def _status_of_record(self):
        return super()._status_of_record() or ("interrupted" if self.stopped else None)

    def _interruption(self):
        return interruption.noticed(signal.SIGINT)

    def _stop(self):
        if self.trace.iteration[-1] != self._iteration:
            self._record()
        self.trace.end_status, self.trace.message = "interrupted", "by ^C"


def as_problem(fun, constraint, x0, constants):
    """The problem that a function stands for, in the form of the family that its constraint asks for."""
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
    """Which kind of problem stands beside a constraint."""
    from .. import penalties

    kind = penalties.load(constraint.name) if isinstance(constraint, Unmade) else type(constraint)
    family = getattr(kind, "family", None)
    return {composite.FAMILY: function.Smooth, regularised.FAMILY: function.Loss}.get(
        family, function.Function
    )


class Started:
    """A problem with another start, an array."""

    def __init__(self, problem, x0):
        self._problem, self.x0 = problem, np.array(x0, dtype=float, order="C")
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
    """The constraint made for the problem: penalties that are `Unmade`, sets whose size is left open.

    Raises
    ------
    ValueError
        Where x_0 lies outside of the set.
    """
    if isinstance(constraint, Unmade):
        constraint = constraint.for_problem(problem)
    if dataclasses.is_dataclass(constraint) and getattr(constraint, "size", 0) is None:
        size_of = getattr(constraint, "size_of", math.prod)
        constraint = dataclasses.replace(constraint, size=int(size_of(problem.shape)))
    x0 = getattr(problem, "x0", None)
    if x0 is not None and hasattr(constraint, "contains") and not constraint.contains(x0, 1e-6):
        raise ValueError("x0 does not lie in the set: methods that do not project stay where they start")
    return constraint


def measured(problem, constraint) -> dict:
    """The metrics of every record."""
    wanted = ["objective", CERTIFIES[problem.family.name][0]]
    wanted += ["infeasibility"] if problem.family.constraint == "set" else []
    wanted += ["rank"] if problem.family.name == "regularised" else []
    return {name: metrics.make(name, problem, constraint) for name in wanted}


def limits(budget, stop) -> Budget:
    """The budget of a run."""
    given = {"iterations": ITERATIONS} if budget is None else budget
    given = given if isinstance(given, dict) else {"iterations": given}
    return Budget.parse({**given, "stop": stop})


def seeds_of(rng) -> np.random.SeedSequence:
    """The seed sequence of a run."""
    if isinstance(rng, np.random.SeedSequence):
        return rng
    if isinstance(rng, np.random.Generator):
        return np.random.SeedSequence(int(rng.integers(2**63)))
    return np.random.SeedSequence(0 if rng is None else rng)
