"""What the analysis of MPCGS rests on, on random points of the small instance (MPCGS-T2, T8b, T11)."""

import numpy as np

from projfree.common.parameters import Count
from referee.jobs.probes import Row

from . import _tiny_saddle


def measure(
    job,
    problem,
    constraint,
    rng,
    *,
    trials: Count = 50,
    ks: list[Count] = (1, 5, 50),
    lam_power: float = 1.0,
):
    """One row a random pair (x, x').

    ``contraction``: of the exact prox step's map, at most ``contraction_bound`` = γ_k L_xy²/(μβ_k) ≤ ½;
    ``response_ratio``: ‖y*(x) − y*(x')‖/‖x − x'‖ over L_xy/μ (Lemma 1); ``midpoint`` excess over convexity in
    x; ``concavity`` error of the modulus λn² along y; ``certificate_ratio``: the error of y*(x) at x' over
    1.5M‖x − x'‖² (the acceptance test of a pass).
    """
    instance = _tiny_saddle.make(rng, lam_power=lam_power)
    ball, c, M = instance.ball, instance.problem.constants, instance.M
    for trial in range(trials):
        k = ks[trial % len(ks)]
        gamma, beta = 3 / (k + 2), 6 * M / (k + 1)
        (x, y), (x2, y2) = (instance.random_pair(rng) for _ in range(2))
        (z, _), (v, _) = (instance.random_pair(rng) for _ in range(2))
        x2 = x + rng.choice([1.0, 0.1, 0.01]) * (x2 - x)

        def prox_map(at, z=z, v=v, gamma=gamma, beta=beta):
            new = ball.project(v - instance.gradient_x(z, instance.best_response(at)) / beta, method="gram")
            return gamma * new

        distance = np.linalg.norm(x - x2)
        response, other = instance.best_response(x), instance.best_response(x2)
        middle, f = (x + x2) / 2, instance.value
        t = rng.uniform(0.1, 0.9)
        chord = (1 - t) * f(x, y) + t * f(x, y2)
        bend = 0.5 * c["mu"] * t * (1 - t) * np.sum((y - y2) ** 2)
        yield Row(
            trial,
            {
                "contraction": float(np.linalg.norm(prox_map(x) - prox_map(x2)) / distance),
                "contraction_bound": gamma * c["L_xy"] ** 2 / (c["mu"] * beta),
                "response_ratio": float(np.linalg.norm(response - other) / distance * c["mu"] / c["L_xy"]),
                "midpoint": f(middle, y) - (f(x, y) + f(x2, y)) / 2,
                "concavity": abs(f(x, (1 - t) * y + t * y2) - chord - bend) / max(1.0, bend),
                "certificate_ratio": float((f(x2, other) - f(x2, response)) / (1.5 * M * distance**2)),
            },
        )
