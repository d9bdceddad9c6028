"""min ½ Σ (W_ij − X_ij)² + λ‖W‖_tr along a path of λ, and λ by cross-validation.

Each λ starts from the solution of the one before.

X is centred first: an offset for each user and item, from the ratings that are fitted. W = 0 is the solution
for λ ≥ κ°(−∇ℓ(0)), so the path starts there. Every point has its certificate: κ°(−∇ℓ(W)) ≤ (1 + tol)λ.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from .. import solvers
from ..engine.metrics.regularised import Evaluation
from ..engine.oracles.regularised import Oracles
from ..penalties.trace_norm import Penalty
from ..problems.ratings_completion import Problem
from .centring import offsets
from .ratings import Ratings

SOLVER = "gcg", {"atoms": 8, "reduce": {"name": "scaled_lbfgs"}}
CHUNK = 1 << 16  # predictions at a time
PATIENCE = 3  # λ after the best that are tried before the path ends


@dataclass(frozen=True)
class Setting:
    """How to fit.

    Attributes
    ----------
    centre : what is subtracted first, one of `centring.CENTRES`.
    folds, seed : of the cross-validation.
    count, least : number of λ, geometric from κ°(−∇ℓ(0)) down to `least` times it; or `weights` themselves.
    tol : tolerance of the certificate.
    most_steps : outer iterations for one λ, after which the certificate says what was reached.
    clip : predictions are cut to the scale of the ratings.
    """

    centre: str = "user-item"
    folds: int = 5
    seed: int = 0
    count: int = 15
    least: float = 0.02
    weights: tuple[float, ...] = ()
    tol: float = 1e-3
    most_steps: int = 200
    clip: bool = True


@dataclass
class Fit:
    """A point of the path: factors of W = U Vᵀ, their certificate, and the offsets that were subtracted.

    The last offsets (users + 1,), (items + 1,) are those of a user and an item without ratings.
    """

    weight: float
    U: np.ndarray
    V: np.ndarray
    objective: float
    polar_ratio: float
    relative_gap: float
    row_offset: np.ndarray
    column_offset: np.ndarray

    @property
    def rank(self) -> int:
        """Columns of the factors."""
        return self.U.shape[1]


@dataclass
class Path:
    """The whole fit: the λ that were tried, the test errors (λ, folds), the fits on all ratings."""

    weights: list[float]
    errors: np.ndarray
    baseline: float
    fits: list[Fit] = field(default_factory=list)

    @property
    def best(self) -> int:
        """Place of the λ of least mean error."""
        return int(np.argmin(self.errors.mean(axis=1)))


class Part:
    """Some of the ratings, centred, with the last solution on them as the next start."""

    def __init__(self, ratings: Ratings, chosen, setting: Setting):
        self.setting, self.shape = setting, ratings.shape
        rows, cols, values = ratings.rows[chosen], ratings.cols[chosen], ratings.values[chosen]
        one_more = (ratings.shape[0] + 1, ratings.shape[1] + 1)  # a user and an item without ratings, at −1
        self.row_offset, self.column_offset = offsets(rows, cols, values, one_more, setting.centre)
        values = values - (self.row_offset[rows] + self.column_offset[cols]).astype(np.float32)
        self.problem = Problem({"rows": rows, "cols": cols, "values": values, "shape": ratings.shape})
        self.U, self.V = (np.zeros((side, 0)) for side in ratings.shape)

    def largest_weight(self) -> float:
        """κ°(−∇ℓ(0)), from which on W = 0."""
        slopes = self.problem.slopes(self.problem.image(*(np.zeros((side, 0)) for side in self.shape)))
        return Penalty(1.0).polar(self.problem.gradient(slopes), rng=np.random.default_rng(0), tol=1e-6).bound

    def solve(self, weight: float) -> Fit:
        """The optimum for this λ, from the last one."""
        name, params = SOLVER
        penalty, solver = Penalty(weight), solvers.make(name, {**params, "tol": self.setting.tol})
        oracles = Oracles(self.problem, penalty, np.random.default_rng(self.setting.seed))
        rng = np.random.default_rng(self.setting.seed)
        state = solver.start(oracles, rng)
        state.x = oracles.point(self.U, self.V)
        for _ in range(self.setting.most_steps):
            if state.converged:
                break
            state = solver.step(oracles, state, rng)
        self.U, self.V = state.x.U, state.x.V
        end = Evaluation(self.problem, penalty, state.x)
        certificate = end.objective, end.polar_ratio, end.dual_gap / end.objective
        return Fit(weight, self.U, self.V, *certificate, self.row_offset, self.column_offset)


def predict(fit: Fit, rows, cols, scale=None) -> np.ndarray:
    """Offset + W at pairs (n,), cut to `scale` = (least, greatest); −1 is one without ratings."""
    out = np.empty(len(rows))
    U, V = _with_none(fit.U), _with_none(fit.V)
    for first in range(0, len(rows), CHUNK):
        i, j = rows[first : first + CHUNK], cols[first : first + CHUNK]
        offset = fit.row_offset[i] + fit.column_offset[j]
        out[first : first + CHUNK] = offset + np.einsum("nk,nk->n", U[i], V[j])
    return out if scale is None else np.clip(out, *scale)


def _with_none(side):
    """The factor with a row of zeros at the end, where the number −1 points."""
    return np.concatenate([side, np.zeros((1, side.shape[1]))])


def fit_path(
    ratings: Ratings, setting: Setting, progress: Callable[[str], None] = lambda words: None
) -> Path:
    """Cross-validate along falling λ, then fit all ratings along the same λ to the best.

    The path ends where the error has not fallen for `PATIENCE` λ: smaller λ cost the most and overfit.
    `progress` is told each fit.
    """
    fold = np.random.default_rng(setting.seed).permutation(len(ratings.values)) % setting.folds
    parts = [Part(ratings, fold != k, setting) for k in range(setting.folds)]
    whole = Part(ratings, slice(None), setting)
    weights = sorted(setting.weights, reverse=True) or _grid(whole.largest_weight(), setting)
    held_out = [np.flatnonzero(fold == k) for k in range(setting.folds)]
    scale = ratings.scale if setting.clip else None
    zero = [Fit(np.inf, part.U, part.V, 0, 0, 0, part.row_offset, part.column_offset) for part in parts]
    baseline = float(np.mean([error(f, ratings, t, scale) for f, t in zip(zero, held_out, strict=True)]))
    errors = []
    for weight in weights:
        errors.append([])
        for part, tested in zip(parts, held_out, strict=True):
            errors[-1].append(error(part.solve(weight), ratings, tested, scale))
            progress(f"λ = {weight:.3g}")
        if len(errors) - 1 - np.argmin(np.mean(errors, axis=1)) >= PATIENCE:
            break
    path = Path(list(weights[: len(errors)]), np.array(errors), baseline)
    for weight in path.weights[: path.best + 1]:
        path.fits.append(whole.solve(weight))
        progress(f"all ratings, λ = {weight:.3g}")
    return path


def error(fit: Fit, ratings: Ratings, tested, scale) -> float:
    """Root mean square error on the ratings with these numbers."""
    predicted = predict(fit, ratings.rows[tested], ratings.cols[tested], scale)
    return float(np.sqrt(np.mean((predicted - ratings.values[tested]) ** 2)))


def _grid(largest: float, setting: Setting) -> list[float]:
    return list(largest * setting.least ** (np.arange(1, setting.count + 1) / setting.count))
