"""The small saddle-point instance of the theory checks, its saddle point, and runs on it."""

from dataclasses import dataclass

import numpy as np

from projfree.engine.metrics.saddle import Evaluation
from projfree.engine.oracles.saddle import Oracles
from projfree.problems.robust_multiclass import Problem, tiny_arrays
from projfree.sets import nuclear_ball
from projfree.solvers.inner.saddle import Pair


@dataclass
class Instance:
    """Problem, set of x, and M of MPCGS."""

    problem: Problem
    ball: nuclear_ball.Set

    @property
    def M(self):
        """max(L_xx, L_xy²/μ)."""
        c = self.problem.constants
        return max(c["L_xx"], c["L_xy"] ** 2 / c["mu"])

    def value(self, x, y):
        """f."""
        return self.problem.value(self.problem.scores(x), y)

    def gradient_x(self, x, y):
        """∇_x f."""
        return self.problem.gradient_x(self.problem.slopes(self.problem.scores(x)), y)

    def best_response(self, x):
        """y*(x)."""
        return self.problem.best_response(self.problem.payoff(self.problem.scores(x)))

    def evaluate(self, x, y):
        """All metrics of a pair."""
        return Evaluation(self.problem, self.ball, Pair(x, y))

    def random_pair(self, rng):
        """A feasible x, inside or on the boundary, and a y with few large weights."""
        x = rng.standard_normal(self.problem.shape)
        x *= self.ball.radius * rng.uniform(0.1, 1.0) / self.ball.gauge(x)
        return x, rng.dirichlet(np.full(self.problem.n, 0.05))


def make(rng, radius=3.0, lam_power=1.0, classes=4) -> Instance:
    """n = 60, d = 15, h = 4, τ = 3, λ = 1/n^lam_power."""
    problem = Problem(tiny_arrays(rng, classes=classes), lam_power=lam_power)
    return Instance(problem, nuclear_ball.Set(radius, linear="gram"))


def least(instance, y, x=None, tol=1e-9, steps=3000):
    """A lower bound of min over x of f(x, y), tight to tol, by accelerated projected gradients."""
    x = z = instance.problem.start() if x is None else x
    t, L, best = 1.0, instance.problem.constants["L_xx"], -np.inf
    for k in range(steps):
        if k % 20 == 0:
            gap = instance.evaluate(x, y)
            best = max(best, gap.dual_lower)
            if gap.fw_gap_x <= tol:
                break
        new = instance.ball.project(z - instance.gradient_x(z, y) / L, method="gram")
        if np.vdot(z - new, new - x) > 0:
            t = 1.0
        following = (1 + np.sqrt(1 + 4 * t * t)) / 2
        z, x, t = new + (t - 1) / following * (new - x), new, following
    return best


def saddle_point(instance, steps=4000):
    """(x⋆, y⋆) by projected extragradient with block steps."""
    c, problem, ball = instance.problem.constants, instance.problem, instance.ball
    rate_x, rate_y = 0.9 / (c["L_xx"] + c["L_xy"] / np.sqrt(c["mu"])), 0.45 / c["mu"]
    x, y = problem.start(), problem.dual_start()

    def move(at_x, at_y):
        scores = problem.scores(at_x)
        d_x = problem.gradient_x(problem.slopes(scores), at_y)
        d_y = problem.gradient_y(problem.payoff(scores), at_y)
        return ball.project(x - rate_x * d_x, method="gram"), problem.dual_set.project(y + rate_y * d_y)

    for k in range(steps):
        x, y = move(*move(x, y))
        if k % 50 == 0 and instance.evaluate(x, y).saddle_fw_gap <= 1e-11:
            break
    return x, y


def walk(problem, ball, method, steps, rng):
    """Yield (step, oracles, state) after each step of a method."""
    oracles = Oracles(problem, ball, rng)
    state = method.start(oracles, rng)
    for k in range(1, steps + 1):
        state = method.step(oracles, state, rng)
        yield k, oracles, state
