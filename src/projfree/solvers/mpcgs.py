"""Mirror-prox conditional gradient sliding (mpcgs Algorithms 3 and 4, Theorem 1).

Our text of the paper lacks all formulas; we derived the parameters (docs/replication-notes.md).
"""

from dataclasses import dataclass
from math import ceil, inf, log2, sqrt
from typing import ClassVar, Literal

import numpy as np

from ..common.parameters import Count, Positive, checked
from ..families import saddle
from ..linalg.atoms import Atom, inner
from ..linalg.dense import blend, sq_distance
from .inner.condg import StopRule, condg, uncertain
from .inner.saddle import Pair, follow
from .inner.sliding import CGS, prox_over, restarted


@dataclass
class State:
    """Both blocks after step k, with the scores of x_k and v_k."""

    x: np.ndarray  # x_k
    v: np.ndarray  # v_k
    y: np.ndarray  # y_k
    y_mean: np.ndarray  # ŷ_k, with weights ∝ k(k+1)
    scores_x: np.ndarray
    scores_v: np.ndarray
    payoff: np.ndarray | None = None  # of x_k, left by the acceptance test
    atom: Atom | None = None  # warm start of the next linear minimisation in x
    k: int = 0

    @property
    def iterate(self):
        return Pair(self.x, self.y_mean)


