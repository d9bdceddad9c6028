"""Methods on the quadratic saddle-point problem whose solution lies inside (MPCGS-T10, T12)."""

import numpy as np

from projfree import solvers
from projfree.common.parameters import Count
from projfree.problems.saddle_quadratic import Problem, interior_arrays
from projfree.sets import l2_ball
from referee.jobs.probes import Row

from . import _tiny_saddle


def measure(
    job,
    problem,
    constraint,
    rng,
    *,
    solver: str,
    params: dict | None = None,
    steps: Count = 3000,
    every: Count = 50,
    coupling: float = 0.05,
):
    """One row each `every` steps: ``distance`` to the solution, ``fw_gap``, ``steps``.

    Over all rows from step 100 on: ``linear_fit``, R² of a line through log gap against the step, and
    ``decades`` that the gap fell.
    """
    instance, ball = Problem(interior_arrays(rng), coupling=coupling), l2_ball.Set(1.0)
    gaps = []
    method = solvers.make(solver, params or {})
    for k, oracles, s in _tiny_saddle.walk(instance, ball, method, steps, rng):
        if k % every:
            continue
        gap = max(_tiny_saddle.Evaluation(instance, ball, s.iterate).saddle_fw_gap, 1e-300)
        gaps.append((k, np.log10(gap)))
        values = {"distance": instance.distance(s.iterate), "fw_gap": gap, "steps": k, **_linear(gaps)}
        yield Row(k, values, dict(oracles.counts))


def _linear(gaps):
    late = np.array([pair for pair in gaps if pair[0] >= 100])
    if len(late) < 3:
        return {"linear_fit": 0.0, "decades": 0.0}
    spread = late.std(axis=0).prod()
    fit = float(np.corrcoef(late.T)[0, 1] ** 2) if spread > 0 else 0.0
    return {"linear_fit": fit, "decades": float(late[0, 1] - late[-1, 1])}
