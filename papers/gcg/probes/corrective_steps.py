"""Totally corrective weights: against the line search, and by the Gram matrix against images (GCG-T10)."""

import numpy as np
from scipy.optimize import nnls

from projfree.common.parameters import Count
from projfree.engine.oracles.regularised import Oracles
from projfree.solvers import dhm
from projfree.solvers.inner import conic_search
from referee.jobs.probes import Row


def measure(job, problem, constraint, rng, *, steps: Count = 12):
    """One row a step of DHM on a square loss.

    ``search_excess`` (F of eq. 42 less F of eq. 40 with that atom, over F: at most 0), ``gram_difference``
    (largest difference of value and gradient of eq. 42 between Gram matrix and images, relative), and
    ``optimum_difference`` (its optimum against that of an active-set method on the images, relative).
    """
    oracles, solver = Oracles(problem, constraint, rng), dhm.Solver(accuracy=1e-10, tol=1e-9)
    s, weight = solver.start(oracles, rng), constraint.weight
    for k in range(1, steps + 1):
        before = s.x
        s = solver.step(oracles, s, rng)
        if s.converged:
            return
        last = s.x.count - 1
        atoms = [problem.image(s.x.left[i][:, None], s.x.right[i][:, None]) for i in range(s.x.count)]
        a, theta = conic_search.search(oracles, before, atoms[last])
        searched = problem.value(a * before.image + theta * atoms[last]) + weight * (a * before.rho + theta)
        found = problem.value(s.x.image) + weight * s.x.rho
        yield Row(
            k,
            {
                "search_excess": (found - searched) / searched,
                "gram_difference": _difference(problem, s, np.array(atoms).T, rng),
                "optimum_difference": abs(found / _direct(problem, np.array(atoms).T, weight) - 1),
            },
        )


def _difference(problem, s, A, rng):
    """Gram against images at random weights, of ½‖Aσ − x‖² less its value at 0, and of its gradient."""
    sigma, x = rng.random(A.shape[1]), problem.target
    value = sigma @ (s.buffer.G @ sigma / 2 - s.buffer.b)
    gradient = s.buffer.G @ sigma - s.buffer.b
    direct = problem.value(A @ sigma) - problem.value(0 * x)
    slopes = A.T @ (A @ sigma - x)
    return max(abs(value - direct) / abs(direct), np.max(np.abs(gradient - slopes)) / np.max(np.abs(slopes)))


def _direct(problem, A, weight):
    """min over σ ≥ 0 of ½‖Aσ − x‖² + λ1ᵀσ as least squares with one more row.

    With c = A(AᵀA)⁻¹1, so that Aᵀc = 1, it is ½‖Aσ − (x − λc)‖² + constant.
    """
    shifted = problem.target - weight * A @ np.linalg.lstsq(A.T @ A, np.ones(A.shape[1]), rcond=None)[0]
    sigma, _ = nnls(A, shifted, maxiter=1000)
    return problem.value(A @ sigma) + weight * sigma.sum()
