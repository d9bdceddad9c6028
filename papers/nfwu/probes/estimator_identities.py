"""Estimators that must coincide when they see the same batches (NFWU-T5)."""

import copy

import numpy as np

from projfree.common.parameters import Count
from projfree.engine.oracles.constrained import Oracles
from referee.jobs.probes import Row

from ._nfwu import CURVATURE_AIDED, VARIANCE_REDUCED, entries, solver, states, with_loss

PARTNERS = (("svrg", "spider"), ("casvrg", "caspider"))


def measure(
    job,
    problem,
    constraint,
    rng,
    *,
    params: dict | None = None,
    batch: Count = 2,
    epoch: Count = 7,
    steps: Count = 30,
):
    """One row a step t of NFWU: largest relative difference of estimates g^t that ought to be the same, of
    runs with one stream of batches (b = `batch`, p = `epoch` where nothing else is said).

    ``epoch_of_one`` p = 1, the four variance-reduced ones and the full gradient; ``epoch_of_two`` p = 2, SVRG
    and SPIDER, CASVRG and CASPIDER; ``square_loss`` under the loss sq, both curvature-aided ones and the full
    gradient; ``no_curvature`` with component Hessians taken for zero, CASVRG and SVRG, CASPIDER and SPIDER;
    ``whole_batch`` b = n without replacement, all five and the full gradient. ``spread`` is that of the four
    variance-reduced ones as they are: it shows that the identities above are no accident.
    """
    seed = int(rng.integers(2**63))

    def run(name, problem=problem, **values):
        return _estimates(
            solver(name, params, **{"batch": batch, "epoch": epoch, **values}),
            problem,
            constraint,
            seed,
            steps,
        )

    square, flat, full = with_loss(problem, "sq"), _without_curvature(problem), run("full")
    whole = {"batch": problem.n, "replace": False}
    found = {
        "epoch_of_one": _farthest([run(name, epoch=1) for name in VARIANCE_REDUCED], full),
        "epoch_of_two": np.max([_farthest([run(a, epoch=2)], run(b, epoch=2)) for a, b in PARTNERS], axis=0),
        "square_loss": _farthest([run(name, square) for name in CURVATURE_AIDED], run("full", square)),
        "no_curvature": np.max(
            [_farthest([run(f"ca{name}", flat)], run(name)) for name in ("svrg", "spider")], axis=0
        ),
        "whole_batch": _farthest([run(name, **whole) for name in ("sg", *VARIANCE_REDUCED)], full),
        "spread": _farthest([run(name) for name in VARIANCE_REDUCED], full),
    }
    for t in range(steps):
        yield Row(t, {name: float(values[t]) for name, values in found.items()})


def _estimates(method, problem, constraint, seed, steps):
    """g^t of a run, (steps, n)."""
    run = states(method, Oracles(problem, constraint, None), np.random.default_rng(seed), steps)
    return np.array([entries(problem, state.estimate) for state in run])


def _farthest(runs, reference):
    """max over the runs of ‖g^t − reference‖/‖reference‖ at each t."""
    size = np.linalg.norm(reference, axis=1)
    return np.max([np.linalg.norm(run - reference, axis=1) / size for run in runs], axis=0)


def _without_curvature(problem):
    """The problem, whose component Hessians are said to be zero."""
    flat = copy.copy(problem)
    flat.component_curvatures = lambda x: np.zeros(problem.n)
    return flat
