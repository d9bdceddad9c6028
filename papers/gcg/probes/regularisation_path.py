"""The regularisation path: optima for falling λ, each started from the last and certified by its polar."""

from dataclasses import replace
from time import process_time

from projfree import solvers
from projfree.common.parameters import Count, NotNegative, Positive
from projfree.engine.metrics.regularised import Evaluation
from projfree.engine.oracles.regularised import Oracles
from referee.jobs.probes import Row


def measure(
    job,
    problem,
    constraint,
    rng,
    *,
    weights: list[NotNegative],
    solver: str = "gcg",
    params: dict | None = None,
    steps: Count = 60,
    seconds: Positive | None = None,
):
    """One row a λ, from large to small, until the solver's certificate, or `steps` or `seconds` of each λ.

    Metrics: ``weight``, ``rank``, ``objective`` F, ``loss`` ℓ, ``polar_ratio`` κ°(−∇ℓ)/λ, ``relative_gap``
    (F − dual bound)/F, ``certified`` (whether the solver stopped by itself), ``seconds_weight`` CPU of this
    λ, and the problem's metrics (``rmse_test``). Where a λ ends uncertified the path goes on.
    """
    method, x = solvers.make(solver, params or {}), None
    for i, weight in enumerate(sorted(weights, reverse=True)):
        own, began = replace(constraint, weight=weight), process_time()
        oracles = Oracles(problem, own, rng)
        state = method.start(oracles, rng)
        state.x = state.x if x is None else x
        for _ in range(steps):
            state = method.step(oracles, state, rng)
            if state.converged or process_time() - began > (seconds or float("inf")):
                break
        spent, x = process_time() - began, state.x
        end = Evaluation(problem, own, x)
        measured = {name: getattr(end, name) for name in ("rank", "objective", "loss", "polar_ratio")}
        measured |= {name: metric(x) for name, metric in problem.metrics.items()}
        measured |= {"weight": weight, "relative_gap": end.dual_gap / end.objective}
        measured |= {"certified": float(state.converged), "seconds_weight": spent}
        yield Row(i, measured, dict(oracles.counts))
