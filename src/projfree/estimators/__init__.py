"""The methods as scikit-learn's estimators; scikit-learn comes with the extra ``estimators``."""

import warnings

import numpy as np

from ..common import registry
from ..linalg.scaling import SAFE, exponent


def settled(estimator, reached: bool, message: str) -> None:
    """Warn about a fit that did not reach its tolerance, as scikit-learn does."""
    from sklearn.exceptions import ConvergenceWarning

    if not reached:
        text = f"{type(estimator).__name__} did not reach tol={estimator.tol:g}: {message}"
        warnings.warn(text, ConvergenceWarning, stacklevel=3)


def shift(X) -> int:
    """The power of two 2^−e by which X is scaled before squaring, nearly always e = 0; NaN are ignored."""
    e = exponent(X[np.isfinite(X)], X.shape)
    return e if abs(e) > SAFE[X.dtype] else 0


def __getattr__(name):
    module = registry.named(__name__, name)
    return getattr(registry.load(__name__, module), name)


def __dir__():
    return registry.contents(__name__)
