"""Seconds of one OSCAR prox against the number of features (ipg X1; IPG-C4, IPG-C6)."""

from time import process_time

import numpy as np

from projfree.common.parameters import Count, Natural, Positive
from projfree.penalties import oscar
from referee.jobs.probes import Row


def measure(
    job,
    problem,
    constraint,
    rng,
    *,
    sizes: list[Count] = (100, 200, 400, 800),
    scale: Positive = 1.0,
    repetitions: Count = 5,
    interpreted_up_to: Natural = 1600,
    rows: Count = 1440,
):
    """One row a size N, medians over the repetitions: p Gaussian · `scale`, w of λ1 = 0.01 and λ2 =
    0.01/N, γ = 1.

    ``seconds_<method>`` of each exact prox, of ten steps of the inexact one (``seconds_inexact``, its
    true error over Φ* ``error_inexact``), of it to a gap of 1e-3 h (``seconds_certified``), of sorting
    |p| (``seconds_sort``), and of a gradient with `rows` samples (``seconds_gradient``);
    ``seconds_ratio_<method>`` = seconds_<method>/seconds_inexact. The interpreted method is left out
    (NaN) above `interpreted_up_to`.
    """
    for i, size in enumerate(sizes):
        constraint = oscar.Penalty(0.01 + 0.01 / size * np.arange(size - 1, -1, -1.0))
        features = rng.standard_normal((rows, size))
        seen = [
            _once(constraint, features, scale * rng.standard_normal(size), size <= interpreted_up_to)
            for _ in range(repetitions)
        ]
        metrics = {name: float(np.median([one[name] for one in seen])) for name in seen[0]}
        speedups = {
            f"seconds_ratio_{method}": metrics[f"seconds_{method}"] / metrics["seconds_inexact"]
            for method in oscar.EXACT
        }
        yield Row(i, {"size": size, **metrics, **speedups})


def _once(constraint, features, p, interpreted):
    metrics = {}
    for method in oscar.EXACT:
        run = interpreted or method != "igm_interpreted"
        metrics[f"seconds_{method}"] = (
            _seconds(lambda m=method: constraint.prox(p, 1.0, method=m)) if run else np.nan
        )
    exact = constraint.prox(p, 1.0)
    level = 1e-3 * constraint.value(exact.x)
    for name, options in (("inexact", {}), ("certified", {"tol": level, "max_inner": 10_000})):
        metrics[f"seconds_{name}"] = _seconds(
            lambda o=options: constraint.prox(p, 1.0, method="dual_frank_wolfe", **o)
        )
    found = constraint.prox(p, 1.0, method="dual_frank_wolfe")
    best = float(np.sum((exact.x - p) ** 2)) / 2 + exact.value
    error = float(np.sum((found.x - p) ** 2)) / 2 + found.value - best
    slopes = np.ones(len(features))
    return metrics | {
        "error_inexact": max(error, 0.0) / max(best, 1e-300),
        "seconds_sort": _seconds(lambda: np.sort(np.abs(p))),
        "seconds_gradient": _seconds(lambda: slopes @ features),
    }


def _seconds(function, least=2e-3):
    """CPU seconds of one call, by as many calls as fill `least` seconds; the first, which compiles, is not
    counted.
    """
    function()
    calls, began = 0, process_time()
    while True:
        function()
        calls += 1
        if process_time() - began >= least:
            return (process_time() - began) / calls
