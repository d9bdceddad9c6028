"""Bias and mean square error of an estimator over all batches there are (NFWU-T3, NFWU-T4)."""

import itertools

import numpy as np

from projfree.common.parameters import Count
from projfree.engine.oracles.constrained import Oracles
from referee.jobs.probes import Row

from ._nfwu import CURVATURE_AIDED, RECURSIVE, entries, estimates, solver


def measure(
    job,
    problem,
    constraint,
    rng,
    *,
    estimator: str,
    batch: Count = 2,
    epoch: Count = 8,
    steps: Count = 16,
    params: dict | None = None,
):
    """One row a step of NFWU that is no anchor: the estimate of each of the n^b batches, equally likely.

    ``bias_error`` ‖E g − ∇F(x^t) − what is stated‖, stated being 0, or g^{t−1} − ∇F(x^{t−1}) for SPIDER and
    CASPIDER; ``bias`` the size of that. ``sq_error`` E‖g − ∇F(x^t)‖² and ``sq_error_stated`` (n−1)/(n²b) Σ
    w_i² + bias², with the scalars w_i of `scalars`; ``sq_error_deviation`` |their ratio − 1|. ``batches``
    n^b.
    """
    method = solver(estimator, params, batch=batch, epoch=epoch)
    oracles = Oracles(problem, constraint, rng)
    state, batches = method.start(oracles, rng), list(itertools.product(range(problem.n), repeat=batch))
    anchor = before = entries(problem, state.x)
    miss = np.zeros(problem.n)
    for t in range(steps):
        x, gradient = entries(problem, state.x), entries(problem, problem.gradient(state.x))
        if t % epoch == 0:
            anchor = x
        else:
            drawn = estimates(
                method.make_estimator(oracles), problem, constraint, state.memory, state.x, batches
            )
            w = scalars(problem, estimator, x, before if estimator in RECURSIVE else anchor, anchor)
            stated = miss if estimator in RECURSIVE else np.zeros(problem.n)
            yield Row(t, {**_moments(drawn - gradient, stated, w, batch), "batches": len(batches)})
        state = method.step(oracles, state, rng)
        before, miss = x, entries(problem, state.estimate) - gradient


def scalars(problem, estimator, x, reference, anchor) -> np.ndarray:
    """w_i (n,), what the estimate has of ∇f_i: ψ'_i(x) for SG, less ψ'_i(r) where there is a reference r,
    less ψ''_i(x̃)(x_i − r_i) with curvature (nfwu §3, §4; observed entries in, f_i = n·weight·ψ_i).
    """
    loss, y, scale = problem.loss, problem.observed, problem.n * problem.weight
    w = loss.slope(x, y)
    if estimator != "sg":
        w = w - loss.slope(reference, y)
    if estimator in CURVATURE_AIDED:
        w = w - loss.curvature(anchor, y) * (x - reference)
    return scale * w


def _moments(errors, stated, w, batch):
    n = w.size
    expected = (n - 1) / (n**2 * batch) * float(w @ w) + float(stated @ stated)
    measured = float(np.mean(np.sum(errors**2, axis=1)))
    return {
        "bias": float(np.linalg.norm(stated)),
        "bias_error": float(np.linalg.norm(errors.mean(axis=0) - stated)),
        "sq_error": measured,
        "sq_error_stated": expected,
        "sq_error_deviation": abs(measured / expected - 1),
    }
