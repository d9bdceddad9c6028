"""CPU of one projection beside one linear minimisation (NCGS-C5.d)."""

import numpy as np

from projfree.common.parameters import Count, Positive
from projfree.engine.clock import timed
from projfree.sets import nuclear_ball
from referee.jobs.probes import Row


def measure(
    job,
    problem,
    constraint,
    rng,
    *,
    shape: tuple[Count, Count],
    radius: Positive = 10.0,
    repetitions: Count = 10,
):
    """One row a repetition on a noise-dominated gradient that drifts as between steps of a run.

    ``seconds_lmo``: warm-started, relative residual 1e-3; ``seconds_projection_full`` and ``_gram`` of a
    point outside the ball.
    """
    ball = nuclear_ball.Set(radius)
    gradient = _gradient(shape, rng)
    point = gradient * (3 * radius / ball.gauge(gradient))
    atom = ball.lmo(gradient, rng=rng)
    for method in ("full", "gram"):  # warm up
        ball.project(point, method=method)
    for repetition in range(repetitions):
        gradient = gradient + 0.02 * _gradient(shape, rng)
        point = gradient * (3 * radius / ball.gauge(gradient))
        atom, seconds_lmo = timed(lambda g=gradient, a=atom: ball.lmo(g, start=a, rng=rng))
        yield Row(
            repetition,
            {
                "seconds_lmo": seconds_lmo,
                "seconds_projection_full": timed(ball.project, point, method="full")[1],
                "seconds_projection_gram": timed(ball.project, point, method="gram")[1],
                "rows": shape[0],
                "cols": shape[1],
            },
            {"matvec": atom.matvecs, "LO": 1},
        )


def _gradient(shape, rng):
    """Noise with a weak leading pair, as the gradients of these problems are."""
    noise = rng.standard_normal(shape)
    spike = np.outer(rng.standard_normal(shape[0]), rng.standard_normal(shape[1]))
    return noise + 0.5 * np.sqrt(sum(shape) / np.prod(shape)) * spike
