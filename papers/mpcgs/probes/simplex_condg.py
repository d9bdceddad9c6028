"""Certificates of CndG over the simplex on random subproblems (MPCGS-T3)."""

import math

import numpy as np

from projfree.common.parameters import Count, Positive
from projfree.sets import simplex
from projfree.solvers.inner.condg_simplex import condg_simplex
from referee.jobs.probes import Row


def measure(
    job,
    problem,
    constraint,
    rng,
    *,
    n: Count = 60,
    trials: Count = 50,
    betas: list[Positive] = (0.3, 3.0, 60.0),
    share: Positive = 0.01,
):
    """One row a random (g, u, β), η = share·β.

    ``gap`` recomputed, ``eta``; ``lo_calls`` ≤ ``lo_bound`` = ⌈6βD²/η⌉; ``max_increase`` of the objective
    over a step; ``step_error`` of a step against α = ⟨β(u − u_t) − g, w_t − u_t⟩/(β‖w_t − u_t‖²);
    ``sq_distance`` to the exact prox ≤ ``allowed`` = η/β; ``restart_lo`` of a start at the answer: 1.
    """
    chosen = simplex.Set(1.0)
    for trial in range(trials):
        beta = betas[trial % len(betas)]
        g, u, eta = rng.standard_normal(n), rng.dirichlet(np.full(n, 0.3)), share * beta
        w, _, lo = condg_simplex(g, u, u, beta, eta, 10**7, 1.0)
        h, exact = g + beta * (w - u), chosen.project(u - g / beta)
        yield Row(
            trial,
            {
                "gap": float(h @ w - h.min()),
                "eta": eta * (1 + 1e-9),
                "lo_calls": lo,
                "lo_bound": math.ceil(6 * beta * chosen.diameter**2 / eta),
                "sq_distance": float(np.sum((w - exact) ** 2)),
                "allowed": eta / beta,
                "restart_lo": condg_simplex(g, u, w, beta, eta * (1 + 1e-9), 100, 1.0)[2],
                **_first_steps(g, u, beta, min(lo - 1, 20)),
            },
            {"LO": lo},
        )


def _first_steps(g, u, beta, steps):
    """What the first steps did, one by one."""
    x, increase, error = u, 0.0, 0.0

    def value(w):
        return g @ w + 0.5 * beta * np.sum((w - u) ** 2)

    for _ in range(steps):
        after = condg_simplex(g, u, x, beta, 0.0, 1, 1.0)[0]
        vertex = np.eye(g.size)[np.argmin(g + beta * (x - u))]
        d = vertex - x
        alpha = min(1.0, (beta * (u - x) - g) @ d / (beta * (d @ d)))
        increase = max(increase, value(after) - value(x))
        error = max(error, float(np.max(np.abs(x + alpha * d - after))))
        x = after
    return {"max_increase": increase, "step_error": error}
