"""CPU of one gradient, linear minimisation and projection on text-like data of a shape (MPCGS-E2, C5–C9)."""

import numpy as np

from projfree.common.parameters import Count, NotNegative, Positive
from projfree.engine.clock import timed
from projfree.engine.metrics.saddle import Evaluation
from projfree.linalg.singular import leading_pair
from projfree.problems.robust_multiclass import Problem
from projfree.sets import nuclear_ball
from projfree.solvers import mpcgs
from projfree.solvers.inner.saddle import Pair
from referee.jobs.probes import Row

from ..generators import labelled_rows, text_rows
from . import _tiny_saddle


def measure(
    job,
    problem,
    constraint,
    rng,
    *,
    shape: tuple[Count, Count],
    classes: Count | list[Count],
    length: Positive = 80.0,
    skew: NotNegative = 0.0,
    radius: Positive = 50.0,
    batch: Count = 100,
    steps: Count = 20,
    repetitions: Count = 10,
    full_below: NotNegative = 10**9,
):
    """One row a repetition of every number of classes, at the iterate after some MPCGS steps.

    ``seconds_`` of: ``fo`` (both gradients), ``batch`` (of b rows), ``lo_gram``, ``lo_lanczos`` (to 1e-6),
    ``po_full``, ``po_gram``, ``po_partial`` of x − sG outside the ball, ``lo_simplex``, ``po_simplex`` and
    ``gap`` (one evaluation of the Frank-Wolfe gap); their medians so far, and what the claims compare. The
    full decomposition is left out where d·h² exceeds `full_below`.
    """
    for h in np.atleast_1d(classes):
        instance = _instance(rng, shape, int(h), length, skew)
        ball = nuclear_ball.Set(radius, linear="gram")
        point, rank = _point(instance, ball, steps, rng)
        operations = _operations(instance, ball, point, batch, rng)
        if shape[1] * h**2 > full_below:
            operations["po_full"] = None
        rows = []
        for run in filter(None, operations.values()):  # once before any is timed
            run()
        for _ in range(repetitions):
            rows.append({name: timed(run)[1] if run else np.nan for name, run in operations.items()})
            about = {"classes": int(h), "rank": rank, "features": shape[1]}
            yield Row(int(h), {**about, **_costs(rows)})


def _costs(rows):
    """What one repetition took, the median of all so far, and what the claims compare."""
    last = rows[-1]
    compared = [last[name] for name in ("fo", "lo_lanczos", "po_full") if not np.isnan(last[name])]
    return {
        **{f"seconds_{name}": value for name, value in last.items()},
        **{f"seconds_median_{name}": float(np.median([row[name] for row in rows])) for name in last},
        "seconds_largest": max(compared),
        "seconds_smallest": min(compared),
        "seconds_three_fo_and_lo": 3 * last["fo"] + last["lo_gram"],
    }


def _instance(rng, shape, classes, length, skew):
    rows = text_rows.generate(
        rng, rows=shape[0], features=shape[1], classes=classes, length=length, skew=skew
    )
    source = {"X": rows["X"], "y": rows["y"]}
    return Problem(labelled_rows.generate(rng, source=source))


def _point(instance, ball, steps, rng):
    """The pair after some active steps, and the rank of x."""
    method = mpcgs.Solver(y_rule="exact", fast_forward=True)
    *_, (_, _, state) = _tiny_saddle.walk(instance, ball, method, steps, rng)
    return state.iterate, Evaluation(instance, ball, state.iterate).rank


def _operations(p, ball, point, batch, rng):
    """What is timed, by name; each is prepared so that it runs alone."""
    scores = p.scores(point.x)
    slopes, payoff = p.slopes(scores), p.payoff(scores)
    gradient, gradient_y = p.gradient_x(slopes, point.y), p.gradient_y(payoff, point.y)
    outside = point.x - gradient * (3 * ball.radius / ball.gauge(gradient))
    rows = np.sort(rng.choice(p.n, min(batch, p.n), replace=False))
    far = point.y + gradient_y / p.constants["mu"]

    def both():
        scores = p.scores(point.x)
        p.gradient_x(p.slopes(scores), point.y)
        p.gradient_y(p.payoff(scores), point.y)

    return {
        "fo": both,
        "batch": lambda: p.batch_gradients(point.x, point.y, rows),
        "lo_gram": lambda: ball.lmo(gradient),
        "lo_lanczos": lambda: leading_pair(gradient, tol=1e-6),
        "po_full": lambda: ball.project(outside, method="full"),
        "po_gram": lambda: ball.project(outside, method="gram"),
        "po_partial": lambda: ball.project(outside, method="partial"),
        "lo_simplex": lambda: p.dual_set.lmo(-gradient_y),
        "po_simplex": lambda: p.dual_set.project(far),
        "gap": lambda: Evaluation(p, ball, Pair(point.x, point.y)).saddle_fw_gap,
    }
