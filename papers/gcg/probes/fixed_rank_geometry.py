"""Gradient, Hessian and retraction that MMBS uses, at random points; and its descent (GCG-T12)."""

import numpy as np

from projfree.common.parameters import Count
from projfree.engine.oracles.regularised import Oracles
from projfree.solvers import mmbs
from projfree.solvers.inner import fixed_rank
from referee.evidence.orders import log_slope
from referee.jobs.probes import Row


def measure(job, problem, constraint, rng, *, trials: Count = 20, steps: Count = 400):
    """One row a random point of rank 2, then one a step of MMBS.

    At points: ``taylor_order`` of f(R(tξ)) − f − t⟨g, ξ⟩ − t²⟨ξ, Hξ⟩/2, ``asymmetry`` of the Hessian and
    ``vertical``, the part of the gradient along the rotations, both relative. Of steps: ``rise`` of
    f + λ tr B, ``updates`` of the rank and ``gap``, F less the dual bound, over F.
    """
    oracles = Oracles(problem, constraint, rng)
    for k in range(1, trials + 1):
        yield Row(k, _at_point(oracles, _random_point(problem, rng), rng))
    solver = mmbs.Solver(accuracy=1e-6, tol=1e-9)
    s, bound = solver.start(oracles, rng), -np.inf
    for k in range(trials + 1, trials + steps + 1):
        before, updates = s.value, s.t
        s = solver.step(oracles, s, rng)
        slopes = problem.slopes(s.image)
        polar = constraint.polar(problem.gradient(slopes), rng=rng, tol=1e-9).bound
        bound = max(bound, problem.dual_bound(slopes, s.image, polar, constraint.weight))
        rises = {"rise": (s.value - before) / abs(before), "gap": (s.value - bound) / abs(s.value)}
        yield Row(k, rises | {"updates": s.t - updates})
        if s.converged:
            return


def _random_point(problem, rng):
    left, right = (np.linalg.qr(rng.standard_normal((side, 2)))[0] for side in problem.shape)
    return fixed_rank.Point(left, np.sort(rng.uniform(0.5, 3.0, 2))[::-1].copy(), right)


def _tangent(x, rng):
    """A random horizontal vector of norm 1."""
    raw = fixed_rank.Tangent(
        fixed_rank.along_stiefel(x.U, rng.standard_normal(x.U.shape)),
        fixed_rank.sym(rng.standard_normal((x.rank, x.rank))),
        fixed_rank.along_stiefel(x.V, rng.standard_normal(x.V.shape)),
    )
    a = fixed_rank.horizontal(x, raw)
    return a * (1 / fixed_rank.norm(x, a))


def _at_point(oracles, x, rng):
    s = mmbs.State(x, oracles.image(x.U * x.b, x.V), 0.0)
    s.local = mmbs.linearise(oracles, s)
    hessian, gradient = mmbs.hessian_at(oracles, s), s.local.gradient
    a, c = _tangent(x, rng), _tangent(x, rng)
    turned, other = hessian(a), hessian(c)
    one, two = fixed_rank.inner(x, c, turned), fixed_rank.inner(x, a, other)
    defect = np.max(np.abs(fixed_rank.vertical_defect(x, gradient))) / fixed_rank.norm(x, gradient)
    steps = 2.0 ** -np.arange(3, 9)
    model = steps * fixed_rank.inner(x, gradient, a) + steps**2 / 2 * fixed_rank.inner(x, a, turned)
    values = np.array([_value(oracles, fixed_rank.retract(x, a * t)) for t in steps]) - _value(oracles, x)
    scale = abs(one) + abs(two) + 1e-3 * fixed_rank.norm(x, turned)
    order = log_slope(steps, np.abs(values - model))
    return {"taylor_order": order, "asymmetry": abs(one - two) / scale, "vertical": float(defect)}


def _value(oracles, x):
    return (
        oracles.problem.value(oracles.problem.image(x.U * x.b, x.V)) + oracles.constraint.weight * x.b.sum()
    )
