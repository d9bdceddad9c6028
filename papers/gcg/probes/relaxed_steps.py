"""What each outer iteration of gcg promises: a Relaxed search, a monotone Reduce, ρ ≥ κ (GCG-T4, T6)."""

import numpy as np

from projfree.common.parameters import Count
from projfree.engine.oracles.regularised import Oracles
from projfree.solvers import gcg
from projfree.solvers.inner import conic_search
from referee.jobs.probes import Row


def measure(job, problem, constraint, rng, *, reduce: str = "lbfgs", iterations: Count = 30):
    """One row an outer iteration, with S = ℓ + λρ at each stage of it.

    ``search_excess``: S of eq. (40) less the relaxed bound ℓ_L(W̃; W_t) + (1 − η_t)λρ_t + λθ_t at the
    open-loop (η_t, θ_t) of eq. (34). ``search_rise``: S of (40) less S before. ``reduce_rise``: S after
    Reduce less S of (40). ``bound_deficit``: κ(W_t) − ρ_t. ``balance_error``: ½Σ(‖U_i‖² + ‖V_i‖²) of the
    start of Reduce less its ρ (Prop. 16). In units of 1 + S before; none may be above rounding.
    """
    oracles = Oracles(problem, constraint, rng)
    policy, weight = gcg.Solver(reduce={"name": reduce}).policy, constraint.weight
    x, L = policy.start(oracles), problem.constants["L_full"]
    for t in range(iterations):
        slopes = oracles.slopes(x.image)
        before = problem.value(x.image) + weight * x.rho
        atom = oracles.polar(slopes, tol=1e-10)
        if atom.value <= weight * (1 + 1e-9):
            break
        u, v = atom.u[:, None], atom.v[:, None]
        image = problem.image(u, v)
        eta = 2 / (t + 2)
        theta = gcg.open_loop_weight(x, atom.u, atom.v, atom.value, eta, L, weight)
        relaxed = _quadratic_bound(problem, x, slopes, atom, eta, theta, L)
        relaxed += weight * ((1 - eta) * x.rho + theta)
        moved = x.moved(*conic_search.search(oracles, x, image), u, v, image)
        searched = problem.value(moved.image) + weight * moved.rho
        start_rho = constraint.bound(moved.U, moved.V)
        x = policy.reduce(oracles, moved)
        reduced, unit = problem.value(x.image) + weight * x.rho, 1 + before
        yield Row(
            t + 1,
            {
                "search_excess": (searched - relaxed) / unit,
                "search_rise": (searched - before) / unit,
                "reduce_rise": (reduced - searched) / unit,
                "bound_deficit": (constraint.value(x.U, x.V) - x.rho) / unit,
                "balance_error": abs(start_rho - moved.rho) / unit,
            },
            dict(oracles.counts),
        )


def _quadratic_bound(problem, x, slopes, atom, eta, theta, L):
    """ℓ_L(W̃; W) for W̃ − W = θ u vᵀ − ηW."""
    product = x.inner(atom.u, atom.v)
    square = float(np.sum((x.U.T @ x.U) * (x.V.T @ x.V)))
    change = theta**2 - 2 * theta * eta * product + eta**2 * square
    return (
        problem.value(x.image) - theta * atom.value - eta * float(np.vdot(slopes, x.image)) + L / 2 * change
    )
