"""Where the regularised optimum lies for each of several λ: what can a figure have shown? (gcg E0)"""

from dataclasses import replace
from time import process_time

import numpy as np

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
    seconds: Positive | None = None,
    steps: Count | None = None,
    tick: float | None = None,
):
    """One row a λ, each run from W = 0 until the solver's certificate, or `seconds`, or `steps`.

    Metrics: ``weight``; ``objective`` F, and ``twice`` 2F, which is F with the loss not halved and twice
    the λ; ``rmse_test`` at the end and ``rmse_best`` of all iterates; ``rank``; ``polar_ratio`` κ°(−∇ℓ)/λ;
    ``relative_gap`` (F − dual bound)/F. With `tick`, the lowest tick of an axis: ``over_tick`` and
    ``twice_over_tick``, F and 2F over a reading of it, see `over_tick`.
    """
    entropy = int(rng.integers(2**63))
    for i, weight in enumerate(weights):
        own = replace(constraint, weight=weight)
        oracles = Oracles(problem, own, np.random.default_rng(entropy + 1))
        point, best = _run(oracles, solvers.make(solver, params or {}), entropy, seconds, steps)
        end = Evaluation(problem, own, point)
        metrics = {"weight": weight, "objective": end.objective, "twice": 2 * end.objective}
        metrics |= {"rmse_test": problem.rmse_test(point), "rmse_best": best, "rank": point.rank}
        metrics |= {"polar_ratio": end.polar_ratio, "relative_gap": end.dual_gap / end.objective}
        if tick is not None:
            metrics |= {f"{name}over_tick": over_tick(metrics[column], tick) for name, column in READ.items()}
        yield Row(i, metrics, dict(oracles.counts))


READ = {"": "objective", "twice_": "twice"}


def over_tick(value: float, tick: float) -> float:
    """The value over that reading of an axis's lowest tick which is the nearest below it, else the least.

    A tick may be meant times 10⁵, times 10⁶, or as a power of ten.
    """
    ratios = sorted(value / reading for reading in (1e5 * tick, 1e6 * tick, 10**tick))
    return next((ratio for ratio in ratios if ratio >= 1), ratios[-1])


def _run(oracles, solver, entropy, seconds, steps):
    """The last iterate, and the least test error of all."""
    rng, began = np.random.default_rng(entropy), process_time()
    state, best, measuring = solver.start(oracles, rng), np.inf, 0.0
    while not state.converged and oracles.counts["PU"] < (steps or np.inf):
        if process_time() - began - measuring > (seconds or np.inf):
            break
        state = solver.step(oracles, state, rng)
        at = process_time()
        best = min(best, oracles.problem.rmse_test(state.iterate))
        measuring += process_time() - at
    return state.iterate, best
