"""A low-rank matrix under outliers: a bounded loss over a nuclear-norm ball."""

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from ..api.minimize import minimize
from ..common.parameters import Count, NotNegative, Positive, check
from ..linalg.spectral import economy_svd
from ..problems.matrix_completion import Problem
from ..sets.nuclear_ball import Set
from . import settled, shift


class RobustLowRank(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """min Σ φ_σ(L_ij − X_ij) over ‖L‖_* ≤ R, with the bounded correntropy loss φ, robust to outliers.

    NaN marks an unknown entry. As in PCA, rows are described by their coordinates on the directions of L.

    Parameters
    ----------
    n_components : int
        Largest number of directions to keep.
    radius : float
        R as a share of the nuclear norm of the centred X, with outliers clipped to three `sigma`.
    sigma : float
        Scale of the loss, in median absolute deviations of X.
    tol : float
        The Frank-Wolfe gap at the end, relative to the objective at L = 0.
    max_iter : int

    Attributes
    ----------
    components_ : (n_components, n_features) array, orthonormal rows
    center_ : (n_features,) array, medians
    low_rank_ : (n_samples, n_features) array, L and the medians
    outlier_share_ : float, share of the entries in the flat part of the loss
    certificate_ : Certificate
    n_iter_ : int
    """

    def __init__(
        self,
        n_components: Count = 2,
        radius: NotNegative = 0.9,
        sigma: Positive = 3.0,
        tol: NotNegative = 1e-3,
        max_iter: Count = 500,
    ):
        self.n_components, self.radius, self.sigma = n_components, radius, sigma
        self.tol, self.max_iter = tol, max_iter

    def __sklearn_tags__(self):
        """NaN are accepted."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def fit(self, X, y=None):
        """Fit X (n, p), with NaN for unknown entries."""
        check(type(self), self.get_params(deep=False))
        X = validate_data(self, X, dtype=float, ensure_all_finite="allow-nan", ensure_min_samples=2)
        unit = shift(X)
        X = np.ldexp(X, -unit)
        center = _medians(X)
        centred = X - center
        known = np.isfinite(centred)
        spread = float(np.median(np.abs(centred[known]))) or float(np.std(centred[known])) or 1.0
        scale = self.sigma * spread
        cut = np.clip(np.where(known, centred, 0.0), -3 * scale, 3 * scale)
        radius = self.radius * float(np.linalg.norm(cut, "nuc"))
        rows, cols = np.nonzero(known)
        values = centred[known]
        arrays = {"rows": rows, "cols": cols, "values": values, "shape": X.shape}
        problem = Problem(arrays, loss="cor", sigma=scale)
        tol = self.tol * max(problem.value(problem.start()), 1e-300)
        result = minimize(problem, Set(radius, "gram"), "ncgs", tol=tol, budget=self.max_iter)
        self.center_, self.low_rank_ = np.ldexp(center, unit), np.ldexp(result.x + center, unit)
        settled(self, result.success, result.message)
        _, _, Vt = economy_svd(result.x)
        self.components_ = _signed(Vt[: self.n_components])
        self._n_features_out = len(self.components_)
        self.outlier_share_ = float(np.mean(np.abs(result.x[known] - values) > scale))
        self.certificate_, self.n_iter_ = result.certificate, result.nit
        return self

    def transform(self, X):
        """Coordinates (n, n_components) of rows; NaN count as the median."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=float, ensure_all_finite="allow-nan", reset=False)
        centred = X - self.center_
        return np.where(np.isfinite(centred), centred, 0.0) @ self.components_.T

    def inverse_transform(self, X):
        """Rows with these coordinates."""
        check_is_fitted(self)
        return np.asarray(X) @ self.components_ + self.center_


def _medians(X):
    """Medians of the known entries of each column; 0 for a column without any."""
    empty = ~np.isfinite(X).any(axis=0)
    return np.where(empty, 0.0, np.nanmedian(np.where(empty, 0.0, X), axis=0))


def _signed(components):
    """Rows with signs such that the entry of largest size is positive: equal data give equal signs."""
    largest = components[np.arange(len(components)), np.argmax(np.abs(components), axis=1)]
    return components * np.where(largest < 0, -1.0, 1.0)[:, None]