@checked
@dataclass(frozen=True)
class Solver:
    """An accelerated sliding step in x for f(·, y_k), where y_k maximises f(x_k, ·) at the new x_k to ε_k.

    γ_k = 3/(k+2), β_k = beta·M/(k+1), η_k = MD²/(k(k+1)), ε_k = MD²/(k(k+1)(k+2)), with the diameter D of the
    set of x. The implicit step is a fixed point; passes "y by CGS, v by CndG, x" compute it.

    Attributes
    ----------
    y_rule : {"capped", "theorem", "exact"}
        Solution of the y-problem: ``theorem`` to ε_k/4; ``capped`` the same with at most `max_lo` linear
        minimisations a pass; ``exact`` by one projection, which is not projection-free (U16).
    max_lo : int
    constant : {"blocks", "literal"}
        M = max(L_xx, L_xy²/μ), or L²/μ with L = max(L_xx, L_xy, μ) (U1).
    constant_factor : float
        Factor on M, for tuning.
    beta : float
    y_share : float
        The y-problem is solved to y_share·ε_k (U19).
    delta0 : {"gap", "diameter"}
        δ₀ of the y-problem: the Frank-Wolfe gap of its start, or L_yy D²/2 (U3).
    max_passes : int
        Largest number of passes of a step (U17).
    fixed_passes : int or None
        Fixed number of passes, without an acceptance test (U17).
    fast_forward : bool
        Start at the first k with η_k below the Frank-Wolfe gap of the start and its y: earlier steps do not
        move, and have that y (U24).
    vertex : bool
        x_0 is the vertex that minimises ⟨∇_x f, ·⟩ at zero (U2).
    """

    families = (saddle.FAMILY,)
    phases: ClassVar = CGS
    bound: ClassVar = 13.0  # times MD²/((k+1)(k+2))
    y_rule: Literal["capped", "theorem", "exact"] = "capped"
    max_lo: Count = 500
    constant: Literal["blocks", "literal"] = "blocks"
    constant_factor: Positive = 1.0
    beta: Positive = 6.0
    y_share: Positive = 0.25
    delta0: Literal["gap", "diameter"] = "gap"
    max_passes: Count = 30
    fixed_passes: Count | None = None
    fast_forward: bool = False
    vertex: bool = False

    def start(self, oracles, rng):
        """x_0 = v_0 and y_0 = ŷ_0 of the problem."""
        x, y = oracles.start()
        if self.vertex:
            gradient = oracles.gradient_x(oracles.slopes(oracles.scores(x)), y)
            v = oracles.lmo(gradient)
            x = np.array(v if isinstance(v, np.ndarray) else v.toarray())
        scores = oracles.scores(x)
        s = State(x, x.copy(), y, y.copy(), scores, scores.copy())
        if self.fast_forward:
            self.skip_idle(oracles, s)
        return s

    def step(self, oracles, s, rng):
        """One outer step, until a pass has a y that is an ε_k-maximiser at its x."""
        s.k += 1
        gamma = 3 / (s.k + 2)
        sample = self.draw(oracles, s, rng)
        slopes = self.slopes(oracles, blend(s.scores_x, s.scores_v, gamma), sample)
        centre, v, scores_v, x = s.v, s.v, s.scores_v, s.x
        if s.payoff is None:
            s.payoff = self.payoff(oracles, s, s.scores_x)
        passes, active = 0, False
        while True:
            passes += 1
            error = self.solve_y(oracles, s)
            gradient = self.gradient_x(oracles, slopes, s.y, sample)
            before = x
            v, moved, scores_v = self.solve_v(oracles, s, gradient, centre, v, scores_v)
            active = active or moved
            x = blend(s.x, v, gamma)
            scores = blend(s.scores_x, scores_v, gamma)
            s.payoff = self.payoff(oracles, s, scores)
            if self.accepted(oracles, s, passes, error, x, before):
                break
        s.x, s.v, s.scores_x, s.scores_v = x, v, scores, scores_v
        s.y_mean = blend(s.y_mean, s.y, gamma)
        self.tell(oracles, s.k, passes, active)
        if s.k % RESYNC == 0:
            s.scores_x, s.scores_v = oracles.scores(s.x), oracles.scores(s.v)
        return s

    # --- parameters -------------------------------------------------------------------------------------

    def M(self, constants) -> float:
        """The constant M, which replaces the paper's κL."""
        L_xx, L_xy, mu = (constants[name] for name in ("L_xx", "L_xy", "mu"))
        literal = max(L_xx, L_xy, mu) ** 2 / mu
        return self.constant_factor * (max(L_xx, L_xy**2 / mu) if self.constant == "blocks" else literal)

    def eta(self, oracles, k) -> float:
        """η_k; a set that is one point has no scale of its own, and any will do."""
        return self.M(oracles.constants) * (oracles.constraint.diameter**2 or 1.0) / (k * (k + 1))

    def epsilon(self, oracles, k) -> float:
        """ε_k."""
        return self.eta(oracles, k) / (k + 2)

    def skip_idle(self, oracles, s):
        """What the steps leave in which CndG returns x_0: k, and the y that maximises f(x_0, ·) to ε_k.

        That y is the y_j of all of them, since ε_j falls; so it is their mean.
        """
        s.payoff, slopes = self.payoff(oracles, s, s.scores_x), oracles.slopes(s.scores_x)
        s.k, active = 0, 1
        while active > s.k:
            s.k = active
            self.solve_y(oracles, s)
            active = self.first_active(oracles, s, oracles.gradient_x(slopes, s.y))
        s.k, s.y_mean = active - 1, s.y.copy()

    def first_active(self, oracles, s, gradient) -> int:
        """The first k with η_k < V(x_0), V with what the linear minimisation leaves open."""
        v = oracles.lmo(gradient)
        gap = float(np.vdot(gradient, s.x)) - inner(gradient, v) + uncertain(v)
        if not gap > 0:
            return 1
        k = max(1, int(sqrt(2 * self.eta(oracles, 1) / gap)) - 1)  # where k(k+1) is still too small
        while self.eta(oracles, k) >= gap:
            k += 1 + (k >> 50)  # a k that 1 no longer changes
        return k

    # --- the parts of a pass ----------------------------------------------------------------------------

    def draw(self, oracles, s, rng):
        """No sample: gradients are full."""

    def slopes(self, oracles, scores, sample):
        """The part of ∇_x f(z_k, ·) that does not depend on y: once a step."""
        return oracles.slopes(scores)

    def gradient_x(self, oracles, slopes, y, sample):
        """∇_x f(z_k, y)."""
        return oracles.gradient_x(slopes, y)

    def payoff(self, oracles, s, scores):
        """ℓ at x, which makes every gradient in y there."""
        return oracles.payoff(scores)

    def solve_y(self, oracles, s) -> float:
        """y^r for ℓ(x^{r−1}), from y^{r−1}; returns a bound of its error."""
        if self.y_rule == "exact":
            s.y = oracles.best_response(s.payoff)
            return 0.0
        result = self.maximise(oracles, s.payoff, s.y, self.y_share * self.epsilon(oracles, s.k))
        s.y = result.x
        tally = oracles.tally
        tally.add(phases=result.phases, fo_literal=result.steps, ifo_literal=result.steps * oracles.n)
        tally.most(most_phases=result.phases)
        return self.y_share * self.epsilon(oracles, s.k)

    def maximise(self, oracles, payoff, y, epsilon):
        """An ε-maximiser of f(x, ·) by restarted sliding."""
        cap = self.max_lo if self.y_rule == "capped" else None

        def descent(point):
            return -oracles.gradient_y(payoff, point)

        def gap(point):
            return dual_gap(oracles, payoff, point)

        L, mu = oracles.constants["L_yy"], oracles.constants["mu"]
        delta = None if self.delta0 == "gap" else L * oracles.dual.constraint.diameter**2 / 2
        return restarted(descent, prox_over(oracles.dual), gap, y, L, mu, epsilon, self.phases, cap, delta)

    def solve_v(self, oracles, s, gradient, centre, v, scores_v):
        """v^r = CndG(gradient, centre, β_k, η_k) from v^{r−1}; whether it moved; its scores."""
        moves, gamma = [], (s.k + 1) / (self.beta * self.M(oracles.constants))
        rule = StopRule("theorem", self.eta(oracles, s.k))
        result = condg(oracles, gradient, centre, gamma, rule, x=v, start=s.atom, moves=moves)
        s.atom = result.atom if isinstance(result.atom, Atom) else None
        return result.x, bool(moves), follow(oracles, scores_v.copy(), moves, result.x)

    def accepted(self, oracles, s, passes, error, x, before) -> bool:
        """Whether y is an ε_k-maximiser at x: by its distance from the x it was made for, or by its gap."""
        if self.fixed_passes is not None:
            return passes >= self.fixed_passes
        epsilon, M = self.epsilon(oracles, s.k), self.M(oracles.constants)
        if 2 * error + 1.5 * M * sq_distance(x, before) <= epsilon:
            return True
        if dual_gap(oracles, s.payoff, s.y) <= epsilon:
            return True
        oracles.tally.add(capped_passes=passes >= self.max_passes)
        return passes >= self.max_passes

    def tell(self, oracles, k, passes, active):
        """Passes (theory allows 2 + ⌈½ log₂ 27k⌉), whether x did not move, the bound of the theorem.

        With a smaller M than the problem's there is no theorem.
        """
        tally = oracles.tally
        tally.add(passes=passes, idle=not active)
        tally.most(most_passes=passes, most_passes_over=passes - 2 - ceil(0.5 * log2(27 * k)))
        bound = self.bound * self.eta(oracles, k) * k / (k + 2)
        tally.last(theorem_bound=bound if self.constant_factor >= 1 else inf)


#: Outer steps between two computations of the scores from scratch.
RESYNC = 200


def dual_gap(oracles, payoff, y) -> float:
    """max over w of ⟨∇_y f, w − y⟩: one LO."""
    gradient = oracles.gradient_y(payoff, y)
    return float(gradient @ (oracles.dual.lmo(-gradient) - y))
