"""Frank-Wolfe on a gradient estimate (Reddi, Sra, Póczos, Smola 2016).

It is SFW with SG, SVFW with SVRG, SVFW-S with SVRG from sampled anchors, and SAGAFW-S with SAGA.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import ceil
from typing import Literal

import numpy as np

from ..common import parameters
from ..common.parameters import Count, Fraction, Natural, checked
from ..families import constrained
from ..linalg.atoms import Atom
from . import estimators
from .inner.random_output import redrawn
from .inner.steps import theory_step


@dataclass
class State:
    """x_k, and the memory of the estimator."""

    x: np.ndarray
    gamma: float  # constant step length
    k: int = 0
    memory: object = None  # of the estimator
    atom: Atom | None = None  # warm start of the next linear minimisation
    converged: bool = False
    drawn: np.ndarray | None = None  # x_α, where that is returned

    @property
    def iterate(self):
        """x_k, or a random one (U4)."""
        return self.x if self.drawn is None else self.drawn


@checked
@dataclass(frozen=True)
class Solver:
    """x_{k+1} = x_k + γ (LO(v_k) − x_k), with the estimate v_k of ∇F(x_k).

    Attributes
    ----------
    estimator : {"sg", "svrg", "sampled_svrg", "saga"}
        Module of `estimators` that computes v_k.
    horizon : int
        T, the number of steps for which the theory sets its parameters.
    gamma : float or None
        Constant step length; None is the theory's √(2 F(x_0)/(c T L D²)), c = 1 for SG and 3 for the others.
    open_loop : bool
        Use γ_k = 2/(k+2) instead.
    batch, epoch : int or None
        b and m of the estimator; None is the theory's, see `SIZES` and the estimators.
    batch_power : float
        For SAGA b = ⌈T^power⌉: 1/3 as the stated order needs, 2/3 as our argument supports (U11).
    smoothness : str
        Name of the problem's constant to use as L.
    random_output : bool
        Return x_α with α uniform on the steps so far, as the theorem does.
    """

    families = (constrained.FAMILY,)
    estimator: Literal[*SIZES] = "svrg"  # type: ignore[valid-type]
    horizon: Count = 100
    gamma: Fraction | None = None
    open_loop: bool = False
    batch: Count | None = None
    epoch: Natural | None = None
    batch_power: float = 1 / 3
    smoothness: str = "L_full"
    random_output: bool = False

    def start(self, oracles, rng):
        """x_0, and the initial memory of an estimator that needs one."""
        x, estimator = oracles.start(), self.sampler
        memory = estimator.start(oracles, x, rng) if hasattr(estimator, "start") else None
        factor = 1 if self.estimator == "sg" else 3
        gamma = self.gamma or theory_step(oracles, x, self.smoothness, self.horizon, factor)
        return State(x, gamma, memory=memory)

    def step(self, oracles, s, rng):
        """One step: the estimator's oracle calls, 1 LO."""
        v, s.memory = self.sampler.update(oracles, s.memory, s.x, rng)
        if oracles.constraint.diameter == 0 or estimators.stationary(v, s.memory):
            s.converged = True
            return s
        s.atom = oracles.lmo(v, start=s.atom)
        oracles.toward(s.x, s.atom, 2 / (s.k + 2) if self.open_loop else s.gamma)
        s.k += 1
        if self.random_output:
            s.drawn = redrawn(s.drawn, s.x, oracles.rng, s.k)
        return s

    @cached_property
    def sampler(self):
        given = {"batch": self.batch, "epoch": self.epoch}
        sizes = SIZES[self.estimator](self) | {name: size for name, size in given.items() if size is not None}
        return parameters.make(estimators.__name__, "Estimator", {"name": self.estimator, **sizes})


#: What the theory gives each estimator for T steps, where it is not the estimator's own default.
SIZES = {
    "sg": lambda s: {"batch": s.horizon},
    "svrg": lambda s: {"draw_at_anchor": True},
    "sampled_svrg": lambda s: {"anchor_batch": s.horizon},
    "saga": lambda s: {"batch": ceil(round(s.horizon**s.batch_power, 9)), "pool": s.horizon},
}
