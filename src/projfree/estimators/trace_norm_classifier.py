"""Multinomial logistic regression with weights of low rank."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from ..api.minimize import minimize
from ..common.parameters import Count, NotNegative, check
from ..losses import softmax
from ..penalties.trace_norm import Penalty
from ..problems.multinomial import Problem
from . import settled, shift


class TraceNormClassifier(ClassifierMixin, BaseEstimator):
    """min (1/n) Σ log-loss of X W + λ‖W‖_tr by generalised conditional gradients (gcg §5.2).

    Parameters
    ----------
    weight : float
        λ; at `lambda_max_` and above W = 0.
    tol : float
        The duality gap at the end, relative to the log-loss at W = 0.
    max_iter : int

    Attributes
    ----------
    classes_ : (k,) array
    coef_ : (k, n_features) array, of low rank
    intercept_ : (k,) array; its feature is a constant of the data's scale, penalised like the others
    rank_ : int
    lambda_max_ : float
    certificate_ : Certificate, a bound of the distance from the optimal objective
    n_iter_ : int
    """

    def __init__(self, weight: NotNegative = 1e-3, tol: NotNegative = 1e-4, max_iter: Count = 200):
        self.weight, self.tol, self.max_iter = weight, tol, max_iter

    def fit(self, X, y):
        """Fit X (n, p) and labels y (n,)."""
        check(type(self), self.get_params(deep=False))
        X, y = validate_data(self, X, y, dtype=float)
        check_classification_targets(y)
        self.classes_, labels = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError("TraceNormClassifier needs samples of at least 2 classes; there is one class")
        self.centre_ = X.mean(axis=0)
        unit = shift(X - self.centre_)
        spread = np.sqrt(np.mean(np.ldexp(X - self.centre_, -unit) ** 2))
        self.scale_ = float(np.ldexp(spread, unit)) or 1.0
        arrays = {"features": self._lifted(X), "labels": labels, "classes": len(self.classes_)}
        problem, penalty = Problem(arrays), Penalty(self.weight)
        start = np.log(len(self.classes_))
        result = minimize(problem, penalty, "gcg", tol=self.tol * start, budget=self.max_iter)
        settled(self, result.success, result.message)
        W = result.x.toarray()
        self.coef_ = W[:-1].T / self.scale_
        self.intercept_ = W[-1] - self.coef_ @ self.centre_
        self.rank_, self.certificate_, self.n_iter_ = result.x.rank, result.certificate, result.nit
        self.lambda_max_ = float(
            np.linalg.norm(problem.gradient(problem.slopes(np.zeros((len(y), W.shape[1])))), 2)
        )
        return self

    def _lifted(self, X):
        """Centred and scaled as a whole, with a column of ones."""
        return np.column_stack([(X - self.centre_) / self.scale_, np.ones(len(X))])

    def _scores(self, X):
        check_is_fitted(self)
        return validate_data(self, X, reset=False, dtype=float) @ self.coef_.T + self.intercept_

    def decision_function(self, X):
        """Scores (n, k); for two classes, their difference (n,)."""
        scores = self._scores(X)
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    def predict_proba(self, X):
        """Probabilities (n, k)."""
        return softmax(self._scores(X))

    def predict(self, X):
        """The class with the largest score (n,)."""
        best = np.argmax(self._scores(X), axis=1)
        return self.classes_[best]
