"""The Euclidean ball {x : ‖x‖ ≤ R} of vectors (or of matrices, with the Frobenius norm)."""

from dataclasses import dataclass

import numpy as np

from ..common.names import unknown
from ..common.parameters import NotNegative, checked
from ..linalg.projections import norm_l2, of_length, project_l2
from ..linalg.validation import array, entries
from ._base import Ball


@checked
@dataclass(frozen=True)
class Set(Ball):
    """Vectors of norm at most `radius`."""

    radius: NotNegative

    def support(self, G) -> float:
        """max_{x in set} ⟨G, x⟩ = R ‖G‖."""
        return self.radius * self.gauge(array("l2_ball: G", G))

    def gauge(self, x) -> float:
        """‖x‖."""
        return norm_l2(entries("l2_ball: x", x))

    def lmo(self, G, *, start=None, rng=None, tol=0.0) -> np.ndarray:
        """argmin_{x in set} ⟨G, x⟩ = −R G/‖G‖, or zero for G = 0. Exact, whatever the options."""
        return of_length(array("l2_ball: G", G), -self.radius)

    def project(self, x, method="full") -> np.ndarray:
        """Nearest point of the set to x; x itself when inside."""
        if method != "full":
            raise ValueError(unknown("projection method", method, ["full"], "l2_ball"))
        return project_l2(array("l2_ball: x", x), self.radius)
