"""Frank-Wolfe for non-convex problems.

Lacoste-Julien (2016), Algorithm 1, with the step min{gap/C, 1}, C = L D²; and the stronger versions of this
baseline: short step, line search, 2/(k+2).
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..common.parameters import checked
from ..families import constrained, strongly_convex
from ..linalg.atoms import Atom, inner
from ..linalg.golden_section import shrink
from .inner.condg import ASKS, EXACT
from .inner.steps import AtX


@dataclass
class State(AtX):
    """x_k and the last atom."""

    x: object  # array, or a sum of atoms
    k: int = 0
    gap: float = np.inf  # Frank-Wolfe gap at x_{k-1}
    square: float = 0.0  # ‖x_k‖² (kept by the short step only)
    atom: Atom | None = None  # warm start of the next linear minimisation
    converged: bool = False


@checked
@dataclass(frozen=True)
class Solver:
    """x_{k+1} = x_k + γ_k (v_k − x_k), with the vertex v_k of the linear minimisation oracle.

    Attributes
    ----------
    step_rule : {"gap", "short", "line_search", "open_loop"}
        ``gap``: min{gap/(L D²), 1}. ``short``: min{gap/(L‖v − x‖²), 1}. ``line_search``: golden section on
        [0, 1]. ``open_loop``: 2/(k+2).
    smoothness : str
        Name of the problem's constant to use as L.
    """

    families = (constrained.FAMILY, strongly_convex.FAMILY)
    step_rule: Literal["gap", "short", "line_search", "open_loop"] = "gap"
    smoothness: str = "L_full"

    def start(self, oracles, rng):
        """The problem's start; a sum of atoms starts at zero."""
        x = oracles.start("atoms")
        return State(x, square=inner(x, x))

    def step(self, oracles, s, rng):
        """One Frank-Wolfe step: 1 FO, 1 LO."""
        gradient = oracles.gradient(s.x)
        v, gap = towards_minimiser(oracles, gradient, s.x, s.atom)
        s.k, s.gap, s.atom = s.k + 1, gap, v
        if gap <= 0:
            s.converged = True
            return s
        gamma = self.step_length(oracles, s, v)
        if oracles.toward(s.x, v, gamma) < gamma:
            s.square = inner(s.x, s.x)
        return s

    def step_length(self, oracles, s, v):
        if self.step_rule == "open_loop":
            return 2 / (s.k + 1)
        if self.step_rule == "line_search":
            return line_search(oracles.line(s.x, v))
        L = oracles.constants[self.smoothness]
        if self.step_rule == "short":
            return self.short_step(s, v, L)
        return min(s.gap / (L * oracles.constraint.diameter**2), 1.0)

    def short_step(self, s, v, L):
        """min{gap/(L‖v − x‖²), 1}; ‖x‖² is updated by a recursion, because x may be a long sum of atoms."""
        product, sq_norm = inner(v, s.x), v.sq_norm if isinstance(v, Atom) else inner(v, v)
        distance = sq_norm - 2 * product + s.square  # ≤ 0 by rounding where x is the atom itself
        gamma = min(s.gap / (L * distance), 1.0) if distance > 0 else 1.0
        s.square = (1 - gamma) ** 2 * s.square + 2 * gamma * (1 - gamma) * product + gamma**2 * sq_norm
        return gamma


def towards_minimiser(oracles, gradient, x, start):
    """The oracle's vertex v and the gap ⟨∇F(x), x − v⟩; a gap that is not positive is computed more exactly.

    A vertex given as an array is exact.
    """
    v = oracles.lmo(gradient, start=start)
    along = inner(gradient, x)
    gap = along - inner(gradient, v)
    for _ in range(ASKS):
        if gap > 0 or not getattr(v, "residual", 0.0) > EXACT:
            break
        v = oracles.lmo(gradient, tol=max(EXACT, 0.01 * v.residual))
        gap = along - inner(gradient, v)
    return v, gap


def line_search(f):
    """The better of the end points and a local minimiser of f on [0, 1], to 1e-4."""
    (low, high), *_ = shrink(f, 0.0, 1.0, steps=20)
    return min((f(gamma), gamma) for gamma in (0.0, (low + high) / 2, 1.0))[1]
