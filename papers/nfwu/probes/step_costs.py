"""Time of a step and memory of NFWU where the matrix is too large to be formed (Remark 4.2 at scale)."""

from dataclasses import asdict
from time import process_time

import numpy as np

from projfree import problems
from projfree.common.parameters import Count, NotNegative
from projfree.engine.clock import timed
from projfree.engine.oracles.constrained import Oracles
from referee.jobs.probes import Row
from referee.jobs.probes._peak_memory import peak_bytes

from ..generators import large_completion
from ._nfwu import solver, states


def measure(
    job,
    problem,
    constraint,
    rng,
    *,
    estimator: str,
    shapes: list[Count | tuple[Count, Count]],
    observed: Count,
    batch: Count | None = None,
    epoch: Count = 10,
    steps: Count = 20,
    rank: Count = 10,
    lmo_tol: NotNegative = 1e-4,
    params: dict | None = None,
):
    """One row a step on a `large_completion` instance of each shape, the iterate a sum of atoms.

    ``seconds_step`` CPU of the step, ``seconds_lmo`` and ``seconds_estimate`` of its oracles,
    ``lanczos_steps`` of its LO; ``seconds_pair`` one product with the estimate and one with its transpose;
    ``seconds_aim`` 3 · seconds_pair · lanczos_steps, ``seconds_ratio`` seconds_step/(seconds_pair ·
    lanczos_steps) ≤ 3. ``anchor`` whether the step began with a refresh; ``size`` rows; ``observed`` n;
    ``density``. ``memory_per_entry``: peak bytes of such a run, of two epochs, over n, the instance included
    and in a process of its own; ``memory_peak`` those bytes in MB.
    """
    row = 0
    for shape in shapes:
        arrays = large_completion.generate(rng, shape=shape, rank=rank, observed=observed)
        arrays = {**{k: arrays[k] for k in ("rows", "cols", "values")}, "shape": _pair(shape)}
        kept = {"track": False, **(params or {}), "iterate": "atoms"}
        method = solver(estimator, kept, batch=batch, epoch=epoch)
        given = {"problem": job.problem.plain(), "set": job.set.plain()}
        task = {**given, "solver": "nfwu", "params": asdict(method)}
        bytes_peak = peak_bytes(arrays, {**task, "steps": 2 * epoch, "lmo_tol": lmo_tol})
        problem = problems.make(given["problem"], arrays)
        fixed = {
            "size": problem.shape[0],
            "observed": problem.n,
            "density": problem.n / (problem.shape[0] * problem.shape[1]),
            "memory_peak": bytes_peak / 1e6,
            "memory_per_entry": bytes_peak / problem.n,
        }
        next(states(method, Oracles(problem, constraint, rng, lmo_tol=lmo_tol), rng, 1))  # warm up
        oracles = Oracles(problem, constraint, rng, lmo_tol=lmo_tol)
        for t, values in enumerate(_timed_steps(method, oracles, rng, steps)):
            yield Row(row, {**values, **fixed, "anchor": t % epoch == 0}, dict(oracles.counts))
            row += 1


def _pair(shape):
    return np.array((shape, shape) if np.isscalar(shape) else shape)


def _timed_steps(method, oracles, rng, steps):
    """What each step of a run takes."""
    run = states(method, oracles, rng, steps)
    matvecs, seconds, began = oracles.counts["matvec"], dict(oracles.seconds), process_time()
    for state in run:
        spent = process_time() - began
        lanczos = (oracles.counts["matvec"] - matvecs) / 2
        pair = _seconds_of_pair(state.estimate, rng)
        yield {
            "seconds_step": spent,
            "seconds_lmo": oracles.seconds["lmo"] - seconds["lmo"],
            "seconds_estimate": oracles.seconds["gradient"] - seconds["gradient"],
            "seconds_pair": pair,
            "seconds_aim": 3 * pair * lanczos,
            "seconds_ratio": spent / (pair * lanczos),
            "lanczos_steps": lanczos,
        }
        matvecs, seconds, began = oracles.counts["matvec"], dict(oracles.seconds), process_time()


def _seconds_of_pair(G, rng, repetitions=3):
    """The fastest of some products with G and Gᵀ."""
    v = rng.standard_normal(G.shape[1])
    return min(timed(lambda: G.rmatvec(G.matvec(v)))[1] for _ in range(repetitions))
