"""Non-convex conditional gradient sliding, batch setting.

Qu, Li, Xu (2018), Algorithm 2 and Theorem 1: the accelerated gradient method of Ghadimi and Lan, with `condg`
instead of each projection.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from ..common.parameters import Count, NotNegative, checked
from ..families import constrained, strongly_convex
from ..linalg.atoms import Atom
from ..linalg.dense import blend
from .inner.condg import StopRule, condg


@dataclass
class State:
    """One matrix for each symbol of Algorithm 2."""

    theta: np.ndarray  # θ_k
    theta_ag: np.ndarray  # θ_k^ag, what Algorithm 2 returns
    theta_md: np.ndarray  # θ_k^md, where the gradient was taken
    k: int = 0
    gap: float = np.inf  # last Frank-Wolfe gap of the first condg
    atom: Atom | None = None  # warm start of the next linear minimisation
    converged: bool = False
    output: str = "theta_ag"

    @property
    def iterate(self):
        """θ_k^ag, or the iterate that `output` names."""
        return getattr(self, self.output)


@checked
@dataclass(frozen=True)
class Solver:
    """NCGS with α_k = 2/(k+1), β = 1/(2L) and λ_k by the option.

    Attributes
    ----------
    option : {"I", "II", "I-momentum", "II-exact"}
        ``I``: λ_k = β, θ^ag by one gradient-mapping step from θ^md. ``II``: λ_k = kβ/2, θ^ag by a second
        condg. ``I-momentum``: option I with Ghadimi and Lan's λ_k = (1 + α_k/4)β, which keeps the momentum.
        ``II-exact``: option II with exact projections instead of condg.
    rule, eta, ratio, max_lo, horizon
        Stopping rule of condg, see `StopRule`; the horizon is the N of η = 1/N.
    smoothness : str
        Name of the problem's constant to use as L.
    output : {"theta_ag", "theta_md"}
        Iterate that is returned and measured (U4).
    """

    families = (constrained.FAMILY, strongly_convex.FAMILY)
    option: Literal["I", "II", "I-momentum", "II-exact"] = "II"
    rule: Literal["capped", "theorem", "relative"] = "capped"
    eta: NotNegative | None = None
    ratio: NotNegative = 0.1
    max_lo: Count = 5
    horizon: Count = 100
    smoothness: str = "L_full"
    output: Literal["theta_ag", "theta_md"] = "theta_ag"

    def __post_init__(self):
        self.stop_rule  # noqa: B018 - what it refuses is an error now

    @cached_property
    def stop_rule(self):
        """The rule that both condg calls follow."""
        return StopRule(self.rule, self.eta, self.ratio, self.max_lo, self.horizon)

    def start(self, oracles, rng):
        """θ_0^ag = θ_0 = 0."""
        zero = oracles.start()
        return State(zero, zero.copy(), zero.copy(), output=self.output)

    def step(self, oracles, s, rng):
        """One pass of the loop of Algorithm 2."""
        k = s.k + 1
        alpha = 2 / (k + 1)
        beta = 1 / (2 * oracles.constants[self.smoothness])
        lam = self.prox_step(k, alpha, beta)
        theta_md = blend(s.theta_ag, s.theta, alpha)
        gradient = self.gradient(oracles, theta_md, k, rng)
        if self.stationary(gradient) or oracles.constraint.diameter == 0:
            s.k, s.converged = k, True
            return s
        theta, gap, atom = self.prox(oracles, gradient, s.theta, lam, s.atom)
        if self.option.startswith("II"):
            theta_ag, _, atom = self.prox(oracles, gradient, theta_md, beta, atom)
        else:
            theta_ag = theta_md - beta * (s.theta - theta) / lam
        return State(theta, theta_ag, theta_md, k, gap, atom, output=self.output)

    def prox_step(self, k, alpha, beta):
        """λ_k of the option."""
        return {"I": beta, "I-momentum": (1 + alpha / 4) * beta}.get(self.option, k * beta / 2)

    def gradient(self, oracles, theta_md, k, rng):
        """∇F(θ_k^md)."""
        return oracles.gradient(theta_md)

    def stationary(self, gradient) -> bool:
        """Whether θ_k^md is stationary for every set."""
        return not gradient.any()

    def prox(self, oracles, gradient, u, gamma, atom):
        """ψ(u, gradient, γ), by condg or exactly: the point, its Frank-Wolfe gap, the last atom."""
        if self.option == "II-exact":
            return oracles.project(u - gamma * gradient, method="gram"), 0.0, None
        inner = condg(oracles, gradient, u, gamma, self.stop_rule, start=atom)
        return inner.x, inner.gap, inner.atom
