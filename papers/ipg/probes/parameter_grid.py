"""Where a proximal gradient method is after so many passes, over a grid of its parameters.

This is the ablation of δ (ipg X3), of ε_k and inner steps (X4), and the answer to "how inexact may a prox
be?": the floors of objective and gradient mapping against planted errors.
"""

import itertools

import numpy as np

from projfree import solvers
from projfree.common.parameters import Count
from projfree.engine.metrics import make
from projfree.engine.oracles.composite import Oracles
from projfree.solvers import nmapg
from referee.jobs.probes import Row

#: f_ref lies this share of f(x_0) − f_ref below the least value seen, as where runs are compared.
FLOOR = 1e-6


def measure(
    job,
    problem,
    constraint,
    rng,
    *,
    grid: dict,
    solver: str = "pg",
    params: dict | None = None,
    passes: Count = 100,
    reference: Count | None = None,
    mapping: bool = False,
):
    """One row a combination of the grid (parameter → values; ``prox.max_inner`` reaches inside).

    Its metrics: the parameters that are numbers, under their last name; ``objective``; ``excess`` E = (f
    − f_ref)/(f(x_0) − f_ref), f_ref (by `FLOOR`) below the least value of all rows and of nmapg with the
    reference prox over `reference` passes (`passes` by default); ``excess_ratio`` E over that of the
    solver itself with the reference prox; ``proxes_per_pass``, ``inner``, ``unmet``, ``increases``; with
    `mapping` also ``sq_gradient_mapping`` at the end. Every run has the same start and draws.
    """
    entropy = int(rng.integers(2**63))
    runs = [(nmapg.Solver(), reference or passes)]
    runs += [(solvers.make(solver, {**(params or {}), "prox": None}), passes)]
    names = list(grid)
    chosen = [dict(zip(names, values, strict=True)) for values in itertools.product(*grid.values())]
    runs += [(solvers.make(solver, _with(params or {}, one)), passes) for one in chosen]
    ends = [_run(problem, constraint, made, n, entropy) for made, n in runs]
    first = ends[0][1].first
    best = min(s.f for _, s in ends)
    best -= FLOOR * (first - best)
    own = (ends[1][1].f - best) / (first - best)
    for i, (one, (oracles, s)) in enumerate(zip(chosen, ends[2:], strict=True)):
        excess = (s.f - best) / (first - best)
        metrics = {
            name.rpartition(".")[2]: value for name, value in one.items() if not isinstance(value, str)
        }
        metrics |= {
            "objective": s.f,
            "excess": excess,
            "excess_ratio": excess / own,
            "proxes_per_pass": oracles.counts["PO"] / s.k,
            **{name: oracles.tally[name] for name in ("inner", "unmet", "increases")},
        }
        if mapping:
            metrics["sq_gradient_mapping"] = make("sq_gradient_mapping", problem, constraint)(s.x)
        yield Row(i, metrics, dict(oracles.counts))


def _with(params, one):
    """Parameters with those of one point of the grid; ``prox.max_inner`` is an option of the prox."""
    made = {**params, "prox": dict(params.get("prox") or {})}
    for name, value in one.items():
        where, _, option = name.partition(".")
        if option:
            made[where][option] = value
        else:
            made[name] = value
    return {**made, "prox": made["prox"] or None}


def _run(problem, constraint, solver, passes, entropy):
    rng = np.random.default_rng(entropy)
    oracles = Oracles(problem, constraint, np.random.default_rng(entropy + 1))
    state = solver.start(oracles, rng)
    for _ in range(passes):
        state = solver.step(oracles, state, rng)
    return oracles, state
