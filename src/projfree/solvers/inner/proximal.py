"""Common parts of the proximal gradient methods: one trial step, its error and its bookkeeping."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...common.parameters import Count, NotNegative, Positive
from ...families import composite

#: How many times as long as in theory the first step of a backtracking search is.
FIRST = 1024
HALVINGS = 100  # of one search: then the step is rounding of its anchor


@dataclass
class State:
    """x_k and f(x_k), what certifies them, and the warm starts of the proximal points."""

    x: object  # x_k, a point with its image
    f: float  # f(x_k)
    gamma: float
    first: float  # f(x_0), the unit of the errors
    k: int = 0  # passes done
    anchor: object = None  # the point from which x_k was made: x_{k−1} or y
    gap: float = math.nan  # certified error of the prox that made x_k
    tolerance: float = math.nan  # ε of that prox
    warm_v: np.ndarray | None = None
    warm_z: np.ndarray | None = None
    noise: float = 0.0  # norm of the planted error of gradients
    converged: bool = False

    @property
    def iterate(self):
        return self.x


@dataclass
class Trial:
    """A proximal gradient step from `anchor`, with f there and the certificate of its prox."""

    x: object
    f: float
    gap: float
    tolerance: float
    anchor: object
    gamma: float


@dataclass(frozen=True)
class Settings:
    """Parameters that all proximal gradient methods have.

    Attributes
    ----------
    prox : dict or None
        How the penalty computes its proximal points: ``method`` and its options. None is the penalty's exact
        (or certified) reference. Exact and inexact methods differ in this only.
    step_factor : float
        γ = step_factor/L; at 1 or more (outside the theory) `long_step` must say so.
    long_step : bool
        Allow γ ≥ 1/L.
    backtracking : bool
        γ is 1024·step_factor/L at first, that of x_k later, and halved until g(x⁺) ≤ g(y) + ⟨∇g(y), x⁺ − y⟩ +
        ‖x⁺ − y‖²/(2γ): one more PO a halving (deviation U1).
    error_scale, error_power : float
        ε_k = error_scale · f(x_0) · k^(−error_power), what an inexact prox may miss (deviation U2).
    error_share : float or None
        Instead ε_k = error_share · ‖x⁺ − anchor‖² (Theorem 3's α).
    gradient_error : float
        Norm of a random error planted in each gradient, in units of the first gradient's.
    start_noise : float
        x_0 ~ N(0, start_noise/N) instead of 0 (deviation U3).
    refresh : int
        Passes between two computations of the image of x_k from scratch.
    """

    prox: dict | None = None
    step_factor: Positive = 0.99
    long_step: bool = False
    backtracking: bool = False
    error_scale: NotNegative = 1e-3
    error_power: float = 3.0
    error_share: NotNegative | None = None
    gradient_error: NotNegative = 0.0
    start_noise: NotNegative = 0.0
    refresh: Count = 100

    families = (composite.FAMILY,)

    def __post_init__(self):
        if self.step_factor >= 1 and not self.long_step:
            raise ValueError(
                f"γ = {self.step_factor}/L is outside the theory, γ < 1/L; set long_step to allow it"
            )

    def begin(self, oracles, rng, kind=State, **fields):
        """The state at x_0."""
        x = oracles.start()
        if self.start_noise:
            x = oracles.point(rng.standard_normal(x.shape) * math.sqrt(self.start_noise / x.shape[0]))
        f = oracles.value(x) + oracles.constraint.value(oracles.raw(x))
        gamma = (FIRST if self.backtracking else 1) * self.step_factor / oracles.constants["L_full"]
        s = kind(x, f, gamma, f, **fields)
        if self.gradient_error:
            s.noise = self.gradient_error * _norm(oracles.gradient(x))
        return s

    def tolerance(self, s, anchor):
        """ε_k, a number or a function of the new point."""
        if self.error_share is None:
            return self.error_scale * abs(s.first) * s.k**-self.error_power
        return lambda x: self.error_share * float(np.sum((x - anchor.array) ** 2))

    def trial(self, oracles, s, anchor, slot, rng) -> Trial:
        """Prox^ε(anchor − γ∇g(anchor)): 1 FO, 1 PO, one value; `slot` names the warm start."""
        gradient = oracles.gradient(anchor)
        if s.noise:
            gradient = _with_noise(gradient, s.noise, rng)
        allowed, gamma = self.tolerance(s, anchor), s.gamma
        for _ in range(HALVINGS):
            p = anchor.forward(gradient, gamma)
            result = oracles.prox(p, gamma, tol=allowed, warm=getattr(s, slot), **(self.prox or {}))
            setattr(s, slot, result.warm)
            x = oracles.point(result.x)
            smooth = oracles.value(x)
            if not self.backtracking or smooth <= _model(oracles, anchor, x, gamma):
                break
            gamma /= 2
        allowed = allowed(result.x) if callable(allowed) else allowed
        return Trial(x, smooth + result.value, result.gap, allowed, anchor, gamma)

    def trial_from_x(self, oracles, s, rng) -> Trial:
        """v_{k+1}: the trial from x_k itself."""
        v = self.trial(oracles, s, s.x, "warm_v", rng)
        oracles.tally.add(v_steps=1)
        oracles.tally.last(v_gap=v.gap)
        return v

    def accept(self, oracles, s, trial):
        """x_{k+1}."""
        tell(oracles.tally, s.f, trial)
        s.x, s.f, s.gap, s.tolerance, s.anchor = trial.x, trial.f, trial.gap, trial.tolerance, trial.anchor
        s.gamma = trial.gamma
        if s.k % self.refresh == 0:
            s.x = oracles.point(oracles.raw(s.x))
        return s


def tell(tally, f, trial):
    """By what the monotonicity of a method is judged: whether, and how far beyond its certificate, f rose."""
    certificate = tally.get("v_gap", 0.0)
    tally.add(
        increases=trial.f > f + 1e-12 * abs(f),
        increases_beyond=trial.f > f + trial.tolerance + 1e-12 * abs(f),
    )
    tally.most(rise=(trial.f - f - (0.0 if math.isnan(certificate) else certificate)) / (1 + abs(f)))


def _model(oracles, anchor, x, gamma) -> float:
    """What g(x) is at most for a γ ≤ 1/L, to rounding."""
    g = oracles.value(anchor)
    along = float(anchor.slopes @ (x.image - anchor.image))
    return g + along + x.sq_distance(anchor) / (2 * gamma) + 1e-12 * (1 + abs(g))


def _norm(gradient) -> float:
    return float(np.linalg.norm(getattr(gradient, "values", gradient)))


def _with_noise(gradient, size, rng):
    """The gradient plus a random direction of that norm."""
    if isinstance(gradient, np.ndarray):
        d = rng.standard_normal(gradient.shape)
        return gradient + d * (size / np.linalg.norm(d))
    d = rng.standard_normal(gradient.values.shape)
    return type(gradient)(gradient.pattern, gradient.values + d * (size / np.linalg.norm(d)))
