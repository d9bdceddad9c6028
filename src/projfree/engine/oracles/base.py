"""Common to all oracles: every call is counted and timed, and ends the step when the budget ends."""

import math

from ...trace.counts import COUNTS
from ..timers import Timers

TIMERS = ("gradient", "lmo", "project", "value")


def curved(problem) -> dict:
    """The constants of a problem, with a small L where it is 0: a constant gradient is Lipschitz with any.

    A step then goes as far as a set allows; next to a penalty, 1 is in the units of its certificate.
    """
    constants = problem.constants
    flat = [name for name in ("L_full", "L_vr", "L_max", "L_xx", "L_yy") if constants.get(name) == 0.0]
    if not flat:
        return constants
    L = 2.0**-100 if problem.family.constraint == "set" else 1.0
    return type(constants)({**constants, **dict.fromkeys(flat, L)})


class Tally(dict):
    """What methods do besides oracle calls, in the steps of a run and not in its start.

    Numbers by name that nothing but metrics reads; a part of every checkpoint.
    """

    def add(self, **numbers):
        """Sums of numbers (a truth is 0 or 1)."""
        for name, number in numbers.items():
            self[name] = self.get(name, 0) + int(number)

    def most(self, **numbers):
        for name, number in numbers.items():
            self[name] = float(max(self.get(name, -math.inf), number))

    def last(self, **numbers):
        for name, number in numbers.items():
            self[name] = float(number)


class OutOfBudget(Exception):
    """Raised by an oracle when the budget ends inside a step."""


class Oracles:
    """Counting wrapper of a problem and its set or penalty.

    Parameters
    ----------
    problem : Problem
    constraint : Set or Penalty, as the problem's family says
    rng : numpy.random.Generator
        Feeds the random part of warm starts of the linear minimisation oracle; apart from the method's own
        generator, so that methods with the same seed draw the same batches.
    lmo_tol : float
        Relative residual at which the linear minimisation oracle accepts, where there is one.
    guard : callable, optional
        Called before each oracle call; may raise `OutOfBudget`.

    Attributes
    ----------
    passing : callable or None
        What a long step calls after each of its inner iterations, where somebody records them, with a
        function that makes the iterate there; it is called after the step, outside of the clock.
    """

    timed: tuple[str, ...] = TIMERS  # what has a timer
    phases: tuple[str, ...] = ()  # the phases of a step that have one

    def __init__(self, problem, constraint, rng, *, lmo_tol=1e-3, guard=None):
        self.problem, self.constraint, self.rng = problem, constraint, rng
        self.lmo_tol = lmo_tol
        self.guard = guard or (lambda: None)
        self.passing = None
        self.counts = dict.fromkeys(COUNTS, 0)
        self.timers = Timers(self.timed, self.phases)
        self.tally = Tally()
        self.n = problem.n
        self.constants = curved(problem)

    def _timed(self, kind, function, *args, **keywords):
        self.guard()
        return self.timers.call(kind, function, *args, **keywords)

    def start(self, kind="array"):
        """The problem's start point, in a kind that it has (``array``; ``atoms``, ``observed``).

        Zero if the set contains it, as balls do; on the simplex its centre.
        """
        return self.problem.start(kind)

    def value(self, x):
        """F(x); function values are timed, not counted."""
        return self._timed("value", self.problem.value, x)

    def gradient(self, x):
        """∇F(x): one FO, n IFO."""
        self._count_full()
        return self._timed("gradient", self.problem.gradient, x)

    @property
    def seconds(self) -> dict:
        """CPU seconds by oracle, and by phase of the step if the family has phases: `Timers`."""
        return self.timers.seconds

    @property
    def tables(self) -> dict:
        """All counts and times by name, as a checkpoint keeps them."""
        return {"counts": self.counts, "seconds": self.seconds, "tally": self.tally}

    def _count_full(self):
        self.counts["FO"] += 1
        self.counts["IFO"] += self.n
