"""Compile every kernel once, on a small instance of each problem, so that jobs load them from the cache."""

import numpy as np

from .. import problems, solvers
from ..sets import nuclear_ball
from .budget import Budget
from .driver import Setting, drive, prepared
from .schedule import Schedule


def compile_kernels() -> None:
    """Run two steps of every solver on every problem that can be made small and that it is for."""
    setting = Setting(Budget({"iterations": 2}), Schedule())
    for problem in small_problems():
        constraint = small_constraint(problem)
        for name in solvers.available():
            if solvers.suits(name, problem) and not solvers.lacking(solvers.load(name), constraint):
                seeds = np.random.SeedSequence(0)
                solver = prepared(solvers.make(name, {}), problem, constraint)
                drive(problem, constraint, solver, seeds, 0, setting)


def small_constraint(problem):
    """The set or penalty that goes with a small problem: its own, else a nuclear-norm ball."""
    return getattr(problem, "small_constraint", None) or nuclear_ball.Set(2.0)


def small_problems():
    """One small instance of each problem, made by its module's `small` function where it has one."""
    for name in problems.available():
        yield from problems.load(name).small(np.random.default_rng(0))
