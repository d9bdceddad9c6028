"""CPU of the oracles, of the estimates and of whole steps of NFWU side by side (NFWU-X3: C7, C8)."""

import sys
import tracemalloc

from projfree import problems
from projfree.common.parameters import Count, Fraction, NotNegative, Positive
from projfree.engine.clock import timed
from projfree.engine.oracles.constrained import Oracles
from projfree.solvers import nfwu
from referee.jobs.probes import Row

from ..generators import low_rank_outliers
from ._nfwu import ESTIMATORS, solver, states


def measure(
    job,
    problem,
    constraint,
    rng,
    *,
    sizes: list[Count],
    repetitions: Count = 20,
    epoch: Count = 10,
    epochs: Count = 20,
    tol: Positive = 1e-4,
    rank: Count = 5,
    noise: NotNegative = 10.0,
    observe: Fraction = 0.1,
):
    """One row a repetition on a d × d instance, d in `sizes`, at x⁰ = 0 and at the last iterate of a FULL run
    (R1).

    ``size`` d; ``components`` n; ``late`` 0 or 1; ``seconds_lmo`` LO of ∇F(x) to the residual `tol`, with the
    atom of the step before where there is one, and its ``lanczos_steps``;
    ``seconds_projection_<full|partial>`` of x − ∇F(x)/L_full; ``seconds_gradient`` ∇F(x). Means over the p −
    1 steps between two anchors, b = n/p, p = `epoch`: ``seconds_estimate_<estimator>``,
    ``seconds_step_<estimator>`` the whole step. ``memory_array_<estimator>``: bytes of the largest piece of
    memory that a line of Python asks for in an estimate, over those of n floats.
    """
    row = 0
    for size in sizes:
        arrays = low_rank_outliers.generate(rng, shape=size, rank=rank, noise=noise, observe=observe)
        oracles = Oracles(problems.make(job.problem.plain(), arrays), constraint, rng, lmo_tol=tol)
        method = solver("full", iterate="observed", epoch=epoch, epochs=epochs)
        first = method.start(oracles, rng)
        *_, last = states(method, oracles, rng, epoch * epochs)
        for late, state in enumerate((first, last)):
            bench = Bench(oracles, rng, state.x, state.atom, epoch)
            fixed = {"size": size, "components": oracles.n, "late": late, **bench.largest_arrays()}
            for _ in range(repetitions):
                yield Row(row, {**bench.oracles_once(), **bench.estimators_once(), **fixed}, {})
                row += 1


class Bench:
    """What is timed at one point x, with the atom of the step before."""

    def __init__(self, oracles, rng, x, atom, epoch):
        self.oracles, self.rng, self.x, self.atom, self.epoch = oracles, rng, x, atom, epoch
        self.methods = {name: solver(name, iterate="observed", epoch=epoch) for name in ESTIMATORS}
        self.oracles_once(), self.estimators_once()  # warm up

    def oracles_once(self) -> dict:
        """Each oracle once."""
        constraint, problem = self.oracles.constraint, self.oracles.problem
        gradient, seconds_gradient = timed(lambda: problem.gradient(self.x))
        atom, seconds_lmo = timed(lambda: self.oracles.lmo(gradient, start=self.atom))
        point = self.x.toarray() - gradient.toarray() / problem.constants["L_full"]
        seconds = {"seconds_gradient": seconds_gradient, "seconds_lmo": seconds_lmo}
        for how in ("full", "partial"):
            _, seconds[f"seconds_projection_{how}"] = timed(lambda h=how: constraint.project(point, method=h))
        return {**seconds, "lanczos_steps": atom.matvecs / 2}

    def estimators_once(self) -> dict:
        """Estimates and whole steps between two anchors, of every estimator."""
        seconds, count = {}, max(1, self.epoch - 1)
        for name, method in self.methods.items():
            state = self.anchored(method)
            _, spent = timed(lambda m=method, s=state: [self.estimate(m, s) for _ in range(count)])
            seconds[f"seconds_estimate_{name}"] = spent / count
            state = self.anchored(method)
            _, spent = timed(
                lambda m=method, s=state: [m.step(self.oracles, s, self.rng) for _ in range(count)]
            )
            seconds[f"seconds_step_{name}"] = spent / count
        return seconds

    def anchored(self, method):
        """A state one step after an anchor at x."""
        state = nfwu.State(self.x.copy(), atom=self.atom)
        return method.step(self.oracles, state, self.rng)

    def estimate(self, method, state):
        """The estimate of the next step."""
        estimator = method.make_estimator(self.oracles)
        state.estimate, state.memory = estimator.update(self.oracles, state.memory, state.x, self.rng)

    def largest_arrays(self) -> dict:
        """``memory_array_<estimator>`` of every estimator."""
        found = {}
        for name, method in self.methods.items():
            state = self.anchored(method)
            asked = largest_request(lambda m=method, s=state: self.estimate(m, s))
            found[f"memory_array_{name}"] = asked / (8 * self.oracles.n)
        return found


def largest_request(function) -> int:
    """Most bytes that one line of Python asks for while `function` runs: no array of it is larger.

    Compiled kernels that allocate are not seen.
    """
    largest, base = 0, 0

    def settle(frame, event, argument):
        nonlocal largest, base
        current, peak = tracemalloc.get_traced_memory()
        largest = max(largest, peak - base)
        tracemalloc.reset_peak()
        base = tracemalloc.get_traced_memory()[0]
        return settle

    before = sys.gettrace()
    tracemalloc.start()
    sys.settrace(settle)
    try:
        function()
    finally:
        sys.settrace(before)
        tracemalloc.stop()
    return largest
