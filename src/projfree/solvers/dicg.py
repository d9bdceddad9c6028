"""Decomposition-invariant conditional gradients (Garber and Meshi 2016).

For polytopes that are an affine space with lower and upper limits. The entries at a limit determine the face
of a point, so the away vertex needs no active set, and the method stores one point only.
"""

from dataclasses import dataclass

import numpy as np

from ..common.parameters import checked
from ..linalg.atoms import as_array
from .frank_wolfe import towards_minimiser
from .inner import line_steps

State = line_steps.State

#: Set → its lower and upper limits: it is an affine space between them, with the entries of vertices at one.
LIMITS = {
    "simplex": lambda part: (0.0, part.total),
    "hypersimplex": lambda part: (0.0, part.radius),
    "birkhoff": lambda part: (0.0, 1.0),
    "box": lambda part: part.limits,
    "linf_ball": lambda part: (-part.radius, part.radius),
}


@checked
@dataclass(frozen=True)
class Solver(line_steps.Settings):
    """x + γ(v − a), with the best vertex v of the set and the worst vertex a of the face of x.

    For `simplex`, `hypersimplex`, `birkhoff`, `box`, `linf_ball`, and a `product` of these.
    """

    needs = ("is_polytope",)

    def start(self, oracles, rng):
        """The problem's start; its face follows from the limits."""
        s = super().start(oracles, rng)
        limits(oracles.constraint, s.active.x)  # says if the set is not of that kind
        return s

    def step(self, oracles, s, rng):
        """One step: 1 FO, 2 LO."""
        x, gradient = s.active.x, as_array(oracles.gradient(s.active.x))
        v, s.gap = towards_minimiser(oracles, gradient, x, None)
        s.k, s.converged = s.k + 1, s.gap <= 0
        if s.converged:
            return s
        low, high = limits(oracles.constraint, x)
        d = v - in_face(oracles, gradient, x, low, high)
        longest, slope = reach(x, d, low, high), -float(np.vdot(gradient, d))

        def point(gamma):
            return np.clip(x + gamma * d, low, high)

        if longest > 0.0 and slope > 0.0:
            s.active.x = point(self.length(oracles, s, point, d, slope, longest))
        return s


def limits(constraint, x):
    """Lower and upper limits of the entries of x.

    Raises
    ------
    ValueError
        For a set without limits, or with other inequalities too.
    """
    if hasattr(constraint, "parts"):
        pairs = [limits(part, piece) for part, piece in constraint.pieces(x)]
        both = zip(*pairs, strict=True)
        return tuple(np.concatenate([side.ravel() for side in sides]).reshape(x.shape) for sides in both)
    name = type(constraint).__module__.rpartition(".")[2]
    if name not in LIMITS:
        known = ", ".join([*LIMITS, "product"])
        raise ValueError(f"dicg needs a set whose faces are known by limits of entries: {known}; not {name}")
    return tuple(np.broadcast_to(np.asarray(side, float), x.shape) for side in LIMITS[name](constraint))


def in_face(oracles, gradient, x, low, high):
    """argmax ⟨∇F, a⟩ over the vertices of the least face of x: 1 LO, by costs that fix entries at limits."""
    keep = 2.0 * (1.0 + x.size) * np.abs(gradient).max()
    fixed = np.where(x <= low, keep, 0.0) - np.where(x >= high, keep, 0.0)
    return as_array(oracles.lmo(np.where(low < high, fixed - gradient, 0.0), tol=0.0))


def reach(x, d, low, high) -> float:
    """The longest γ with low ≤ x + γd ≤ high."""
    room = np.where(d > 0.0, high - x, x - low)
    moves = d != 0.0
    return float(np.min(room[moves] / np.abs(d[moves]))) if moves.any() else 0.0
