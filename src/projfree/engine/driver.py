"""The one loop that runs every method: budget, stopping, clock, metrics, checkpoints, records."""

import dataclasses
import sys
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from ..solvers import check_needs
from ..trace.format import SeedTrace
from . import checkpoint, interruption, oracles
from .budget import Budget
from .clock import Clock
from .oracles.base import OutOfBudget
from .schedule import Schedule

#: A run whose recorded objective leaves this range, in units of a first one outside of it, has diverged.
DIVERGED = 1e30


@dataclass
class Setting:
    """What the driver needs beside problem, constraint and solver.

    Attributes
    ----------
    budget, records : Budget, Schedule
    metrics : dict of name → function of the iterate, of the state (marked `of_state`) or tally (`of_tally`)
    lmo_tol : float, relative residual of the linear minimisation oracle
    checkpoint : path of the checkpoint file, or None for none
    checkpoint_seconds : wall seconds between two checkpoints
    key : str, identifies code and parameters; a checkpoint of another key is not continued
    on_step : callable(iteration), a hook of the tests (they kill runs with it)
    progress : whether a bar is shown; None shows it in a terminal
    clock : type of the clock that runs during start and steps
    """

    budget: Budget
    records: Schedule = field(default_factory=Schedule)
    metrics: dict[str, Callable] = field(default_factory=dict)
    lmo_tol: float = 1e-3
    checkpoint: Path | None = None
    checkpoint_seconds: float = 30.0
    key: str = ""
    on_step: Callable[[int], None] | None = None
    progress: bool | None = None
    clock: type[Clock] = Clock


@dataclass
class Position:
    """Where a run stands: what a checkpoint stores beside clocks and counters."""

    state: object
    iteration: int
    next_record: int


