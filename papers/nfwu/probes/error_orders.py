"""Order of the estimators' errors in the distance moved (NFWU-T6)."""

import numpy as np

from projfree.common.parameters import Positive
from projfree.engine.oracles.constrained import Oracles
from referee.jobs.probes import Row

from ._nfwu import ESTIMATORS, RECURSIVE, VARIANCE_REDUCED, FixedBatch, entries, estimates


def measure(job, problem, constraint, rng, *, distances: list[Positive] = (1e-1, 1e-2, 1e-3)):
    """One row a distance h: the scalars w_i that a batch {i} brings into the estimate at x, measured.

    x = x̃ + h r with r Gaussian of entries of variance 1, and x^{t−1} = x̃ + h r' for the recursive ones.
    ``h``; ``norm_<estimator>`` ‖w‖, of order h for SVRG and SPIDER, h² for CASVRG and CASPIDER;
    ``excess_<estimator>`` largest |w_i| over its bound, which is sup|ψ''| |x_i − r_i| without curvature,
    ½M₃(x_i − x̃_i)² for CASVRG and M₃ max(|x_i − x̃_i|, |x_i^{t−1} − x̃_i|) |x_i − x_i^{t−1}| for CASPIDER
    (times n·weight): at most 1.
    """
    anchor, *moves = (rng.standard_normal(problem.shape) for _ in range(3))
    for k, h in enumerate(distances):
        points = anchor, anchor + h * moves[0], anchor + h * moves[1]
        values = {"h": h}
        for name in VARIANCE_REDUCED:
            w = _scalars(name, problem, constraint, *points)
            values[f"norm_{name}"] = float(np.linalg.norm(w))
            values[f"excess_{name}"] = float(np.max(np.abs(w) / _bounds(name, problem, *points)))
        yield Row(k, values)


def _scalars(name, problem, constraint, anchor, before, x):
    """w (n,): batch {i} moves entry i of the estimate by w_i, off what all other batches leave there."""
    estimator, n = ESTIMATORS[name].Estimator(1, 3), problem.n
    oracles = Oracles(problem, constraint, None)
    _, memory = estimator.update(oracles, None, anchor, None)
    if name in RECURSIVE:
        _, memory = estimator.update(oracles, memory, before, FixedBatch([0]))
    drawn = estimates(estimator, problem, constraint, memory, x, np.arange(n)[:, None])
    return np.diag(drawn) - drawn[np.arange(n) - 1, np.arange(n)]


def _bounds(name, problem, anchor, before, x):
    anchor, before, x = (entries(problem, point) for point in (anchor, before, x))
    reference, loss = before if name in RECURSIVE else anchor, problem.loss
    if name in ("svrg", "spider"):
        bound = max(loss.sup_curvature, -loss.inf_curvature) * np.abs(x - reference)
    elif name == "casvrg":
        bound = loss.sup_third / 2 * (x - anchor) ** 2
    else:
        farther = np.maximum(np.abs(x - anchor), np.abs(before - anchor))
        bound = loss.sup_third * farther * np.abs(x - before)
    return problem.n * problem.weight * bound
