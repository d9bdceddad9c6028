"""Identities of the methods: recursions, first passes, and exact against "inexact" with ε = 0 (IPG-T7,
T8).
"""

import numpy as np

from projfree.common.parameters import Count
from projfree.engine.oracles.composite import Oracles
from projfree.solvers import apg, nmapg, pg
from referee.jobs.probes import Row

METHODS = {"pg": pg, "apg": apg, "nmapg": nmapg}


def measure(
    job,
    problem,
    constraint,
    rng,
    *,
    proxes: list[dict] = ({"method": "pava"}, {"method": "igm_restart"}),
    passes: Count = 60,
):
    """One row a pass: ``momentum_error`` |t_k − recursion|, ``momentum_low`` ((k + 1)/2 − t_k, ≤ 0),
    ``trace_difference`` (largest relative difference of f between the exact `proxes`, over all methods),
    and ``first_pass`` (largest relative difference between the methods after their first pass).
    """
    runs = {
        (name, i): _values(problem, constraint, name, prox, passes)
        for name in METHODS
        for i, prox in enumerate(proxes)
    }
    times, t = [s[1] for s in runs["apg", 0]], 1.0
    firsts = [runs[name, 0][1][0] for name in METHODS]
    for k in range(1, passes + 1):
        values = {name: [runs[name, i][k][0] for i in range(len(proxes))] for name in METHODS}
        spread = max((max(v) - min(v)) / (1 + abs(v[0])) for v in values.values())
        metrics = {"momentum_error": abs(times[k - 1] - t), "momentum_low": (k + 1) / 2 - times[k - 1]}
        metrics |= {"trace_difference": spread, "t": times[k - 1]}
        metrics["first_pass"] = (max(firsts) - min(firsts)) / (1 + abs(firsts[0]))
        yield Row(k, metrics)
        t = (1 + np.sqrt(1 + 4 * t * t)) / 2


def _values(problem, constraint, name, prox, passes):
    """(f(x_k), t_k) for k = 0 … passes."""
    oracles, rng = Oracles(problem, constraint, np.random.default_rng(0)), np.random.default_rng(0)
    solver = METHODS[name].Solver(prox=dict(prox))
    s = solver.start(oracles, rng)
    seen = [(s.f, getattr(s, "t", np.nan))]
    for _ in range(passes):
        s = solver.step(oracles, s, rng)
        seen.append((s.f, getattr(s, "t", np.nan)))
    return seen
