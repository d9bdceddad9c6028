"""Normalised Frank-Wolfe updating with any gradient estimator.

Shen, Fang, Zhao, Huang, Qian (2019), Algorithm 1 and Theorem 3.1. It is SFW with SG, SVRFW with SVRG (Reddi
et al. 2016), and Frank-Wolfe with the full gradient.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from ..common.parameters import Count, Positive, checked
from ..families import constrained
from ..linalg.atoms import Atom, inner, toward
from ..linalg.sampled import snapshot, sq_distance
from . import estimators
from .inner.steps import AtX


@dataclass
class State(AtX):
    """x^t, and the memory of the estimator."""

    x: object  # x^t
    t: int = 0
    memory: object = None  # of the estimator
    estimate: object = None  # g^{t−1}
    before: object = None  # x^{t−1}, as far as components see it: where g^{t−1} was made
    atom: Atom | None = None  # warm start of the next linear minimisation
    converged: bool = False


@checked
@dataclass(frozen=True)
class Solver:
    """x^{t+1} = x^t + w (LO(g^t) − x^t), w = η/D with the diameter D of the set and the longest move η.

    Attributes
    ----------
    estimator : str
        Module of `estimators` that computes g^t.
    epoch : int or None
        p, the number of steps between two refreshes; None is ⌈√n⌉.
    batch : int or None
        b ≤ n; None is round(n/p), times `batch_factor`.
    step_rule : str
        Interpretation of "η is set to p/T, T = 20" in nfwu §6 (U1): ``length`` w = p/(T D), literally;
        ``radius`` w = 2p/(T D), with D as a radius; ``mass`` w = 1/(T p), the share of one iteration;
        ``weight`` w = 1/T; ``share`` w = p/T, infeasible for p > T. Controls: ``open_loop`` 2/(t+2);
        ``short`` min{gap/(L_full‖v − x‖²), 1} for exact gradients.
    epochs : int
        T of these rules.
    factor : float
        Factor on w, for tuning.
    eta : float or None
        η itself, instead of a rule.
    epsilon : float or None
        ε of Theorem 3.1: η = ε/L with the constant `smoothness` as L; b and p from the estimator's theory,
        with b four times as large so that E‖g − ∇F‖² ≤ ε²/4 (eq. 9).
    iterate : {"observed", "atoms", "array"}
        Form of x, if the problem offers several; see the problem's `start`.
    vertex : bool
        Start at the vertex of a random direction instead of 0 (U3): 1 LO.
    replace : bool
        Whether batches are drawn with replacement (U10).
    track : bool
        Keep x^{t−1}, for the metric ``gradient_error``.
    """

    families = (constrained.FAMILY,)
    estimator: str = "spider"
    epoch: Count | None = None
    batch: Count | None = None
    batch_factor: Positive = 1.0
    step_rule: Literal[*RULES, "short"] = "length"  # type: ignore[valid-type]
    epochs: Count = 20
    factor: Positive = 1.0
    eta: Positive | None = None
    epsilon: Positive | None = None
    smoothness: str = "L_vr"
    iterate: Literal["observed", "atoms", "array"] = "observed"
    vertex: bool = False
    replace: bool = True
    track: bool = True

    def __post_init__(self):
        if not hasattr(estimators.load(self.estimator), "theory"):
            raise ValueError(f"the estimator {self.estimator!r} goes with estimator_frank_wolfe only")
        if self.step_rule == "short" and self.estimator != "full":
            raise ValueError(f"the short step needs exact gradients, not the estimator {self.estimator!r}")

    def start(self, oracles, rng):
        """x⁰ = 0 (or a vertex); parameters are checked against the problem."""
        self.make_estimator(oracles)
        if oracles.constraint.diameter > 0 and self.step_rule != "short":
            self.weight(oracles, 0)
        x = oracles.start(self.iterate)
        if self.vertex:
            toward(x, oracles.lmo(rng.standard_normal(x.shape)), 1.0)
        return State(x)

    def step(self, oracles, s, rng):
        """One iteration: the estimator's oracle calls, 1 LO."""
        if oracles.constraint.diameter == 0:
            s.converged = True
            return s
        s.before = snapshot(s.x) if self.track else None
        s.estimate = None  # before there is a new one: it is long
        s.estimate, s.memory = self.make_estimator(oracles).update(oracles, s.memory, s.x, rng)
        s.atom = oracles.lmo(s.estimate, start=s.atom)
        w = self.short_step(oracles, s) if self.step_rule == "short" else self.weight(oracles, s.t)
        oracles.toward(s.x, s.atom, w)
        s.t += 1
        return s

    def make_estimator(self, oracles):
        batch, epoch = self.sizes(oracles.n, oracles.constants)
        return estimators.load(self.estimator).Estimator(batch, epoch, replace=self.replace)

    def sizes(self, n: int, constants) -> tuple[int, int]:
        """(b, p): as given, from |S| = n/p, or from the theory for ε."""
        if self.epsilon is not None:
            try:
                batch, epoch = estimators.load(self.estimator).theory(constants, n, self.epsilon)
            except KeyError as name:
                raise ValueError(f"theory of {self.estimator!r}: this loss has no constant {name}") from name
            return math.ceil(4 * batch), max(1, math.floor(epoch))
        epoch = math.ceil(n**0.5) if self.epoch is None else self.epoch
        batch = max(1, round((self.batch or n / epoch) * self.batch_factor))
        if batch > n:
            raise ValueError(f"batch {batch} is larger than the number of components, {n}")
        return batch, epoch

    def weight(self, oracles, t: int) -> float:
        """w of iteration t; at most 1, so that the new point stays in the set."""
        diameter, (_, p) = oracles.constraint.diameter, self.sizes(oracles.n, oracles.constants)
        if self.eta is not None:
            w = self.eta / diameter
        elif self.epsilon is not None:
            w = self.epsilon / (oracles.constants[self.smoothness] * diameter)
        else:
            w = RULES[self.step_rule](p, self.epochs, diameter, t)
        if self.factor * w > 1:
            raise ValueError(
                f"step rule {self.step_rule!r} gives the weight {self.factor * w:g} > 1 for p = {p}: "
                "infeasible (deviation U1)"
            )
        return self.factor * w

    def short_step(self, oracles, s) -> float:
        """min{gap/(L_full‖v − x‖²), 1}, with the distance on the entries that F reads."""
        gap = inner(s.estimate, s.x) - inner(s.estimate, s.atom)
        curvature = oracles.constants["L_full"] * sq_distance(s.x, s.atom)
        return min(max(gap, 0.0) / curvature, 1.0) if curvature > 0 else 0.0


#: w by step rule from p, T, D and t.
RULES = {
    "length": lambda p, T, D, t: p / (T * D),
    "radius": lambda p, T, D, t: 2 * p / (T * D),
    "mass": lambda p, T, D, t: 1 / (T * p),
    "weight": lambda p, T, D, t: 1 / T,
    "share": lambda p, T, D, t: p / T,
    "open_loop": lambda p, T, D, t: 2 / (t + 2),
}
