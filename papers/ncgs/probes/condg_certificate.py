"""Certificates of `condg` on random subproblems (NCGS-T1)."""

import math

import numpy as np

from projfree.common.parameters import Count, Positive
from projfree.engine.oracles.constrained import Oracles
from projfree.sets import nuclear_ball
from projfree.solvers.inner.condg import StopRule, condg
from referee.jobs.probes import Row


def measure(
    job,
    problem,
    constraint,
    rng,
    *,
    shape: tuple[Count, Count] = (12, 12),
    radius: Positive = 2.0,
    trials: Count = 100,
    gammas: list[Positive] = (0.25,),
    etas: list[Positive] = (0.5,),
):
    """One row a random (u, l, γ, η): the returned gap, distance to the exact prox, LO calls, and what each
    inner step did.
    """
    ball = nuclear_ball.Set(radius)
    for trial in range(trials):
        u = random_point(ball, shape, rng)
        linear = rng.standard_normal(shape)
        gamma, eta = gammas[trial % len(gammas)], etas[trial // len(gammas) % len(etas)]
        watched = Watched(ball, rng, linear, u, gamma)
        inner = condg(watched, linear, u, gamma, StopRule("theorem", eta))
        exact = ball.project(u - gamma * linear, method="full")
        yield Row(
            trial,
            {
                "gap": true_gap(ball, linear + (inner.x - u) / gamma, inner.x),
                "eta": eta,
                "sq_distance": float(np.sum((inner.x - exact) ** 2)),
                "gamma_eta": gamma * eta * (1 + 1e-9),
                "lo_calls": inner.lo,
                "lo_bound": math.ceil(6 * ball.diameter**2 / (gamma * eta)),
                "max_increase": watched.max_increase(inner.x),
                "step_error": watched.step_error(inner.x),
            },
            {"LO": inner.lo},
        )


def random_point(ball, shape, rng):
    """A feasible point, inside or on the boundary."""
    x = rng.standard_normal(shape)
    return x * (ball.radius * rng.uniform(0.1, 1.0) / ball.gauge(x))


def true_gap(ball, h, x):
    """max_v ⟨h, x − v⟩ by a dense SVD."""
    return float(np.vdot(h, x)) + ball.support(-h)


class Watched(Oracles):
    """Oracles of the subproblem that remember every linear minimisation, from which the inner iterates
    follow.
    """

    def __init__(self, ball, rng, linear, u, gamma):
        class Subproblem:
            n, constants = 1, {}

        super().__init__(Subproblem, ball, rng)
        self.linear, self.u, self.gamma, self.seen = linear, u, gamma, []

    def lmo(self, gradient, start=None, tol=None):
        """The oracle's answer, remembered with the iterate at which it was asked: x = u + γ(h − l)."""
        atom = super().lmo(gradient, start=start, tol=tol)
        self.seen.append((self.u + self.gamma * (gradient - self.linear), atom.toarray()))
        return atom

    def value(self, x):
        """⟨l, x⟩ + ‖x − u‖²/(2γ)."""
        return float(np.vdot(self.linear, x) + np.sum((x - self.u) ** 2) / (2 * self.gamma))

    def max_increase(self, last):
        """Largest increase of the subproblem's value over an inner step (relative to its size)."""
        values = [self.value(x) for x, _ in self.seen] + [self.value(last)]
        scale = max(1.0, max(abs(v) for v in values))
        return max(0.0, *(b - a for a, b in zip(values, values[1:], strict=False))) / scale

    def step_error(self, last):
        """Largest difference between the step that was made and min{1, ⟨(u−x)/γ − l, v−x⟩/(‖v−x‖²/γ)} of
        Algorithm 1.
        """
        points = [x for x, _ in self.seen] + [last]
        errors = [0.0]
        for (x, v), after in zip(self.seen, points[1:], strict=True):
            d = v - x
            square = float(np.vdot(d, d))
            made = float(np.vdot(after - x, d)) / square
            ratio = float(np.vdot((self.u - x) / self.gamma - self.linear, d)) / (square / self.gamma)
            if abs(made) > 1e-12:  # the oracle was asked again without a step
                errors.append(abs(made - min(1.0, ratio)))
        return max(errors)
