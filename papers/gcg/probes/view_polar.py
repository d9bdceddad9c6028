"""The multi-view polar on the iterates of a run: power iteration, its dual, and SVDs of D_μG (GCG-E16)."""

import math

import numpy as np
from scipy.sparse.linalg import svds

from projfree import solvers
from projfree.common.parameters import Count
from projfree.engine.clock import timed
from projfree.engine.oracles.regularised import Oracles
from projfree.linalg import golden_section
from referee.jobs.probes import Row


def measure(
    job,
    problem,
    constraint,
    rng,
    *,
    solver: str = "gcg",
    params: dict | None = None,
    steps: Count = 20,
    singular: bool = True,
):
    """One row an outer iteration, at −∇ℓ of its iterate.

    ``certified`` (0 or 1): the power iteration from one random start met (61); ``certified_warm``: from the
    last right vector. ``seconds_power``: with its certificate and, where that fails, the dual;
    ``seconds_dual``: golden section and recovery at once; ``seconds_svds``: a golden section of as many steps
    on ‖D_μG‖ by partial SVDs, if `singular`. ``dual_over_power`` and ``svds_over_power`` are their ratios;
    ``miss`` = 1 − value/bound of the power iteration with its fallback, ``disagreement`` between the two
    ways; ``products`` of the power iteration. Of all iterations so far: ``share_…`` certified, ``median_…``.
    """
    oracles = Oracles(problem, constraint, rng)
    method = solvers.make(solver, params or {})
    state, warm, rows = method.start(oracles, rng), None, []
    for step in range(1, steps + 1):
        state = method.step(oracles, state, rng)
        G = -problem.gradient(problem.slopes(state.iterate.image))
        found, seconds = timed(constraint.polar, G, rng=rng)
        again = constraint.polar(G, start=warm, rng=rng) if warm is not None else found
        dual, seconds_dual = timed(constraint.polar, G, rng=rng, method="dual")
        metrics = {
            "certified": float(found.certified),
            "certified_warm": float(again.certified),
            "seconds_power": seconds,
            "seconds_dual": seconds_dual,
            "dual_over_power": seconds_dual / seconds,
            "miss": 1.0 - found.value / found.bound if found.bound else 0.0,
            "disagreement": abs(dual.value - found.value) / max(found.bound, 1e-300),
            "products": float(found.matvecs),
            "polar_ratio": found.value / constraint.weight,
        }
        if singular:
            metrics["seconds_svds"] = timed(_by_singular_values, constraint, G)[1]
            metrics["svds_over_power"] = metrics["seconds_svds"] / seconds
        rows.append(metrics)
        yield Row(step, metrics | _so_far(rows))
        warm = found.warm
        if state.converged:
            return


def _so_far(rows):
    """Shares of what was certified, and medians of what took time, over the iterations until now."""
    shares = {
        f"share_{name}": np.mean([row[name] for row in rows]) for name in ("certified", "certified_warm")
    }
    timed = [name for name in rows[0] if name.startswith("seconds") or "over" in name]
    medians = {f"median_{name}": np.median([row[name] for row in rows]) for name in timed}
    return {name: float(value) for name, value in (shares | medians).items()}


def _by_singular_values(constraint, G, reach=18.0, steps=60):
    """min over μ of ‖D_μG‖², (59) as it stands."""
    first, second = (r * block for r, block in zip(constraint.radii, constraint.blocks(G), strict=True))
    start = np.ones(min(G.shape))  # svds takes its start on the small side

    def squared(log_mu):
        mu = math.exp(log_mu)
        scaled = np.concatenate([math.sqrt(1.0 + mu) * first, math.sqrt(1.0 + 1.0 / mu) * second])
        return float(svds(scaled, k=1, return_singular_vectors=False, v0=start, tol=1e-6)[0]) ** 2

    return golden_section.search(squared, -reach, reach, steps)
