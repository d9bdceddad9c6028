"""The Euclidean ball {x : ‖x‖ ≤ R} of vectors (or of matrices, with the Frobenius norm)."""

from dataclasses import dataclass

import numpy as np

from ..common.parameters import NotNegative, checked
from ..linalg.projections import norm_l2, of_length, project_l2
from ..linalg.validation import array
from ._base import Ball


@checked
@dataclass(frozen=True)
class Set(Ball):
    """Vectors of norm at most `radius`."""

    radius: NotNegative

    def _support(self, G):
        return self.radius * norm_l2(G)

    def _gauge(self, x):
        return norm_l2(x)

    def lmo(self, G, *, start=None, rng=None, tol=0.0) -> np.ndarray:
        """argmin_{x in set} ⟨G, x⟩ = −R G/‖G‖, or zero for G = 0. Exact, whatever the options."""
        return of_length(array("l2_ball: G", G), -self.radius)

    def _project(self, x):
        return project_l2(x, self.radius)
