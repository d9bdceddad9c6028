"""What theory says of every single step of NFWU: its descent (NFWU-T1) and its geometry (NFWU-T9)."""

import numpy as np

from projfree.common.parameters import Count, NotNegative
from projfree.engine import metrics
from projfree.engine.metrics.constrained import dense
from projfree.engine.oracles.constrained import Oracles
from referee.jobs.probes import Row

from ._nfwu import solver, states


def measure(
    job,
    problem,
    constraint,
    rng,
    *,
    estimator: str,
    params: dict | None = None,
    steps: Count = 100,
    every: Count = 1,
    lmo_tol: NotNegative = 1e-10,
):
    """One row a step x^t → x^{t+1} of NFWU with `params`, every `every` steps; η = wD, V the exact gap.

    ``descent`` (η/D)V(x^t) ≤ ``descent_limit`` F(x^t) − F(x^{t+1}) + 2η‖e_t‖ + L_full η²/2, e_t = g^t −
    ∇F(x^t); ``descent_slack`` limit − descent ≥ −1e-12; ``descent_limit_paper`` with 4η‖e_t‖ + 2 L_full η²
    (the proof of Theorem 3.1, D read as a radius). ``gap`` V(x^t) ≥ 0. ``move`` ‖x^{t+1} − x^t‖ ≤ ``eta``;
    ``gauge`` of x^{t+1} ≤ ``gauge_limit``. ``combination_error``: relative distance of x^{t+1} from the atoms
    so far, each times its coefficient; ``coefficient_error`` |sum of the coefficients and of x⁰'s − 1|;
    ``mass_at_start`` that of x⁰. Linear minimisations have the relative residual `lmo_tol`, as the statements
    are about exact ones.
    """
    method = solver(estimator, params)
    if method.step_rule == "short" or method.vertex:
        raise ValueError("step_bounds is about steps of known weight from zero: not 'short', not a vertex")
    oracles = Oracles(problem, constraint, rng, lmo_tol=lmo_tol)
    gap, error = (metrics.make(name, problem, constraint) for name in ("fw_gap", "gradient_error"))
    before, atoms, coefficients, left = dense(problem.start()), [], np.empty(0), 1.0
    for state in states(method, oracles, rng, steps):
        w = method.weight(oracles, state.t - 1)
        atoms.append(state.atom)
        coefficients, left = np.append((1 - w) * coefficients, w), (1 - w) * left
        x = dense(state.x).copy()
        if state.t % every == 0:
            yield Row(
                state.t,
                _descent(problem, w, w * constraint.diameter, gap(state.before), error(state), state)
                | {
                    "move": float(np.linalg.norm(x - before)),
                    "eta": w * constraint.diameter,
                    "gauge": constraint.gauge(x),
                    "gauge_limit": constraint.bound,
                    "combination_error": _distance(x, atoms, coefficients),
                    "coefficient_error": abs(coefficients.sum() + left - 1),
                    "mass_at_start": left,
                },
                dict(oracles.counts),
            )
        before = x


def _descent(problem, w, eta, gap, error, state):
    """The two sides of T1, from values at x^t (as far as F sees it) and x^{t+1}."""
    decrease = problem.value(state.before) - problem.value(state.x)
    curved = problem.constants["L_full"] * eta**2 / 2
    limit = decrease + 2 * eta * error + curved
    return {
        "gap": gap,
        "error": error,
        "descent": w * gap,
        "descent_limit": limit,
        "descent_slack": limit - w * gap,
        "descent_limit_paper": decrease + 4 * eta * error + 4 * curved,
    }


def _distance(x, atoms, coefficients):
    total = sum(c * dense(atom) for c, atom in zip(coefficients, atoms, strict=True))
    return float(np.linalg.norm(x - total) / np.linalg.norm(total))
