"""Whether y_k, which depends on the sample S_k, biases MPSCGS's gradient (MPCGS-T7)."""

from typing import Annotated

import numpy as np

from projfree.common import parameters
from projfree.common.parameters import Count, Range
from projfree.engine.oracles.saddle import Oracles
from projfree.solvers import mpscgs
from referee.jobs.probes import Row

from . import _tiny_saddle


def measure(
    job,
    problem,
    constraint,
    rng,
    *,
    runs: Annotated[int, Range(least=2)] = 20,
    horizons: list[Count] = (20, 40, 60),
    floor: Count = 5,
    params: dict | None = None,
):
    """One row a horizon N, over `runs` runs on one instance.

    ``bias_z``: the mean of Σ w_k⟨δ_k, x⋆ − v_{k−1}⟩, δ_k the gradient errors and w_k = k(k+1)/2, in standard
    errors; ``mean_gap`` of (x_N, ŷ_N), and ``bound`` 42MD²/((N+1)(N+2)).
    """
    instance = _tiny_saddle.make(rng)
    x_star, _ = _tiny_saddle.saddle_point(instance)
    method = parameters.call(mpscgs.Solver, {"floor": floor, "y_rule": "exact", **(params or {})})
    sums, gaps = {N: [] for N in horizons}, {N: [] for N in horizons}
    for _ in range(runs):
        oracles = Watched(instance.problem, instance.ball, rng)
        state, total = method.start(oracles, rng), 0.0
        for k in range(1, max(horizons) + 1):
            v, gamma = state.v, 3 / (k + 2)
            z = (1 - gamma) * state.x + gamma * v
            state = method.step(oracles, state, rng)
            error = oracles.last - instance.gradient_x(z, state.y)
            total += k * (k + 1) / 2 * float(np.vdot(error, x_star - v))
            if k in sums:
                sums[k].append(total)
                gaps[k].append(_gap(instance, state.iterate, x_star))
    for N in horizons:
        spread = np.std(sums[N], ddof=1) / np.sqrt(runs)
        bound = 42 * instance.M * instance.ball.diameter**2 / ((N + 1) * (N + 2))
        bias_z = abs(float(np.mean(sums[N]) / spread))
        yield Row(N, {"bias_z": bias_z, "mean_gap": float(np.mean(gaps[N])), "bound": bound})


def _gap(instance, pair, x_star):
    phi = instance.problem.phi(instance.problem.scores(pair.x))
    return phi - _tiny_saddle.least(instance, pair.y, x_star, tol=1e-7)


class Watched(Oracles):
    """Oracles that remember the last gradient in x."""

    last = None

    def gradient_x(self, slopes, y):
        """∇_x, remembered."""
        self.last = super().gradient_x(slopes, y)
        return self.last

    def batch_gradient_x(self, rows, slopes, y, indices):
        """The estimate, remembered."""
        self.last = super().batch_gradient_x(rows, slopes, y, indices)
        return self.last
