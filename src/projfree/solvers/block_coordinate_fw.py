"""Block-coordinate Frank-Wolfe (Lacoste-Julien, Jaggi, Schmidt and Pletscher 2013, Algorithm 3)."""

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from ..common.parameters import checked
from ..linalg.atoms import as_array
from .frank_wolfe import towards_minimiser
from .inner import line_steps


@dataclass
class State(line_steps.State):
    """x_k, and the blocks found without a gap since the last move."""

    done: np.ndarray = field(default_factory=lambda: np.zeros(0, bool))


@checked
@dataclass(frozen=True)
class Solver(line_steps.Settings):
    """Linear minimisation over one part of a `product` a step, which moves that piece: x_i + γ(v_i − x_i).

    Any other set is a single block.

    Attributes
    ----------
    order : {"random", "cyclic"}
        Order of the blocks.
    """

    order: Literal["random", "cyclic"] = "random"

    def start(self, oracles, rng):
        """The problem's start."""
        s, parts = super().start(oracles, rng), getattr(oracles.constraint, "parts", (None,))
        return State(s.active, s.L, done=np.zeros(len(parts), bool))

    def step(self, oracles, s, rng):
        """One step of one block: 1 FO, 1 LO of the block's set."""
        blocks = s.done.size
        i = int(rng.integers(blocks)) if self.order == "random" else s.k % blocks
        gradient = oracles.gradient(s.active.x)
        v, s.gap = self.vertex(oracles, gradient, s, i)
        s.k += 1
        s.done[i] = s.gap <= 0
        s.converged = bool(s.done.all())
        if s.done[i]:
            return s
        self.go(oracles, s, v)
        s.done[:] = False
        return s

    def vertex(self, oracles, gradient, s, i):
        """x with piece i replaced by the best vertex, and the gap of that block."""
        x, product = s.active.x, oracles.constraint
        if not hasattr(product, "parts"):
            s.atom, gap = towards_minimiser(oracles, gradient, x, s.atom)
            return as_array(s.atom), gap
        (part, G), (_, piece) = product.pieces(as_array(gradient))[i], product.pieces(x)[i]
        v, gap = towards_minimiser(Part(oracles, part), G, piece, None)
        y, end = x.copy(), int(product.ends[i])
        y.ravel()[end - G.size : end] = as_array(v).ravel()
        return y, gap


@dataclass
class Part:
    """The linear minimisation of one part of a product."""

    oracles: object
    part: object

    def lmo(self, G, start=None, tol=None):
        """argmin over the part of ⟨G, v⟩: one LO, and its products with G as matvec."""
        tol = self.oracles.lmo_tol if tol is None else tol
        v, _ = self.oracles.count_lo(lambda: (self.part.lmo(G, rng=self.oracles.rng, tol=tol), 1))
        self.oracles.counts["matvec"] += getattr(v, "matvecs", 0)
        return v
