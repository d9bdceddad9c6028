"""The methods of figure 1 as the authors' released code states them, from the library's own oracles.

Facts and formulas of the public repository jackchen1990/Mirror-Prox-Conditional-Gradient-Sliding, commit
a9a60b2a, in our own words; none of its code. That figure 1 came from it is likely, not proven. Each of six
places where it differs from the paper or from the mathematics is a fault that can be switched on or off
(`FAULTS`). This file is apart from the solvers that people use; docs in as-released.md.

f(X, y) = (1/n) Σ y_i ℓ_i(X) − (λ/2)‖n y − 1‖², λ = 1/n: 1/n times the library's problem with λ = 1.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, log2, sqrt
from typing import ClassVar

import numpy as np
from scipy.linalg import eigh

from projfree.engine.metrics.saddle import Evaluation
from projfree.linalg.atoms import inner, move, toward
from projfree.linalg.dense import blend
from projfree.problems.robust_multiclass import Problem
from projfree.sets import nuclear_ball
from projfree.solvers.inner.condg_simplex import condg_simplex
from projfree.solvers.inner.saddle import Pair
from projfree.solvers.inner.sliding import slide

#: What each switch turns on.
FAULTS = {
    1: "the step in X ends as soon as the norm of its linear term is below η",
    2: "the gradient in X has the wrong sign",
    3: "SVRE subtracts the gradient in y at the current point where that at the snapshot belongs",
    4: "the largest singular values are kept until their sum is τ, which is no projection",
    5: "y is clipped at 0 and rescaled, which is no projection",
    6: "each pass of the prox step replaces its centre",
}
#: The methods that each fault touches.
TOUCHES = {1: ("mpcgs", "mpscgs"), 2: ("mpcgs", "mpscgs", "spfw", "svre"), 6: ("mpcgs", "mpscgs")}
TOUCHES |= dict.fromkeys((3, 4, 5), ("svre",))
#: Outer steps of each method in the released run; for SVRE, epochs.
STEPS = {"mpcgs": 20, "mpscgs": 20, "spfw": 600, "svre": 5}
TAU, BATCH, RATE, MOST_X, MOST_Y, PHASE = 100.0, 100, 0.1, 1000, 100_000, 5


@dataclass
class Point:
    """What a method has after a step, and the component gradients that the released code spends on it."""

    step: int
    x: np.ndarray
    y: np.ndarray
    ifo: int


class Released:
    """One instance, with the faults that are on.

    Parameters
    ----------
    arrays : dict
        Rows and labels, as `robust_multiclass.Problem` takes them.
    faults : set of int
        Of `FAULTS`.
    tau : float
        Radius of the nuclear-norm ball.
    uniform : bool
        Start at y = 1/n, not at e_1.
    rate_y : float
        SVRE's rate in y, as its rate in X 0.1 in the released run.
    constant : {"n", "blocks"}
        M of MPCGS and MPSCGS: n, or max(L_xx, L_xy²/μ) of f.
    """

    known: ClassVar[dict] = {}  # steps in y, by what they start from

    def __init__(
        self, arrays, faults=frozenset(FAULTS), *, tau=TAU, uniform=False, rate_y=RATE, constant="n"
    ):
        unknown = set(faults) - set(FAULTS)
        if unknown:
            raise ValueError(f"unknown faults {sorted(unknown)}; the known ones are 1 to {len(FAULTS)}")
        self.problem = arrays if isinstance(arrays, Problem) else Problem(arrays, lam_power=0.0)
        self.ball = nuclear_ball.Set(tau, linear="gram")
        self.faults, self.n, self.rate_y = frozenset(faults), self.problem.n, rate_y
        self.sign = -1.0 if 2 in self.faults else 1.0
        self.first_y = np.full(self.n, 1.0 / self.n) if uniform else np.eye(1, self.n)[0]
        L_xx, L_xy, mu = (self.problem.constants[name] / self.n for name in ("L_xx", "L_xy", "mu"))
        self.M = self.n if constant == "n" else max(L_xx, L_xy**2 / mu)

    # --- gradients and gaps in the scale of f -------------------------------------------------------------

    def gradient_x(self, scores, y, rows=None):
        """∇_X f at scores AX, or its mean over a batch of rows; its negative under fault 2."""
        p = self.problem
        if rows is None:
            return self.sign / self.n * p.gradient_x(p.slopes(scores), y)
        return self.sign / self.n * p.batch_gradient_x(p.rows(rows), p.slopes(scores, rows), y, rows)

    def gradient_y(self, payoff, y):
        """∇_y f."""
        return self.problem.gradient_y(payoff, y) / self.n

    def gaps(self, point) -> dict:
        """`measured` in the scale of f, and the gap as the code takes it, with its own gradient in X."""
        found = measured(self.problem, self.ball, point, self.n)
        if 2 in self.faults:
            gradient = self.gradient_x(self.problem.scores(point.x), point.y)
            in_x = float(np.vdot(gradient, point.x)) + self.ball.support(gradient)
            found["gap_drawn"] = in_x + found["gap_y"]
        return found

    # --- projections --------------------------------------------------------------------------------------

    def project_x(self, x):
        """Onto the nuclear-norm ball, or what fault 4 has in its place."""
        if 4 not in self.faults:
            return self.ball.project(x, method="gram")
        values, V = (each[..., ::-1] for each in eigh(x.T @ x))
        s = np.sqrt(np.maximum(values, 0.0))
        kept = np.clip(self.ball.radius - (np.cumsum(s) - s), 0.0, s)
        V, share = V[:, kept > 0], (kept / np.where(s > 0, s, 1.0))[kept > 0]
        return (x @ (V * share)) @ V.T

    def project_y(self, y):
        """Onto the simplex, or what fault 5 has in its place."""
        if 5 not in self.faults:
            return self.problem.dual_set.project(y)
        clipped = np.maximum(y, 0.0)
        return clipped / clipped.sum()

    # --- MPCGS and MPSCGS ---------------------------------------------------------------------------------

    def mpcgs(self, rng) -> Iterator[Point]:
        """Full gradients in X; η_{s,t} = 4n/(5·2^s t), ⌈log₂(32/ε_k)⌉ phases."""
        return self._prox_steps(rng, None, 4.0, 32)

    def mpscgs(self, rng) -> Iterator[Point]:
        """Gradients in X over min(n, k³) rows; y by STORC, whose noise cancels here; a quarter of η_{s,t}."""
        return self._prox_steps(rng, lambda k: min(self.n, k**3), 1.0, 64)

    def _prox_steps(self, rng, size, scale, accuracy):
        x, y, k, ifo = self.problem.start(), self.first_y, 0, 0
        v, mean = x, y
        while True:
            yield Point(k, x, mean, ifo)
            k += 1
            gamma, epsilon = 3 / (k + 2), 1 / (k * (k + 1) * (k + 2))
            passes = ceil(max(1, log2(1 / (6 * sqrt(2 * epsilon)))))
            phases = ceil(max(1, log2(accuracy / epsilon)))
            rows = None if size is None else np.sort(rng.choice(self.n, size(k), replace=False))
            beta, eta = 6 * self.M / (k + 1), self.M / (24 * k * (k + 1))
            z, before, centre = self.problem.scores(blend(x, v, gamma)), x, v
            for _ in range(passes):
                payoff = self.problem.payoff(self.problem.scores(before))
                found = self._y_step_once(payoff, y, phases, scale)
                moved = self._x_step(self.gradient_x(z, found, rows), centre, beta, eta)
                after = blend(x, moved, gamma)
                still = np.array_equal(after, before) and np.array_equal(moved, centre)
                before, centre = after, moved if 6 in self.faults else centre
                if still:  # so are the passes that are left
                    break
            x, y, v = before, found, moved
            mean = blend(mean, y, gamma)
            inside = PHASE * self.n if rows is None else self.n + PHASE * 2 * BATCH
            ifo += passes * (phases * inside + (self.n if rows is None else rows.size))

    def _y_step_once(self, payoff, y, phases, scale):
        """The same, kept: while X stays where it is, all variants ask for the same steps."""
        asked = payoff.tobytes(), y.tobytes(), phases, scale
        if asked not in self.known:
            self.known[asked] = self._y_step(payoff, y, phases, scale)
        return self.known[asked]

    def _y_step(self, payoff, y, phases, scale):
        """Phases of sliding on −f(x, ·) from y, with β_t = 2n/t and no early end."""

        def prox(g, u, beta, eta, most):
            v, _, calls = condg_simplex(g, u, u, beta, eta, most, 1.0)
            return v, calls

        for phase in range(1, phases + 1):
            v = y
            for t in range(1, PHASE + 1):
                eta = scale * self.n / (t * PHASE * 2**phase)
                y, v, _ = slide(
                    lambda z: -self.gradient_y(payoff, z), prox, y, v, t, 2 * self.n / t, eta, MOST_Y
                )
        return y

    def _x_step(self, gradient, centre, beta, eta):
        """Frank-Wolfe from the centre on ⟨gradient, ·⟩ + (β/2)‖· − centre‖², to the accuracy η."""
        x = centre.copy()
        for _ in range(MOST_X):
            slope = gradient + beta * (x - centre)
            vertex = self.ball.lmo(slope)
            if 1 in self.faults and vertex.sigma < eta:
                break
            gap = float(np.vdot(slope, x)) - inner(vertex, slope)
            if gap <= eta:
                break
            distance = vertex.sq_norm - 2 * inner(vertex, x) + float(np.vdot(x, x))
            toward(x, vertex, min(1.0, gap / (beta * distance)))
        return x

    # --- the baselines ------------------------------------------------------------------------------------

    def spfw(self, rng) -> Iterator[Point]:
        """γ_t = 2/(t+2), t from 1."""
        p, x, y, t = self.problem, self.problem.start(), self.first_y, 0
        scores = p.scores(x)
        while True:
            yield Point(t, x, y, t * self.n)
            t += 1
            vertex, share = self.ball.lmo(self.gradient_x(scores, y)), 2 / (t + 2)
            y = blend(y, p.dual_set.lmo(-self.gradient_y(p.payoff(scores), y)), share)
            toward(x, vertex, share)
            move(scores, 1 - share, share, *p.scores(vertex))

    def svre(self, rng) -> Iterator[Point]:
        """A point an epoch of ⌈n/b⌉ extragradient steps, from an X with entries uniform on [0, 1]."""
        p, x, y, epoch = self.problem, rng.random(self.problem.shape), self.first_y, 0
        size = min(BATCH, self.n)
        length = -(-self.n // size)
        while True:
            yield Point(epoch, x, y, epoch * (self.n + length * 4 * size))
            epoch += 1
            at = Snapshot.of(p, x, y)
            for _ in range(length):
                middle = x, y
                for _ in range(2):  # extrapolation, then the update from the same pair
                    difference, d_y = self.difference(*middle, at, rng.permutation(self.n)[:size])
                    moved = p.stepped(x, RATE * self.sign / self.n, at.gradient_x, difference)
                    d_y += at.gradient_y
                    middle = self.project_x(moved), self.project_y(y + self.rate_y / self.n * d_y)
                x, y = middle

    def difference(self, x, y, at, rows):
        """n times what a batch adds to the gradients at a snapshot: in X as `stepped` takes it, in y."""
        difference, d_y = self.problem.batch_difference(x, y, at, rows)
        if 3 in self.faults:  # what is left is the loss at the snapshot, and no curvature
            d_y[rows] = -at.payoff[rows] * (self.n / rows.size)
        return difference, d_y


@dataclass
class Snapshot:
    """A pair of SVRE, and n times the full gradients there."""

    y: np.ndarray
    scores: np.ndarray
    payoff: np.ndarray
    gradient_x: np.ndarray
    gradient_y: np.ndarray

    @classmethod
    def of(cls, problem, x, y):
        """Of a pair."""
        scores = problem.scores(x)
        payoff = problem.payoff(scores)
        gradient_x = problem.gradient_x(problem.slopes(scores), y)
        return cls(y, scores, payoff, gradient_x, problem.gradient_y(payoff, y))


def measured(problem, ball, point, scale=1) -> dict:
    """Frank-Wolfe gap with its parts, the gap of X with y exact, all divided by a scale; where X is."""
    found = Evaluation(problem, ball, Pair(point.x, point.y))
    return {
        "gap_drawn": found.saddle_fw_gap / scale,
        "gap": found.saddle_fw_gap / scale,
        "gap_x": found.fw_gap_x / scale,
        "gap_y": found.fw_gap_y / scale,
        "gap_phi": found.fw_gap_phi / scale,
        "mean_loss": float(found.payoff.mean()),
        "norm_x": float(np.linalg.norm(point.x)),
        "overflow": float(np.mean(_overflows(found.scores))),
    }


def _overflows(scores):
    """Rows for which log(exp(s)/Σ exp(s)), taken as it stands in double precision, is no number."""
    top = scores.max(axis=1)
    return (top > 709.78) | (top - scores.min(axis=1) > 745.1)
