"""Algorithm 2 with Improve = Null and polar atoms of exactly the allowed accuracy (GCG-T3)."""

import numpy as np

from projfree.common.parameters import Count, Fraction, NotNegative
from referee.jobs.probes import Row

from ._tiny_completion import Dense, penalised_optimum, planted_pair, trace_norm


def measure(
    job,
    problem,
    constraint,
    rng,
    *,
    alphas: list[Fraction] = (1.0, 0.8, 0.6),
    deltas: list[NotNegative] = (0.0, 0.3, 0.5),
    steps: Count = 1000,
    every: Count = 10,
):
    """Excess of ℓ(W_t) + λρ_t over F* beside the bounds of Corollary 9, for each α and δ.

    The atom has ⟨a_t, −∇ℓ⟩ = α(κ°(−∇ℓ) − ε_t)₊ with ε_t = δη_t/2, η_t = 2/(t + 2) and θ_t by eq. (34);
    ρ = κ(W*), L_F = max ‖(ρ/α)a_t − W_t‖². ``excess`` ≤ ``bound`` 2(ρδ + L_F)/(t + 3) + λρ(1/α − 1) (eq. 38)
    and ≤ ``bound_multiplicative`` F*/α − F* + 2(ρδ + L_F)/(t + 3) (eq. 39).
    """
    dense, weight = Dense(problem), constraint.weight
    optimum = penalised_optimum(dense, constraint)
    rho = trace_norm(optimum)
    best = dense.value(optimum) + weight * rho
    for number, (alpha, delta) in enumerate((a, d) for a in alphas for d in deltas):
        W, bound, LF = np.zeros(problem.shape), 0.0, 0.0
        for t in range(steps):
            eta, G = 2 / (t + 2), dense.gradient(W)
            allowed = alpha * max(np.linalg.norm(G, 2) - delta * eta / 2, 0.0)
            u, v, _ = planted_pair(-G, allowed)
            a = np.outer(u, v)
            LF = max(LF, float(np.sum((rho / alpha * a - W) ** 2)))
            theta = max(eta * float(np.vdot(a, W)) + allowed - weight, 0.0)
            W, bound = (1 - eta) * W + theta * a, (1 - eta) * bound + theta
            if (t + 1) % every == 0 or t < 10:
                rate = 2 * (rho * delta + LF) / (t + 4)
                yield Row(
                    number * steps + t + 1,
                    {
                        "alpha": alpha,
                        "delta": delta,
                        "excess": dense.value(W) + weight * bound - best,
                        "bound": rate + weight * rho * (1 / alpha - 1) + 1e-9,
                        "bound_multiplicative": rate + best / alpha - best + 1e-9,
                    },
                )
