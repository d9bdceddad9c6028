"""A quadratic saddle-point problem with exactly known constants."""

import numpy as np

from ..common.parameters import checked
from ..families import saddle
from ..linalg.atoms import Atom
from ..linalg.validation import real
from ..sets import l2_ball
from ._smoothness import norm_bound


class Problem:
    """min_x max_y F(x, y) = ½‖x − c‖² + w xᵀBy − ½‖y − d‖² over unit balls, B = mean of B_i, ‖B‖ = 1.

    L_xx = μ = 1, L_xy = w. The same interface as `robust_multiclass`, with the scores S = x.

    Parameters
    ----------
    arrays : dict
        ``B`` (n, p, q), ``c`` (p,), ``d`` (q,).
    coupling : float, w
    """

    family = saddle.FAMILY
    small_constraint = l2_ball.Set(1.0)

    @checked
    def __init__(self, arrays, *, coupling: float = 0.05, constants=None):
        self.parts = real("B", arrays["B"])
        self.B, self.c, self.d = self.parts.mean(axis=0), np.asarray(arrays["c"]), np.asarray(arrays["d"])
        self.coupling, self.n, self.shape = coupling, len(self.parts), self.c.shape
        self.dual_set = l2_ball.Set(1.0)
        self.constants = constants or {
            "L_xx": 1.0,
            "L_xy": abs(coupling) * norm_bound(self.B),
            "L_yy": 1.0,
            "mu": 1.0,
        }

    @classmethod
    def small(cls, rng):
        """A small instance with an interior solution."""
        yield cls(interior_arrays(rng))

    @property
    def metrics(self):
        """Metrics of (x, y) that do not depend on the sets."""
        return {
            "objective": lambda point: self.value(point.x, point.y),
            "distance": self.distance,
            "phi": lambda point: self.phi(point.x),
        }

    def solution(self):
        """The saddle point of the unconstrained problem; the solution if it lies inside both balls."""
        p, q, w = len(self.c), len(self.d), self.coupling
        system = np.block([[np.eye(p), w * self.B], [-w * self.B.T, np.eye(q)]])
        both = np.linalg.solve(system, np.concatenate([self.c, self.d]))
        return both[:p], both[p:]

    def distance(self, point):
        x, y = self.solution()
        return float(np.hypot(np.linalg.norm(point.x - x), np.linalg.norm(point.y - y)))

    def start(self, kind="array"):
        """x = 0."""
        return np.zeros(self.shape)

    def dual_start(self):
        """y = 0."""
        return np.zeros(self.d.shape)

    def scores(self, x):
        """S = x."""
        return x.toarray() if isinstance(x, Atom) else x.copy()

    def slopes(self, scores, rows=None):
        """x − c, the part of ∇_x F that y does not change."""
        return scores - self.c

    def payoff(self, scores):
        """w Bᵀx."""
        return self.coupling * (scores @ self.B)

    def value(self, scores, y):
        quadratic = 0.5 * np.sum((scores - self.c) ** 2) - 0.5 * np.sum((y - self.d) ** 2)
        return float(quadratic + y @ self.payoff(scores))

    def gradient_x(self, slopes, y):
        """∇_x F = x − c + w By."""
        return slopes + self.coupling * (self.B @ y)

    def gradient_y(self, payoff, y):
        """∇_y F = w Bᵀx − (y − d)."""
        return payoff - (y - self.d)

    def rows(self, indices):
        """The mean B of the batch."""
        return self.parts[indices].mean(axis=0)

    def batch_gradient_x(self, rows, slopes, y, indices):
        """(1/b) Σ ∇_x F_i."""
        return slopes + self.coupling * (rows @ y)

    def batch_gradients(self, x, y, indices):
        """(1/b) Σ ∇F_i(x, y) over the batch, for both blocks."""
        B = self.rows(indices)
        return x - self.c + self.coupling * (B @ y), self.coupling * (x @ B) - (y - self.d)

    def batch_difference(self, x, y, snapshot, indices):
        """(1/b) Σ [∇F_i(x, y) − ∇F_i(snapshot)], both blocks, snapshot = (x, y) at it."""
        here, there = (self.batch_gradients(*at, indices) for at in ((x, y), (snapshot.scores, snapshot.y)))
        return here[0] - there[0], here[1] - there[1]

    def stepped(self, x, rate, gradient, difference):
        """x − rate·(gradient + difference)."""
        return x - rate * (gradient + difference)

    def sq_noise(self, y):
        """σ_x² = (1/n) Σ ‖w(B_i − B)y‖²."""
        return self.coupling**2 * float(np.mean(np.sum(((self.parts - self.B) @ y) ** 2, axis=1)))

    def best_response(self, payoff):
        """y*(x) = P(d + w Bᵀx)."""
        return self.dual_set.project(self.d + payoff)

    def phi(self, scores):
        """Φ(x) = max_y F."""
        return self.value(scores, self.best_response(self.payoff(scores)))


def interior_arrays(rng, n=50, p=12, q=10, noise=0.5):
    """B_i = B + noise with ‖mean B_i‖ = 1; c and d of norm a half, so that the solution lies inside."""
    B = rng.standard_normal((p, q)) + noise * rng.standard_normal((n, p, q))
    B /= np.linalg.norm(B.mean(axis=0), 2)
    c, d = rng.standard_normal(p), rng.standard_normal(q)
    return {"B": B, "c": 0.5 * c / np.linalg.norm(c), "d": 0.5 * d / np.linalg.norm(d)}
