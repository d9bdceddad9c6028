"""Cost of a full singular value decomposition beside the leading pair, on gradients of a run (gcg C5)."""

import numpy as np
from scipy.linalg import svd

from projfree import solvers
from projfree.common.parameters import Natural, Positive
from projfree.engine.clock import timed
from projfree.engine.oracles.regularised import Oracles
from referee.jobs.probes import Row


def measure(
    job,
    problem,
    constraint,
    rng,
    *,
    iterations: list[Natural] = (0, 5, 10),
    solver: str = "gcg",
    params: dict | None = None,
    tol: Positive = 1e-3,
):
    """One row for ∇ℓ(W_t) at each t in `iterations`.

    Metrics: ``entries`` mn; ``seconds_full`` of a dense decomposition; ``seconds_pair`` of the leading pair
    to a relative residual `tol` from a random start; ``seconds_warm`` from the pair of the gradient before;
    ``times`` the first over the second; ``error`` of σ₁; ``matvecs`` of the pair.
    """
    oracles = Oracles(problem, constraint, np.random.default_rng(int(rng.integers(2**63))))
    method = solvers.make(solver, params or {})
    state, warm = method.start(oracles, rng), None
    for t in range(max(iterations) + 1):
        if t in iterations:
            yield _row(problem, constraint, state.iterate, warm, tol, t)
        G = problem.gradient(problem.slopes(state.iterate.image))
        warm = constraint.polar(G, rng=np.random.default_rng(t), tol=tol).warm
        state = method.step(oracles, state, rng)


def _row(problem, constraint, point, warm, tol, t):
    G = problem.gradient(problem.slopes(point.image))
    dense = G if isinstance(G, np.ndarray) else G.toarray()
    sigma, full = timed(lambda: svd(dense, full_matrices=False)[1][0])
    fresh = np.random.default_rng(0)
    pair, single = timed(lambda: constraint.polar(G, rng=fresh, tol=tol))
    _, again = timed(lambda: constraint.polar(G, start=warm, rng=fresh, tol=tol))
    seconds = {"seconds_full": full, "seconds_pair": single, "seconds_warm": again, "times": full / single}
    error = abs(pair.value - sigma) / sigma
    return Row(t, {"entries": dense.size, **seconds, "error": error, "matvecs": pair.matvecs})
