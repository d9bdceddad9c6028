"""A method against the resisting oracle: its gap before T linear minimisations (nfwu Theorem 5.1)."""

from dataclasses import dataclass, field

import numpy as np

from projfree import solvers
from projfree.common.parameters import Count, Positive
from projfree.engine import metrics
from projfree.engine.oracles.base import OutOfBudget
from projfree.engine.oracles.constrained import Oracles
from projfree.problems import hard_instance
from projfree.sets import l2_ball
from referee.jobs.probes import Row


def measure(
    job,
    problem,
    constraint,
    rng,
    *,
    solver: str,
    params: dict | None = None,
    chain: Count = 10,
    horizon: Count = 3,
    dimension: Count | None = None,
    curvature: Positive = hard_instance.CURVATURE,
):
    """One row a step of one run of at most `horizon` · T linear minimisations (LO), T = `chain`.

    x_t is the iterate after t LO. ``gap`` V_C(x_t) by the finished F, ``gap_over_radius`` V_C(x_t)/R,
    ``best_gap_over_radius`` its running minimum, ``bound`` 0.08 as long as the theorem speaks (t < T), then
    0; ``lo_to_bound`` the first t with V_C ≤ 0.08 R, or t where there was none yet. ``queries`` points asked
    so far (gradients and values) and ``columns`` drawn for them. Of the whole run, the same in all rows:
    ``consistency`` the largest relative difference between an answer given and that of the finished F, and
    ``first_overlap`` |⟨x_1, v_1⟩|/‖x_1‖, which would be 0 if v_k could be had orthogonal to x_k.
    """
    instance = fresh(rng, chain=chain, dimension=dimension, curvature=curvature)
    run = trajectory(solvers.make(solver, params or {}), instance, rng, horizon * chain)
    whole = {"consistency": instance.inconsistency(), "first_overlap": first_overlap(run, instance)}
    gaps = run.gaps() / instance.radius
    best, reached = np.minimum.accumulate(gaps), run.first(gaps <= hard_instance.BOUND)
    for k, counts in enumerate(run.counts):
        values = {
            "gap": gaps[k] * instance.radius,
            "gap_over_radius": gaps[k],
            "best_gap_over_radius": best[k],
            "bound": hard_instance.BOUND * (counts["LO"] < chain),
            "lo_to_bound": min(reached, counts["LO"]),
            "queries": run.queries[k],
            "columns": run.columns[k],
        }
        yield Row(k, {**values, **whole}, counts)


@dataclass
class Trajectory:
    """The iterates of one run, x_0 first, and the counts when each was made."""

    instance: hard_instance.Problem
    ball: l2_ball.Set
    points: list = field(default_factory=list)
    counts: list = field(default_factory=list)
    queries: list = field(default_factory=list)
    columns: list = field(default_factory=list)

    def append(self, x, counts):
        """One more iterate."""
        self.points.append(x.copy())
        self.counts.append(dict(counts))
        self.queries.append(self.instance.queries)
        self.columns.append(self.instance.drawn)

    @property
    def lo(self) -> np.ndarray:
        """Linear minimisations before each iterate."""
        return np.array([counts["LO"] for counts in self.counts])

    def gaps(self) -> np.ndarray:
        """V_C of all iterates by the finished F."""
        self.instance.finish()
        gap = metrics.make("fw_gap", self.instance, self.ball)
        return np.array([gap(x) for x in self.points])

    def first(self, hit) -> float:
        """Linear minimisations before the first iterate that is a hit; ∞ if none is."""
        return float(np.where(hit, self.lo, np.inf).min())


def fresh(rng, **params):
    """A hard instance that has not been asked anything."""
    return hard_instance.Problem({"seed": rng.integers(2**63)}, **params)


def trajectory(method, instance, rng, max_lo) -> Trajectory:
    """Run a method from zero until it ends by itself or has used up its linear minimisations."""

    def guard():
        if oracles.counts["LO"] > max_lo:
            raise OutOfBudget("LO")

    ball = l2_ball.Set(instance.radius)
    oracles = Oracles(instance, ball, rng, guard=guard)
    run = Trajectory(instance, ball)
    state = method.start(oracles, rng)
    run.append(state.iterate, oracles.counts)
    try:
        while oracles.counts["LO"] < max_lo and not getattr(state, "converged", False):
            state = method.step(oracles, state, rng)
            run.append(state.iterate, oracles.counts)
    except OutOfBudget:
        pass  # inside a step: the iterates before it stand
    return run


def first_overlap(run, instance) -> float:
    """|⟨x_1, v_1⟩|/‖x_1‖ of the first iterate that is not zero; 0 if there is none."""
    x = next((x for x in run.points if x.any()), None)
    return 0.0 if x is None else float(abs(instance.overlaps(x)[0]) / np.linalg.norm(x))
