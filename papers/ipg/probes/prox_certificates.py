"""Random proximal points: certificates, the 1/T bound, exact methods against each other (IPG-T6, T7)."""

from __future__ import annotations

from typing import Literal

import numpy as np

from projfree.common.parameters import Count
from projfree.penalties import oscar, trace_lasso
from referee.jobs.probes import Row

KINDS = ("oscar", "trace_lasso")


def measure(
    job,
    problem,
    constraint,
    rng,
    *,
    kind: Literal[*KINDS] = "oscar",
    trials: Count = 200,
    largest: Count = 12,
    steps: Count = 50,
):
    """One row a random instance of N ≤ `largest` features.

    ``missed`` = (Φ − Φ*)/(1 + Φ*) of the line search after a random number of steps against
    ``certificate`` = gap/(1 + Φ*); ``overrun`` = missed − certificate and ``below`` = −missed are ≤ 0 to
    rounding. Of the schedule 2/(t + 2): ``identity``, the largest difference to x − τγ((x − p)/γ + s) in
    a step, and ``rate``, the largest (T + 2)·best gap over 6.75γ·diam² (≤ 1). ``excess``: how far the
    dual lies outside its set (OSCAR). ``exact_difference`` between all exact methods (OSCAR), and to the
    soft threshold for orthonormal columns (trace Lasso).
    """
    for trial in range(trials):
        size = int(rng.integers(1, largest + 1))
        p, gamma = rng.standard_normal(size) * (rng.random(size) > 0.1), float(10 ** rng.uniform(-1, 1))
        one = _oscar(rng, size) if kind == "oscar" else _trace(rng, size)
        metrics = _certificate(one, p, gamma, int(rng.integers(0, 12))) | _schedule(one, p, gamma, steps)
        metrics["exact_difference"] = _exact(one, p, gamma, rng)
        yield Row(trial, metrics)


def _oscar(rng, size):
    return oscar.Penalty(rng.random() + rng.random() * np.arange(size - 1, -1, -1.0))


def _trace(rng, size):
    return trace_lasso.Penalty(np.triu(rng.standard_normal((size, size))), float(rng.random()))


def _phi(constraint, x, p, gamma):
    return float(np.sum((x - p) ** 2)) / (2 * gamma) + constraint.value(x)


def _certificate(constraint, p, gamma, steps):
    best = _phi(constraint, constraint.prox(p, gamma, tol=1e-13).x, p, gamma)
    found = constraint.prox(p, gamma, method="dual_frank_wolfe", max_inner=steps)
    missed = (_phi(constraint, found.x, p, gamma) - best) / (1 + best)
    certificate = found.gap / (1 + best)
    metrics = {
        "missed": missed,
        "below": -missed,
        "overrun": missed - certificate,
        "certificate": certificate,
    }
    return metrics | ({"excess": constraint.excess(found.warm)} if hasattr(constraint, "excess") else {})


def _schedule(constraint, p, gamma, steps):
    miss = rate = 0.0
    best, expected = np.inf, None
    for t in range(steps):
        found = constraint.prox(p, gamma, method="dual_frank_wolfe", rule="schedule", max_inner=t)
        if found.passes <= t:
            break
        if expected is not None:
            miss = max(miss, float(np.max(np.abs(found.x - expected))))
        best = min(best, found.gap)
        rate = max(rate, best * (t + 2) / max(6.75 * gamma * constraint.sq_diameter, 1e-300))
        expected = found.x - 2 / (t + 2) * gamma * ((found.x - p) / gamma + constraint.support(found.x)[0])
    return {"identity": miss, "rate": rate}


def _exact(constraint, p, gamma, rng):
    if isinstance(constraint, oscar.Penalty):
        points = [constraint.prox(p, gamma, method=method).x for method in oscar.EXACT]
        return float(max(np.max(np.abs(x - points[0])) for x in points))
    signs = np.diag(rng.choice([-1.0, 1.0], p.size))
    x = trace_lasso.Penalty(signs, constraint.radius).prox(p, gamma, tol=1e-15).x
    return float(np.max(np.abs(x - np.sign(p) * np.maximum(np.abs(p) - gamma * constraint.radius, 0))))
