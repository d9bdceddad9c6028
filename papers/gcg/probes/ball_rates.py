"""Frank-Wolfe on a trace-norm ball with subproblems of exactly the allowed error (GCG-T1, T2, T14)."""

import numpy as np

from projfree.common.parameters import Count, NotNegative, Positive
from projfree.sets import nuclear_ball
from referee.jobs.probes import Row

from ._tiny_completion import Dense, accelerated, planted_pair, trace_norm


def measure(
    job,
    problem,
    constraint,
    rng,
    *,
    share: Positive = 0.5,
    delta: NotNegative = 0.0,
    averaging: bool = False,
    steps: Count = 3000,
    every: Count = 10,
):
    """Excess of F(w_t) and least gap so far beside their bounds, of one run on {‖W‖_tr ≤ R}.

    R is `share` of the trace norm of the observed matrix. Step t has η_t = 2/(t + 2), or 1/(t + 1) with
    `averaging`, and an atom that misses the best by ε_t = δ̄η_t/2, with δ̄ = `delta` L_F of the diameter.

    ``excess`` F(w_t) − F*; ``excess_bound`` 2(L_F + δ̄)/(t + 3) (Theorem 4, Corollary 5), with `averaging`
    (L_F + δ̄)(1 + log t)/(2t), for Σ_{s<t} η_s²π_t/π_s = H_t/t then; ``gap`` the least Frank-Wolfe gap of
    w_1 … w_t, exact; ``gap_bound`` 4.5 L_F/t, of exact atoms only. L_F is the largest ‖d_s − w_s‖² seen.
    ``weights_identity`` is Σ(π_t/π_s)η_s = 1, ``weights_square`` Σ(π_t/π_s)η_s² over its bound 4/(t + 4).
    """
    dense = Dense(problem)
    radius = share * trace_norm(dense.X)
    ball = nuclear_ball.Set(radius)
    best = dense.value(accelerated(dense, lambda Y: ball.project(Y, method="full"), steps=20_000))
    W, LF, least, error = np.zeros(problem.shape), 0.0, np.inf, delta * 4 * radius**2
    mass = np.zeros(2)  # Σ(π_t/π_s)η_s and Σ(π_t/π_s)η_s²
    for t in range(steps):
        eta = 1 / (t + 1) if averaging else 2 / (t + 2)
        G = dense.gradient(W)
        u, v, top = planted_pair(-G, np.linalg.norm(G, 2) - error * eta / 2 / radius)
        d = radius * np.outer(u, v)
        if t:
            least = min(least, float(np.vdot(G, W)) + radius * top)
        LF = max(LF, float(np.sum((d - W) ** 2)))
        W, mass = (1 - eta) * W + eta * d, (1 - eta) * mass + [eta, eta**2]
        k = t + 1
        if k % every == 0 or k <= 10:
            rate = (1 + np.log(k)) / (2 * k) if averaging else 2 / (k + 3)
            row = {"excess": dense.value(W) - best, "excess_bound": (LF + error) * rate + 1e-9}
            if not averaging:
                row |= {"weights_identity": mass[0], "weights_square": mass[1] * (t + 4) / 4}
            if not averaging and not delta:  # of s ≥ 1: nothing yet at the first record
                row |= {"gap": least, "gap_bound": 4.5 * LF / t} if t else {"gap": 0.0, "gap_bound": 0.0}
            yield Row(k, row)
