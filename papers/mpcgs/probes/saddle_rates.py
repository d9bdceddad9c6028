"""Primal–dual gap and costs of a saddle-point method on the small instance (MPCGS-T1, T5, T7, T8, T9)."""

import numpy as np

from projfree import solvers
from projfree.common.parameters import Count, Positive
from projfree.engine.metrics.saddle import EFFORT
from referee.jobs.probes import Row

from . import _tiny_saddle

#: Of what a method tells, what is reported.
TOLD = ("fo_literal", "lo_x", "lo_y", "most_passes", "most_passes_over")


def measure(
    job,
    problem,
    constraint,
    rng,
    *,
    solver: str,
    horizons: list[Count],
    params: dict | None = None,
    lam_power: float = 1.0,
    factor: Positive = 13.0,
):
    """One row a horizon N, all of one run.

    ``gap`` Φ(x_N) − min f(·, ŷ_N), the minimum certified to 1e-9; ``bound`` factor·MD²/((N+1)(N+2));
    ``saddle_fw_gap`` ≥ ``gap`` ≥ ``gidel_gap`` f(x_N, y⋆) − f(x⋆, ŷ_N); with what each exceeds the one above
    by; the counts; ``lo_x_bound``
    18N(N+1)·(most passes); ``mean_error`` of ŷ_N against its definition; ``infeasibility``.
    """
    instance = _tiny_saddle.make(rng, lam_power=lam_power)
    x_star, y_star = _tiny_saddle.saddle_point(instance)
    scale, total = factor * instance.M * instance.ball.diameter**2, 0.0
    steps = max(horizons)
    method = solvers.make(solver, params or {})
    for k, oracles, s in _tiny_saddle.walk(instance.problem, instance.ball, method, steps, rng):
        total = total + k * (k + 1) * s.y
        if k not in horizons:
            continue
        x, y = s.iterate.x, s.iterate.y
        e, least = instance.evaluate(x, y), _tiny_saddle.least(instance, y, x_star)
        gap, effort = instance.problem.phi(e.scores) - least, {**EFFORT, **oracles.tally}
        values = {
            "gap": gap,
            "bound": scale / ((k + 1) * (k + 2)),
            "saddle_fw_gap": e.saddle_fw_gap,
            "gidel_gap": instance.value(x, y_star) - instance.value(x_star, y),
            "gidel_excess": instance.value(x, y_star) - instance.value(x_star, y) - gap,
            "gap_excess": gap - e.saddle_fw_gap,
            "excess_phi": instance.problem.phi(e.scores) - instance.value(x_star, y_star),
            "inverse_gap": 1 / max(gap, 1e-300),
            "fo": oracles.counts["FO"],
            "ifo": oracles.counts["IFO"],
            "lo": oracles.counts["LO"],
            "horizon": k,
            **{name: effort[name] for name in TOLD},
            "lo_x_bound": 18 * k * (k + 1) * max(1, effort["most_passes"]),
            "mean_error": _mean_error(s, total, k),
            "infeasibility": max(e.infeasibility, abs(y.sum() - 1), -y.min()),
        }
        yield Row(k, values, dict(oracles.counts))


def _mean_error(s, total, k):
    """Largest difference of ŷ_k from 3/(k(k+1)(k+2)) Σ j(j+1) y_j, where the method averages so."""
    if not hasattr(s, "y_mean") or s.y_mean is None:
        return 0.0
    return float(np.max(np.abs(s.y_mean - 3 * total / (k * (k + 1) * (k + 2)))))
