"""SLOPE: Σ_j w_j |x|_(j) with weights of your own, a sorted-ℓ1 norm (Bogdan et al. 2015)."""

from dataclasses import dataclass

import numpy as np

from ..common.parameters import checked
from ..linalg.validation import vector
from . import oscar


@checked
@dataclass(frozen=True)
class Penalty(oscar.Penalty):
    """``h(x) = Σ_j w_j |x|_(j)``, ``|x|_(j)`` the j-th largest absolute value, as `oscar` has it."""

    @classmethod
    @checked
    def for_problem(cls, problem, weights: list | np.ndarray):
        """One weight an entry: not negative, and none larger than the one before."""
        return cls(vector("slope: weights", weights, problem.shape[0]))
