"""IFO to a fixed accuracy against the number of components (NCGS-T8, Table 3)."""

import numpy as np

from projfree import problems, solvers
from projfree.common.parameters import Count, Positive
from projfree.engine.metrics.constrained import gradient_mapping
from projfree.engine.oracles.constrained import Oracles
from projfree.sets import nuclear_ball
from referee.data.generators import completion
from referee.jobs.probes import Row


def measure(
    job,
    problem,
    constraint,
    rng,
    *,
    solver: str,
    components: list[Count],
    params: dict | None = None,
    level: Positive = 0.05,
    rank: Count = 2,
    max_steps: Count = 2000,
):
    """One row an instance with about n observed entries: ``ifo_to_eps``, IFO at which ‖g‖² ≤ level × its
    start.
    """
    for wanted in components:
        side = int(np.ceil(np.sqrt(wanted / 0.6)))
        arrays = completion.generate(
            rng, shape=[side, side], rank=rank, radius=rank, observe=0.6, corrupt=0.2, noise=1.5
        )
        problem = problems.make(job.problem.plain(), arrays)
        oracles = Oracles(problem, nuclear_ball.Set(rank), rng)
        method = solvers.make(solver, params or {})
        state = method.start(oracles, rng)
        start = _sq_mapping(oracles, state.iterate)
        steps = 0
        while _sq_mapping(oracles, state.iterate) > level * start and steps < max_steps:
            state = method.step(oracles, state, rng)
            steps += 1
        reached = steps < max_steps
        values = {
            "n_components": problem.n,
            "ifo_to_eps": oracles.counts["IFO"] if reached else np.inf,
            "steps": steps,
        }
        yield Row(wanted, values, dict(oracles.counts))


def _sq_mapping(oracles, x):
    gamma = 1 / (2 * oracles.constants["L_full"])
    g = gradient_mapping(x, oracles.problem.gradient(x), gamma, oracles.constraint)
    return float(np.vdot(g, g))
