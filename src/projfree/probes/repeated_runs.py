"""With high probability instead of in the mean: the best of independent runs (nfwu Remark 3.1)."""

import math

from ..engine.metrics import make
from ..engine.oracles import Oracles
from . import Row
from ._nfwu import solver, states


def measure(job, problem, feasible_set, rng, *, estimator, epsilon, failure=0.1, reduction=10, params=None):
    """One row a run, of k = ⌈log₂(1/δ)⌉ with Theorem 3.1's parameters for ε/`reduction`, δ = `failure`.

    ``gap`` V(x^{t0}) at t0 uniform on 1 … N (n IFO and one LO more); ``best_gap`` the least so far, ≤
    ``gap_limit`` εD in the last row with probability at least 1 − δ; ``start_gap_ratio`` V(x⁰)/(εD). Counts
    add up over the runs.
    """
    gap, limit = make("fw_gap", problem, feasible_set), epsilon * feasible_set.diameter
    method = solver(estimator, params, epsilon=epsilon / reduction)
    oracles, start, best = Oracles(problem, feasible_set, rng), problem.start(), math.inf
    steps = math.ceil(problem.constants[method.smoothness] * problem.value(start) / method.epsilon**2)
    for index in range(math.ceil(math.log2(1 / failure))):
        *_, last = states(method, oracles, rng, int(rng.integers(1, steps + 1)))
        found = gap(last.x)
        oracles.counts["IFO"] += problem.n
        oracles.counts["LO"] += 1
        best = min(best, found)
        yield Row(
            index,
            {
                "gap": found,
                "best_gap": best,
                "gap_limit": limit,
                "start_gap_ratio": gap(start) / limit,
                "steps": steps,
            },
            dict(oracles.counts),
        )
