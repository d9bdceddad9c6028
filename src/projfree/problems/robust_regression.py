"""Robust linear regression with the correntropy loss (ipg eqs. 9 and 12), the smooth part of a composite."""

from functools import cached_property

import numpy as np

from .. import losses
from ..common.parameters import checked
from ..families import composite
from ..linalg.points import VectorPoint
from ..linalg.tall import triangular_factor
from ..linalg.validation import real
from ..penalties import oscar, trace_lasso
from ._smoothness import sq_norm_bound


class Problem:
    """F(x) = g(x) = Σ_i φ(X_iᵀx − b_i), a sum; COR(σ) is non-convex as soon as some ``|residual| > σ/√2``.

    A point is a `VectorPoint`, whose image is Xx: combinations of points need no product with X.

    Parameters
    ----------
    arrays : dict
        ``features`` (l, N) float64, ``targets`` (l,).
    loss : str
        A residual loss of `losses`.
    loss_params
        Parameters of the loss, for example ``sigma``.
    """

    family = composite.FAMILY

    @checked
    def __init__(self, arrays, *, loss: str = "cor", constants=None, **loss_params):
        self.features = np.ascontiguousarray(real("features", arrays["features"]))
        self.targets = real("targets", arrays["targets"])
        _validate(self.features, self.targets)
        self.loss = losses.make(loss, **loss_params)
        self.n = self.targets.size
        self.shape = (self.features.shape[1],)
        self.constants = constants or self._constants()

    @property
    def metrics(self):
        return {"outliers": self.outliers}

    @classmethod
    def small(cls, rng):
        """Small instances, one with each penalty for vectors, for compiling kernels and for contract
        tests.
        """
        for penalty in (oscar, trace_lasso):
            features = rng.standard_normal((40, 7))
            targets = features @ np.repeat([1.0, 0.0], [3, 4]) + 0.1 * rng.standard_normal(40)
            targets[:3] += 15.0
            problem = cls({"features": features, "targets": targets}, sigma=2.0)
            problem.small_constraint = penalty.Penalty.for_problem(problem)
            yield problem

    def _constants(self):
        """L = sup|φ''|·‖X‖² (tight at residual 0), an upper bound as that of ‖X‖² is."""
        largest = sq_norm_bound(self.features)
        slopes = self.loss.slope(np.zeros(self.n), self.targets)
        sup = max(self.loss.sup_curvature, -self.loss.inf_curvature)
        return {
            "L_full": sup * largest,
            "l_lower": max(0.0, -self.loss.inf_curvature) * largest,
            "largest_slope": float(np.max(np.abs(self.features.T @ slopes))),
        }

    @cached_property
    def triangular_factor(self):
        """R of X = QR, which replaces X in penalties of Xdiag(x)."""
        return triangular_factor(self.features)

    def start(self, kind="array"):
        """Zero, with its image."""
        return VectorPoint(np.zeros(self.shape), np.zeros(self.n))

    def point(self, array) -> VectorPoint:
        """The point of an array (N,), with its image."""
        return VectorPoint(array, self.features @ array)

    def value(self, point) -> float:
        """g(x); the slopes, which come with it, are kept for the gradient."""
        values, point.slopes = self.loss.value_slope(point.image, self.targets)
        return float(np.sum(values))

    def gradient(self, point) -> np.ndarray:
        """∇g(x) = Xᵀφ'(Xx − b)."""
        if not hasattr(point, "slopes"):
            self.value(point)  # the same bits whether or not the value was asked for before
        return point.slopes @ self.features

    def raw(self, point) -> np.ndarray:
        return point.array

    def outliers(self, point) -> int:
        """Rows in the non-convex part of the loss: φ'' < 0."""
        return int(np.sum(self.loss.curvature(point.image, self.targets) < 0))


def _validate(features, targets):
    if features.ndim != 2 or features.shape[0] == 0 or targets.shape != features.shape[:1]:
        raise ValueError(f"features {features.shape} and targets {targets.shape} do not fit")
    if not np.isfinite(targets).all():
        raise ValueError(f"target {int(np.argmin(np.isfinite(targets)))} is not finite")
    for first in range(0, len(features), 100_000):
        bad = np.flatnonzero(~np.isfinite(features[first : first + 100_000].sum(axis=1)))
        if bad.size:
            raise ValueError(f"row {first + bad[0]} of the features is not finite")
