"""λ by cross-validation: golden section on folds that all λ share, then one fit of all ratings."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..linalg import golden_section
from .blocks import Division
from .fitting import Fit, Part, error
from .ratings import Ratings
from .setting import Setting

INSIDE = 2  # values of golden section before its first step


@dataclass
class Path:
    """The λ tried, falling; errors and ranks (λ, folds); the error of offsets alone; the fit of all.

    Where ^C ended the search, `fit` is that of the best λ so far, roughly on the ratings outside of the
    first fold, and `interrupted`.
    """

    weights: list[float]
    errors: np.ndarray
    ranks: np.ndarray
    baseline: float
    fit: Fit
    interrupted: bool = False

    @property
    def best(self) -> int:
        """Place of the λ of least mean error."""
        return int(np.argmin(self.errors.mean(axis=1)))


def fit_path(
    ratings: Ratings, setting: Setting, progress: Callable[[str], None] = lambda words: None
) -> Path:
    """Cross-validate, then fit all ratings with the λ of least mean error. `progress` is told each fit.

    Raises KeyboardInterrupt where ^C comes before the first λ was tried.
    """
    used = range(folds_used(ratings.n, setting))
    training, held_out = (
        [ratings.sweeps(Division(setting.seed, setting.folds, k, out), setting.threads) for k in used]
        for out in (False, True)
    )
    parts = [Part(sweeps, setting) for sweeps in training]
    scale, tried, best_fits = ratings.scale if setting.clip else None, {}, []
    starts = [part.start for part in parts]  # those of the best λ so far

    def mean_error(weight):
        fits = []
        for part, start in zip(parts, starts, strict=True):
            part.start = start
            fits.append(part.roughly(weight, setting.rough))
            progress(f"λ = {weight:.3g}")
        errors = [error(fit, tested, scale) for fit, tested in zip(fits, held_out, strict=True)]
        tried[weight] = errors, [fit.rank for fit in fits]
        if weight == _best(tried):
            best_fits[:], starts[:] = fits[:1], [part.start for part in parts]
        return float(np.mean(errors))

    whole = Part(ratings.sweeps(None, setting.threads), setting)
    empty = [part.empty() for part in parts]
    baseline = np.mean([error(fit, tested, scale) for fit, tested in zip(empty, held_out, strict=True)])
    fit = None
    try:
        _search(mean_error, whole, setting)
        whole.start = starts[0]
        fit = whole.solve(_best(tried), setting.tol)
        progress(f"all ratings, λ = {fit.weight:.3g}")
    except KeyboardInterrupt:
        if not tried:
            raise
    weights = sorted(tried, reverse=True)
    errors, ranks = (np.array([tried[weight][k] for weight in weights]) for k in range(2))
    return Path(weights, errors, ranks, float(baseline), fit or best_fits[0], fit is None)


def _best(tried) -> float:
    """The λ of least mean error, of equal ones the largest."""
    return min(sorted(tried, reverse=True), key=lambda weight: np.mean(tried[weight][0]))


def folds_used(ratings: int, setting: Setting) -> int:
    """As many of the folds as hold out enough ratings to tell errors apart."""
    return min(setting.folds, -(-setting.enough * setting.folds // ratings))


def _search(mean_error, whole: Part, setting: Setting) -> None:
    """Ask for the errors of the given λ, else of those that golden section on log λ takes."""
    if setting.weights:
        for weight in sorted(setting.weights, reverse=True):
            mean_error(weight)
        return
    top = np.log(whole.largest_weight())
    golden_section.search(
        lambda x: mean_error(float(np.exp(x))), top + np.log(setting.least), top, setting.count - INSIDE
    )
