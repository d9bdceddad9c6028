"""Linear regression with OSCAR, which groups coefficients of equal size."""

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from ..api.minimize import minimize
from ..common.parameters import Count, NotNegative, Positive, check
from ..linalg.validation import real
from ..penalties import unmade
from ..problems.robust_regression import Problem
from . import settled, shift


class OscarRegressor(RegressorMixin, BaseEstimator):
    """min Σ φ(x_iᵀβ + β₀ − y_i) + λ₁‖β‖₁ + λ₂ Σ_{i<j} ``max{|β_i|, |β_j|}`` (Bondell and Reich 2008).

    Parameters
    ----------
    lambda1, lambda2 : float
        λ₁ in units of the gradient at zero, λ₂ in units of λ₁ over the number of features; see
        `penalties.Oscar`.
    loss : {"sq", "hub", "cor"}
        Squared loss, Huber's loss, or the bounded correntropy loss, which is robust to outliers (not convex).
    sigma : float
        Scale of the robust losses, in median absolute deviations of y.
    tol : float
        Norm of the gradient mapping at the end, in units of the gradient at zero.
    max_iter : int

    Attributes
    ----------
    coef_ : (n_features,) array
    intercept_ : float
    groups_ : (n_features,) array of int, 0 for zeros, else the number of the group of equal sizes
    certificate_ : Certificate
    n_iter_ : int
    """

    def __init__(
        self,
        lambda1: NotNegative = 0.01,
        lambda2: NotNegative = 1.0,
        loss: str = "sq",
        sigma: Positive = 1.0,
        tol: NotNegative = 1e-5,
        max_iter: Count = 2000,
    ):
        self.lambda1, self.lambda2, self.loss = lambda1, lambda2, loss
        self.sigma, self.tol, self.max_iter = sigma, tol, max_iter

    def __sklearn_tags__(self):
        """Sparse matrices are accepted."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def fit(self, X, y):
        """Fit X (n, p) and y (n,). A sparse X is made dense, because its columns are centred."""
        check(type(self), self.get_params(deep=False))
        X, y = validate_data(
            self, X, y, y_numeric=True, dtype=float, ensure_min_samples=2, accept_sparse=["csr", "csc", "coo"]
        )
        X, y = real("X", X), np.asarray(y, float)
        units = shift(X), shift(y)
        X, y = np.ldexp(X, -units[0]), np.ldexp(y, -units[1])
        mean, scaled = (np.mean, {}) if self.loss == "sq" else (np.median, {"sigma": self.sigma})
        centre, middle = X.mean(axis=0), float(mean(y))
        spread = float(np.sqrt(mean((y - middle) ** 2))) or 1.0
        arrays = {"features": X - centre, "targets": (y - middle) / spread}
        problem = Problem(arrays, loss=self.loss, **scaled)
        penalty = unmade("oscar", lambda1=self.lambda1, lambda2=self.lambda2)
        tol = self.tol * max(problem.constants["largest_slope"], 1e-300)
        result = minimize(problem, penalty, tol=tol, budget=self.max_iter)
        coefficients = result.x * spread
        self.coef_ = np.ldexp(coefficients, units[1] - units[0])
        self.intercept_ = float(np.ldexp(mean(y - X @ coefficients), units[1]))
        self.groups_ = _groups(coefficients)
        settled(self, result.success, result.message)
        self.certificate_, self.n_iter_ = result.certificate, result.nit
        return self

    def predict(self, X):
        """Xβ + β₀ (n,)."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=float, accept_sparse=["csr", "csc", "coo"])
        return X @ self.coef_ + self.intercept_


def _groups(coefficients):
    """Group number of each coefficient: 1 for the largest sizes, 0 for zeros; sizes are equal up to 1e-6."""
    size = np.abs(coefficients)
    level = 1e-6 * max(size.max(), 1e-300)
    order = np.argsort(-size)
    steps = np.diff(size[order], prepend=np.inf) < -level
    numbers = np.empty(size.size, int)
    numbers[order] = np.cumsum(steps)
    return np.where(size > level, numbers, 0)
