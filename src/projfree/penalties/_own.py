"""A penalty of the user's own, an object with `value`, and `prox` or `polar`, as methods use it."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..families import composite, regularised
from ..linalg.scaling import rounding
from ..linalg.validation import array, positive, real
from .polar import Polar
from .prox import Prox


@dataclass(frozen=True, eq=False)
class ByProx:
    """h of arrays, with ``prox(p, gamma)`` = argmin h(x) + ‖x − p‖²/(2γ), an array or a `Prox`."""

    own: Any
    family = composite.FAMILY
    reference = "full"

    @property
    def convex(self) -> bool:
        """Whether h is convex: so it is unless it says otherwise."""
        return bool(getattr(self.own, "convex", True))

    def value(self, x) -> float:
        """h(x)."""
        return float(real("the penalty's value", self.own.value(x.copy())))

    def prox(self, p, gamma, *, method="full", tol=0.0, warm=None, rng=None) -> Prox:
        """The proximal point; ValueError if it is worse than p itself, so that it cannot be one."""
        p, gamma = array("p", p), positive("gamma", gamma)
        answer: Any = self.own.prox(p.copy(), gamma)
        x = answer.x if isinstance(answer, Prox) else array("the penalty's prox", answer)
        if x.shape != p.shape:
            raise ValueError(f"the penalty's prox has shape {x.shape}, p {p.shape}")
        point = answer if isinstance(answer, Prox) else Prox(x, self.value(x))
        square, before = float(np.sum((x - p) ** 2)) / (2 * gamma), self.value(p)
        if point.value + square > before + point.gap + rounding(p.size, before, square):
            raise ValueError(
                "the penalty's prox is no minimiser of h(x) + ‖x − p‖²/(2γ): "
                f"p itself gives {before:.6g}, its answer {point.value + square:.6g}"
            )
        return point

    def metrics(self, problem) -> dict:
        """None of its own."""
        return {}


@dataclass(frozen=True, eq=False)
class ByPolar:
    """A norm h of matrices, with ``polar(G)`` = (u, v), h(u vᵀ) ≤ 1 of the largest ⟨u vᵀ, G⟩ = h°(G).

    A polar that is not exact returns (u, v, bound), with an upper bound of h°(G).
    """

    own: Any
    family = regularised.FAMILY
    weight = 1.0

    def value(self, U, V) -> float:
        """h(U Vᵀ)."""
        return float(real("the penalty's value", self.own.value(U @ V.T)))

    bound = value  # ρ, where the factors tell nothing

    def polar(self, G, *, start=None, rng=None, tol=1e-3) -> Polar:
        """The atom, and what it shows."""
        G = array("G", G)
        u, v, *bound = self.own.polar(G.copy())
        u, v = array("the polar's u", u), array("the polar's v", v)
        if (u.size, v.size) != G.shape or u.ndim != 1 or v.ndim != 1:
            raise ValueError(f"the polar's atom has sides {u.shape} and {v.shape}, G {G.shape}")
        value = float(u @ G @ v)
        return Polar(u, v, value, float(bound[0]) if bound else value)


def form(penalty):
    """`ByProx` or `ByPolar` for an object that is neither a set nor a penalty of ours; others as they are."""
    plain = hasattr(penalty, "value") and not hasattr(penalty, "family")
    if plain and hasattr(penalty, "polar"):
        return ByPolar(penalty)
    return ByProx(penalty) if plain and hasattr(penalty, "prox") else penalty