class Drive:
    """One run of one solver from one seed."""

    def __init__(
        self, problem, constraint, solver, seeds: np.random.SeedSequence, seed: int, setting: Setting
    ):
        method, oracle = seeds.spawn(2)
        self.problem, self.solver, self.setting = problem, solver, setting
        bits = {"method": np.random.PCG64DXSM(method), "oracle": np.random.PCG64DXSM(oracle)}
        self.rngs = {name: np.random.Generator(source) for name, source in bits.items()}
        self.clock = setting.clock()
        oracles_of = oracles.of(problem.family)
        self.oracles = oracles_of(problem, constraint, self.rngs["oracle"], lmo_tol=setting.lmo_tol)
        self.trace = SeedTrace(seed)
        self.state: Any = None
        self.saved = time.monotonic()

    def run(self) -> SeedTrace:
        """Run to the end of the budget, continuing a checkpoint if there is one; return the trace.

        Raises InterruptedError where SIGTERM asked for the end, after the step under way and a checkpoint.
        """
        silent = None if self.setting.progress is None else not self.setting.progress
        look = {
            "bar_format": "{desc}: {percentage:3.0f}%|{bar}| {elapsed}",
            "mininterval": 1.0,
            "leave": False,
        }
        progress = tqdm(total=1.0, desc=f"seed {self.trace.seed}", disable=silent, **look)
        with progress as bar, self._interruption() as request:
            self._begin()
            while not self.trace.end_status:
                self._advance()
                if request.received and not self.trace.end_status:
                    self._stop()
                share = self.setting.budget.fraction(self._iteration, self.clock, self.oracles.counts)
                bar.n = min(share, 1.0)
                bar.update(0)
        self.trace.final = final_arrays(self.state.iterate) if self.state is not None else {}
        return self.trace

    def _begin(self):
        self._iteration, self._next_record = 0, 0
        if not self._resume():
            check_needs(self.solver, self.oracles.constraint)
            with self.clock:
                self.state = self.solver.start(self.oracles, self.rngs["method"])
            self.oracles.tally.clear()  # it is of steps
            self._record()
            reached = self.setting.budget.reached(0, self.clock, self.oracles.counts)
            self.trace.end_status = self._status_of_record() or reached or ""
        # From here on a step can be cut; the start is always whole, so that there is a first record.
        self.oracles.guard = self.setting.budget.guard(self.clock, self.oracles.counts)

    def _advance(self):
        """One step, then whatever is due after it.

        If the budget ends inside the step, the last record stands until now, and the trace says so.
        """
        passed, cut, setting = [], None, self.setting
        self.oracles.passing = self._passing(passed)
        try:
            with self.clock:
                self.state = self.solver.step(self.oracles, self.state, self.rngs["method"])
        except OutOfBudget as reason:
            cut = reason
        for iterate, spent in passed:
            self._append(self._measured(iterate()), self._iteration + 1, spent)
        if cut:
            self.trace.message = f"the budget ended inside step {self._iteration + 1} ({cut})"
            self._append(self._last, self.trace.iteration[-1])
            self.trace.end_status = "budget"
            return
        self._iteration += 1
        status = self._status()
        if status or self._due():
            self._record()
            status = self._status_of_record() or status
        self.trace.end_status = status or ""
        if setting.checkpoint and time.monotonic() - self.saved >= setting.checkpoint_seconds:
            self._save()
        if setting.on_step:
            setting.on_step(self._iteration)

    @property
    def _last(self):
        return {name: values[-1] for name, values in self.trace.metrics.items()}

    def _due(self) -> bool:
        return self._iteration >= self._next_record

    def _status(self):
        if getattr(self.state, "converged", False):
            self.trace.message = "the method's own certificate vanished"
            return "stalled" if self.setting.budget.stop else "converged"  # a level that is set decides
        return self.setting.budget.reached(self._iteration, self.clock, self.oracles.counts)

    def _status_of_record(self):
        last = self._last
        for name in filter(last.__contains__, ("objective", "sq_gradient_mapping")):
            first = abs(self.trace.metrics[name][0])
            if not abs(last[name]) < (DIVERGED if first < DIVERGED else DIVERGED * first):
                self.trace.message = f"{name} = {last[name]} at iteration {self._iteration}"
                return "diverged"
        for name, level in self.setting.budget.stop.items():
            if self._meets(last[name], level):
                self.trace.message = f"{name} ≤ {level}"
                return "converged"
        return None

    def _meets(self, value, level) -> bool:
        return value <= level

    def _passing(self, passed):
        """What appends points inside of the step to come to a list; None where its end is not recorded.

        Their metrics wait for the end of the step: computed in between they would slow it by its caches.
        """
        records, inner, due = self.setting.records, 0, 1
        if records.inside is None or self._iteration + 1 < self._next_record:
            return None

        def passing(iterate):
            nonlocal inner, due
            inner += 1
            if inner == due:
                due = records.after_inner(inner)
                spent = self.clock.read(), dict(self.oracles.counts), dict(self.oracles.seconds)
                passed.append((iterate, spent))

        return passing

    def _record(self):
        self._append(self._measured(self.state.iterate), self._iteration)
        self._next_record = self.setting.records.after(self._iteration)

    def _measured(self, point):
        """All metrics of an iterate: one object a record, so that they can share what they compute of it."""
        others = {"of_state": self.state, "of_tally": self.oracles.tally}

        def subject(metric):
            return next((what for mark, what in others.items() if getattr(metric, mark, False)), point)

        return {name: float(metric(subject(metric))) for name, metric in self.setting.metrics.items()}

    def _append(self, metrics, iteration, spent=None):
        """A record of what was spent until now, or then."""
        (cpu, wall), counts, seconds = spent or (self.clock.read(), self.oracles.counts, self.oracles.seconds)
        self.trace.append(iteration, cpu, wall, counts, seconds, metrics)

    def _save(self):
        setting, position = self.setting, Position(self.state, self._iteration, self._next_record)
        parts = self.rngs, self.clock, self.oracles.tables
        checkpoint.save(setting.checkpoint, setting.key, position, *parts, self.trace)
        self.saved = time.monotonic()

    def _interruption(self):
        """Only a run that can save something waits for the end of its step."""
        return interruption.noticed() if self.setting.checkpoint else nullcontext(interruption.Request())

    def _stop(self):
        self._save()
        raise InterruptedError(
            f"asked to end (SIGTERM): seed {self.trace.seed} is saved at iteration {self._iteration}; "
            "the same command goes on from there"
        )

    def _resume(self) -> bool:
        setting, parts = self.setting, (self.rngs, self.clock, self.oracles.tables)
        if not setting.checkpoint:
            return False
        try:
            stored = checkpoint.load(setting.checkpoint, setting.key, *parts, self.problem, self.trace.seed)
        except checkpoint.CheckpointError as reason:
            print(f"starting afresh: {reason}", file=sys.stderr)
            return False
        if stored is None:
            return False
        position, self.trace = stored
        self.state, self._iteration = position.state, position.iteration
        self._next_record = position.next_record
        print(f"resumed seed {self.trace.seed} at iteration {self._iteration}", file=sys.stderr)
        return True


def drive(problem, constraint, solver, seeds, seed: int, setting: Setting) -> SeedTrace:
    """Run one solver once; see `Drive`."""
    return Drive(problem, constraint, solver, seeds, seed, setting).run()


def prepared(solver, problem, constraint):
    """The solver with what it is given free of charge, before any clock runs: JS the radius of its ball."""
    if not hasattr(solver, "prepared"):
        return solver
    return solver.prepared(oracles.of(problem.family)(problem, constraint, np.random.default_rng(0)))


def final_arrays(x) -> dict:
    """The last iterate as arrays: dense ``x``, or factors ``U, w, V``."""
    if isinstance(x, np.ndarray):
        return {"x": x}
    if hasattr(x, "array"):
        return {"x": x.array}
    if hasattr(x, "factors"):
        return dict(zip(("U", "w", "V"), x.factors(), strict=True))
    if dataclasses.is_dataclass(x):
        return {entry.name: np.asarray(getattr(x, entry.name)) for entry in dataclasses.fields(x)}
    raise TypeError(f"an iterate of type {type(x).__name__} cannot be stored")
