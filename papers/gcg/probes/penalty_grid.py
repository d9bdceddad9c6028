"""A method over a grid of penalties, for the least error that any of them gives (GCG-E17)."""

from time import process_time

from projfree import penalties, solvers
from projfree.common.parameters import Count, NotNegative, Positive
from projfree.engine.oracles.regularised import Oracles
from referee.jobs.probes import Row


def measure(
    job,
    problem,
    constraint,
    rng,
    *,
    penalty_name: str,
    weights: list[NotNegative],
    solver: str = "gcg",
    params: dict | None = None,
    options: dict | None = None,
    steps: Count = 20,
    seconds: Positive | None = None,
):
    """One row for each λ: ``weight``; ``objective``, ``rank``, ``error_clean`` at the end; ``least_error``.

    Each run makes `steps` outer iterations, or as many as fit into `seconds` CPU seconds.

    Parameters
    ----------
    penalty_name, options : the penalty, and its parameters beside λ
    """
    for i, weight in enumerate(weights):
        made = penalties.make({"name": penalty_name, "weight": weight, **(options or {})}, problem)
        oracles = Oracles(problem, made, rng)
        errors, state = _run(problem, oracles, solvers.make(solver, params or {}), rng, steps, seconds)
        point = state.iterate
        loss = problem.value(point.image)
        yield Row(
            i,
            {
                "weight": float(weight),
                "objective": loss + weight * made.value(point.U, point.V),
                "rank": float(point.rank),
                "error_clean": errors[-1],
                "least_error": min(errors),
            },
        )


def _run(problem, oracles, method, rng, steps, seconds):
    """The clean error after each iteration, and the last state."""
    began, errors = process_time(), []
    state = method.start(oracles, rng)
    while not state.converged and (
        len(errors) < steps if seconds is None else process_time() - began < seconds
    ):
        state = method.step(oracles, state, rng)
        errors.append(problem.error_clean(state.iterate))
    return errors, state
