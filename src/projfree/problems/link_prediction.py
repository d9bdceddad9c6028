"""Social link prediction: half the logistic loss on the known signs of a huge matrix (ipg eq. 11)."""

import numpy as np

from .. import losses
from ..families import composite
from ..linalg.points import FactorPoint
from ..linalg.sampled import Pattern, SparseOnPattern, sampled_product
from ..linalg.validation import real
from ..penalties import rank
from ._logistic_kernels import half_logistic


class Problem:
    """F(X) = g(X) = ½ Σ_{(i,j)∈Ω} log(1 + exp(−X_ij M_ij)), a convex sum; the penalty bounds the rank of X.

    A point is a `FactorPoint`, X = U Vᵀ with its values on Ω; gradients live on Ω. No m × n array is formed.

    Parameters
    ----------
    arrays : dict
        ``rows, cols`` (n,) of Ω, ``values`` (n,) signs ±1, ``shape`` (2,); and ``test_rows, test_cols,
        test_values`` of held-out links, if any.
    """

    family = composite.FAMILY

    def __init__(self, arrays, *, constants=None):
        self.shape = tuple(int(side) for side in arrays["shape"])
        self.pattern = Pattern(arrays["rows"], arrays["cols"], self.shape)
        self.signs = real("values", arrays["values"])[self.pattern.order]
        _check_signs(self.signs)
        self.loss = losses.make("logh")
        self.n = self.signs.size
        self.test = None
        if len(arrays.get("test_rows", ())):
            held_out = Pattern(arrays["test_rows"], arrays["test_cols"], self.shape)
            self.test = held_out, real("test_values", arrays["test_values"])[held_out.order]
            _check_signs(self.test[1])
        self.constants = constants or {"L_full": self.loss.sup_curvature, "l_lower": 0.0}

    @property
    def metrics(self):
        return (
            {"auc_test": self.auc_test, "average_precision_test": self.average_precision_test}
            if self.test
            else {}
        )

    @classmethod
    def small(cls, rng):
        """A small instance of planted signs, for compiling kernels and for contract tests."""
        shape = (12, 10)
        rows, cols = np.nonzero(rng.random(shape) < 0.6)
        signs = np.sign(rng.standard_normal((12, 1)) @ rng.standard_normal((1, 10)))[rows, cols]
        problem = cls({"rows": rows, "cols": cols, "values": signs, "shape": shape})
        problem.small_constraint = rank.Penalty(2)
        yield problem

    def start(self, kind="array"):
        """Zero: factors without columns."""
        return FactorPoint(np.zeros((self.shape[0], 0)), np.zeros((self.shape[1], 0)), np.zeros(self.n))

    def point(self, factors) -> FactorPoint:
        """The point U Vᵀ, with its values on Ω."""
        U, V = (np.ascontiguousarray(side) for side in factors)  # as a checkpoint restores them
        return FactorPoint(U, V, sampled_product(self.pattern, U, V))

    def value(self, point) -> float:
        """g(X); the slopes, which come with it, are kept for the gradient."""
        total, point.slopes = half_logistic(point.image, self.signs)
        return total

    def gradient(self, point) -> SparseOnPattern:
        """∇g(X), −½ M_ij/(1 + exp(X_ij M_ij)) on Ω."""
        if not hasattr(point, "slopes"):
            self.value(point)
        return SparseOnPattern(self.pattern, point.slopes)

    def raw(self, point):
        return point.U, point.V

    def auc_test(self, point) -> float:
        """Area under the ROC curve of the held-out links."""
        from sklearn.metrics import roc_auc_score

        return float(roc_auc_score(*self._held_out(point)))

    def average_precision_test(self, point) -> float:
        """Average precision of finding the negative ones among the held-out links, the rarer sign."""
        from sklearn.metrics import average_precision_score

        positive, scores = self._held_out(point)
        return float(average_precision_score(~positive, -scores))

    def _held_out(self, point):
        held_out, signs = self.test
        return signs > 0, sampled_product(held_out, point.U, point.V)


def _check_signs(signs):
    bad = np.flatnonzero(np.abs(signs) != 1)
    if bad.size:
        raise ValueError(f"entry {bad[0]} is {signs[bad[0]]}; links are +1 or -1")
