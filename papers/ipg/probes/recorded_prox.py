"""The proximal points that a run really asks for, by several methods: seconds, errors, gaps (ipg X2;
IPG-C5, C10).
"""

import numpy as np

from projfree import solvers
from projfree.common.parameters import Count
from projfree.engine.clock import timed
from projfree.engine.metrics import composite
from projfree.engine.oracles.composite import Oracles
from referee.jobs.probes import Row


def measure(
    job,
    problem,
    constraint,
    rng,
    *,
    proxes: dict,
    solver: str = "pg",
    params: dict | None = None,
    passes: Count = 100,
    every: Count = 50,
):
    """One row each `every` passes of a run of `solver`: all `proxes` (name → method and options) on its p.

    ``seconds_<name>`` (CPU, without a warm start), ``passes_<name>``, ``gap_<name>`` (certificate) and
    ``error_<name>`` = (Φ − Φ*)/max(Φ*, tiny) with Φ* by the penalty's reference; ``phi`` = Φ*.
    """
    made, oracles = solvers.make(solver, params or {}), Oracles(problem, constraint, rng)
    state = made.start(oracles, rng)
    for k in range(passes + 1):
        if k % every == 0:
            p = composite.center(problem, state.x, state.gamma)
            yield Row(k, _compare(problem, constraint, p, state.gamma, proxes, rng), dict(oracles.counts))
        state = made.step(oracles, state, rng)


def _compare(problem, constraint, p, gamma, proxes, rng):
    best = _phi(composite.reference_prox(constraint, p, gamma), p, gamma)
    metrics = {"phi": best}
    for name, options in proxes.items():
        constraint.prox(p, gamma, rng=rng, **options)  # compiles
        found, seconds = timed(constraint.prox, p, gamma, rng=rng, **options)
        metrics |= {
            f"seconds_{name}": seconds,
            f"passes_{name}": found.passes,
            f"gap_{name}": found.gap,
            f"error_{name}": (_phi(found, p, gamma) - best) / max(best, 1e-300),
            f"scaled_gap_{name}": found.gap / (1 + found.value),
        }
    return metrics


def _phi(found, p, gamma):
    return float(np.sum((found.x - p) ** 2)) / (2 * gamma) + found.value
