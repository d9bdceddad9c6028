"""Table 2 measured: which of the six functions are convex (IPG-T9)."""

from __future__ import annotations

from typing import Literal

import numpy as np

from projfree import losses
from projfree.common.parameters import Count
from projfree.penalties import oscar, trace_lasso
from referee.jobs.probes import Row

FUNCTIONS = ("correntropy", "oscar", "logistic", "rank", "trace_lasso")


def measure(job, problem, constraint, rng, *, function: Literal[*FUNCTIONS], trials: Count = 200):
    """One row a random pair, with the extremes so far, so that the last row is the result.

    ``largest_violation`` of midpoint convexity, h(½(a + b)) − ½h(a) − ½h(b), relative for the two norms; of
    the rank constraint r = 2, rank(½(A + B)) − 2: above 0 only if not convex. Of losses ``least_curvature``
    and ``largest_curvature`` of φ'' at random points; of the norms ``inhomogeneity``, the largest
    |h(sa) − s·h(a)| relative.
    """
    seen = {}
    for trial in range(trials):
        for name, value in _MEASURES[function](rng).items():
            pick = min if name.startswith("least") else max
            seen[name] = pick(seen.get(name, value), value)
        yield Row(trial, dict(seen))


def _loss(loss, rng):
    target = np.array([rng.choice([-1.0, 1.0])])
    a, b = 3 * rng.standard_normal((2, 1))
    values = [float(loss.value(x, target)[0]) for x in ((a + b) / 2, a, b)]
    curvature = float(loss.curvature(rng.choice([0.0, 2.0]) * rng.standard_normal(1), target)[0])
    violation = values[0] - (values[1] + values[2]) / 2
    return {"largest_violation": violation, "least_curvature": curvature, "largest_curvature": curvature}


def _norm(constraint, rng, size):
    a, b = rng.standard_normal((2, size))
    s = rng.exponential()
    h = constraint.value
    scale = h(a) + h(b)
    return {
        "largest_violation": (h((a + b) / 2) - h(a) / 2 - h(b) / 2) / scale,
        "inhomogeneity": abs(h(s * a) - s * h(a)) / scale,
    }


def _rank(rng):
    A, B = (rng.standard_normal((8, 2)) @ rng.standard_normal((2, 9)) for _ in range(2))
    return {"largest_violation": float(np.linalg.matrix_rank((A + B) / 2) - 2)}


_MEASURES = {
    "correntropy": lambda rng: _loss(losses.make("cor"), rng),
    "logistic": lambda rng: _loss(losses.make("logh"), rng),
    "oscar": lambda rng: _norm(oscar.Penalty(0.3 + 0.1 * np.arange(9, -1, -1.0)), rng, 10),
    "trace_lasso": lambda rng: _norm(trace_lasso.Penalty(rng.standard_normal((6, 6)), 0.7), rng, 6),
    "rank": _rank,
}
