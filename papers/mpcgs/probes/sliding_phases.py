"""Phases of CGS, SCGS and STORC on the quadratic problem over the simplex (MPCGS-T4, T6, C16)."""

import math

import numpy as np

from projfree import solvers
from projfree.common.parameters import Count, Positive
from projfree.engine.oracles.constrained import Oracles
from projfree.problems.simplex_least_squares import Problem
from projfree.sets import simplex
from projfree.solvers.inner.sliding import CGS, ISTORC, STORC
from referee.data.generators import simplex_least_squares
from referee.jobs.probes import Row


def measure(
    job,
    problem,
    constraint,
    rng,
    *,
    solver: str,
    kappa: float = 10.0,
    noise: float = 1.0,
    phases: Count = 5,
    params: dict | None = None,
    level: Positive = 1e-3,
):
    """One row a phase.

    ``error`` h(w_t) − h*; ``promised``: δ₀2^{−t} for CGS, LD²/2^{t+1} for the others and
    where δ₀ is that; ``lo_phase`` and its
    bound ``lo_bound`` = 36LD²2^t/δ₀ + N for CGS; ``sfo`` so far; ``sfo_to_level``: component gradients
    at the end of the first phase whose error is at most level × that of the start, 1e18 until then.
    """
    instance = Problem(simplex_least_squares.generate(rng), kappa=kappa, noise=noise)
    chosen, c = simplex.Set(1.0), instance.constants
    oracles, method = Oracles(instance, chosen, rng), solvers.make(solver, params or {})
    best, state = minimum(instance), method.start(oracles, rng)
    start = instance.value(state.x) - best
    L = c["L_full"] if solver == "cgs" else c["L_vr"]
    rule = {"cgs": CGS, "istorc": ISTORC}.get(solver, STORC)
    length, reached, before = rule.length(L / c["mu"]), 1e18, 0
    if solver == "cgs" and method.delta0 == "gap":
        gradient = instance.gradient(instance.start())
        delta = float(gradient @ instance.start() - gradient.min())
    else:
        delta = L * chosen.diameter**2 / 2
    for phase in range(1, phases + 1):
        for _ in range(length):
            state = method.step(oracles, state, rng)
        error = instance.value(state.x) - best
        if reached == 1e18 and error <= level * start:
            reached = oracles.counts["IFO"]
        lo, before = oracles.counts["LO"] - before, oracles.counts["LO"]
        yield Row(
            phase,
            {
                "error": error,
                "promised": delta * 2.0**-phase,
                "lo_phase": lo,
                "lo_bound": math.ceil(36 * L * chosen.diameter**2 * 2.0**phase / delta) + length + 1,
                "sfo": oracles.counts["IFO"],
                "sfo_to_level": reached,
            },
            dict(oracles.counts),
        )


def minimum(instance, steps=3000):
    """min h over the simplex by accelerated projected gradients."""
    chosen, x, t = simplex.Set(1.0), instance.start(), 1.0
    z = x
    for _ in range(steps):
        new = chosen.project(z - instance.gradient(z) / instance.constants["L_full"])
        following = (1 + np.sqrt(1 + 4 * t * t)) / 2
        z, x, t = new + (t - 1) / following * (new - x), new, following
    return instance.value(x)
