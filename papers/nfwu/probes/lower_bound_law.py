"""The ε⁻² law: linear minimisations on hard instances that are scaled to an accuracy (nfwu Theorem 5.1)."""

from projfree import solvers
from projfree.common.parameters import Count, Positive
from projfree.problems import hard_instance
from referee.jobs.probes import Row

from .lower_bound import fresh, trajectory


def measure(
    job,
    problem,
    constraint,
    rng,
    *,
    solver: str,
    params: dict | None = None,
    inverse_epsilons: list[Positive] = (2, 3, 4, 5, 6),
    delta: Positive = 7500.0,
    smoothness: Positive | None = None,
    horizon: Count = 3,
    curvature: Positive = hard_instance.CURVATURE,
):
    """One row an accuracy ε = 1/k: a run of at most `horizon` · T linear minimisations (LO).

    The instance is L-smooth (`smoothness`; None is ℓ_f) with F(0) − min F ≤ Δ (`delta`). ``lower_bound``
    LΔ/(7500 ℓ_f ε²), T its floor (``chain``); ``lo_to_epsilon`` LO before the first V_C ≤ εD, or all of the
    run's where ``reached`` is 0; ``worst_ratio`` the smallest V_C(x_t)/(εD) over t < T, which the theorem has
    ≥ 1; ``consistency`` as in `lower_bound`.
    """
    smoothness = curvature + 0.2 if smoothness is None else smoothness
    for k in inverse_epsilons:
        scaled = hard_instance.scaled(1 / k, delta, smoothness, curvature)
        instance, chain = fresh(rng, **scaled), scaled["chain"]
        run = trajectory(solvers.make(solver, params or {}), instance, rng, horizon * chain)
        ratios = run.gaps() * k / run.ball.diameter
        reached = run.first(ratios <= 1)
        values = {
            "epsilon": 1 / k,
            "chain": chain,
            "lower_bound": smoothness * delta * k**2 / (7500 * (curvature + 0.2)),
            "lo_to_epsilon": min(reached, run.lo[-1]),
            "reached": reached <= run.lo[-1],
            "worst_ratio": ratios[run.lo < chain].min(),
            "consistency": instance.inconsistency(),
        }
        yield Row(k, values, run.counts[-1])
