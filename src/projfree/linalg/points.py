"""Iterates that carry their image under the problem's linear map, so that combinations need no product."""

from dataclasses import dataclass

import numpy as np

from projfree.linalg.factored import Factored
from projfree.linalg.low_rank import LowRankPlusSparse


@dataclass
class VectorPoint:
    """x (N,) with its image Xx (l,)."""

    array: np.ndarray
    image: np.ndarray

    @property
    def shape(self) -> tuple[int, ...]:
        return self.array.shape

    @staticmethod
    def combine(weights, points) -> "VectorPoint":
        """Σ w_i x_i, its image by the same combination."""
        array = sum(w * x.array for w, x in zip(weights, points, strict=True))
        return VectorPoint(array, sum(w * x.image for w, x in zip(weights, points, strict=True)))

    def sq_distance(self, other) -> float:
        """‖x − y‖²."""
        return float(np.sum((self.array - other.array) ** 2))

    def forward(self, gradient, gamma: float) -> np.ndarray:
        return self.array - gamma * gradient


@dataclass
class FactorPoint(Factored):
    """X = U Vᵀ with U (m, k), V (n, k), and its image: the values (|Ω|,) at the observed positions."""

    U: np.ndarray
    V: np.ndarray
    image: np.ndarray

    @staticmethod
    def combine(weights, points) -> "FactorPoint":
        """Σ w_i X_i as side-by-side factors; what has weight 0 is left out."""
        pairs = [(w, x) for w, x in zip(weights, points, strict=True) if w]
        if len(pairs) == 1 and pairs[0][0] == 1:
            return pairs[0][1]
        return FactorPoint(
            np.concatenate([w * x.U for w, x in pairs], axis=1),
            np.concatenate([x.V for _, x in pairs], axis=1),
            sum(w * x.image for w, x in pairs),
        )

    def sq_distance(self, other) -> float:
        """‖X − Y‖_F² from Gram matrices of the factors."""
        return max(0.0, _inner(self, self) - 2 * _inner(self, other) + _inner(other, other))

    def forward(self, gradient, gamma: float) -> LowRankPlusSparse:
        """X − γ·gradient for a sparse gradient, never formed."""
        return LowRankPlusSparse(self.U, self.V, gradient.scaled(-gamma))


def _inner(a, b) -> float:
    return float(np.sum((a.U.T @ b.U) * (a.V.T @ b.V)))
