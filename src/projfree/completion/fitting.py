"""One fit of the completion model, with its certificate; predictions.

The solver moves M, and after each of its steps the offsets are solved for exactly: both lower the one jointly
convex objective, and the dual bound is that of all its variables.
"""

from dataclasses import dataclass
from itertools import islice

import numpy as np

from ..engine.oracles.regularised import Oracles
from ..penalties.trace_norm import Penalty
from ..problems import ratings_completion
from ..solvers import block_gcg
from ..solvers.reduce.lbfgs import alive
from ..solvers.reduce.scaled_lbfgs import Policy
from . import centring, model
from .ratings import Ratings

CENTRES = ("fitted", *centring.CENTRES)
# The objective is soon at its minimum; the gradient, on which the certificate stands, needs longer descents.
REDUCE, THOROUGH = Policy(), Policy(iterations=40, memory=8)
CHUNK = 1 << 16  # predictions at a time


@dataclass(frozen=True)
class Setting:
    """What is fitted, and how λ is chosen.

    Attributes
    ----------
    centre : offsets of users and items: `fitted` with the matrix, or what is subtracted first, one of
        `centring.CENTRES`.
    power, implicit, ridge : of the model, see `model`.
    folds, seed : of the cross-validation.
    enough : held-out ratings from which on no further fold is tried.
    count, least : number of λ tried, by golden section between κ°(−∇ℓ(0)) and `least` times it; or `weights`
        themselves.
    tol : relative duality gap of the last fit.
    rough : relative fall of the objective in a step below which those in the cross-validation end.
    most_steps : outer iterations for one λ, after which the certificate says what was reached.
    clip : predictions are cut to the scale of the ratings.
    """

    centre: str = "fitted"
    ridge: float = 3.0
    power: float = 0.25
    implicit: float = 0.5
    folds: int = 3
    seed: int = 0
    enough: int = 40_000
    count: int = 5
    least: float = 0.05
    weights: tuple[float, ...] = ()
    tol: float = 1e-3
    rough: float = 1e-2
    most_steps: int = 60
    clip: bool = True


@dataclass
class Fit:
    """Factors of W = U Vᵀ, U (users, k), V (items, k), with offsets and certificate.

    The last offsets (users + 1,), (items + 1,) are those of a user and an item without ratings. The matrix of
    `rank` columns whose norm is penalised is W but for its sides, see `model`.
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


class Part:
    """Some of the ratings, with the last solution on them as the next start."""

    def __init__(self, ratings: Ratings, chosen, setting: Setting):
        self.setting = setting
        rows, cols, values = ratings.rows[chosen], ratings.cols[chosen], ratings.values[chosen]
        one_more = tuple(side + 1 for side in ratings.shape)  # a user and an item without ratings, at −1
        fitted = setting.centre == "fitted"
        self.fixed = centring.offsets(rows, cols, values, one_more, "global" if fitted else setting.centre)
        values = values - (self.fixed[0][rows] + self.fixed[1][cols]).astype(np.float32)
        arrays = {"rows": rows, "cols": cols, "values": values, "shape": ratings.shape}
        plain = ratings_completion.Problem(arrays)
        self.problem, self.pattern = model.Problem(plain, setting.power, setting.implicit), plain.pattern
        self.fitted, self.ridge = fitted, setting.ridge if fitted else np.inf
        self.b, self.c = (np.zeros(side) for side in ratings.shape)
        self.U, self.V = (np.zeros((side, 0)) for side in self.problem.shape)
        if fitted:
            self.settle(self.problem.image(self.U, self.V))

    def settle(self, image):
        """The best offsets beside this W."""
        errors = self.problem.target - image
        self.b, self.c = model.offsets(self.pattern, errors, self.ridge, self.b, self.c)

    def centred(self):
        """The problem of M at these offsets."""
        return self.problem.aimed(
            self.problem.target - (self.b[self.pattern.rows] + self.c[self.pattern.cols])
        )

    def largest_weight(self) -> float:
        """κ°(−∇ℓ) where M = 0 and the offsets are fitted: from there on M = 0 is the best."""
        problem = self.centred()
        return polar_bound(problem, -problem.target, self.setting.tol)

    @property
    def start(self):
        """Factors of M and offsets (U, V, b, c), from which the next fit begins."""
        return self.U, self.V, self.b, self.c

    @start.setter
    def start(self, start):
        self.U, self.V, self.b, self.c = start

    def solve(self, weight: float, tol: float) -> Fit:
        """The optimum for this λ to a relative gap `tol`, from the last one."""
        penalty = Penalty(weight)
        for x in islice(self.iterates(penalty, tol, THOROUGH), self.setting.most_steps):
            certificate = self.certificate(x, penalty, tol)
            if certificate[2] <= tol:
                break
        return self.fit(x, weight, certificate)

    def roughly(self, weight: float, fall: float) -> Fit:
        """Where a step lowers the objective by no more than `fall` times it, with its certificate."""
        penalty, F = Penalty(weight), np.inf
        for x in islice(self.iterates(penalty, fall, REDUCE), self.setting.most_steps):
            before, F = F, self.objective(x, penalty)
            if before - F <= fall * F:
                break
        return self.fit(x, weight, self.certificate(x, penalty, fall))

    def iterates(self, penalty, tol, policy):
        """What each step of the solver and, with offsets in the fit, of `together` leads to."""
        alone = 2 if self.fitted else policy.iterations  # `together` does the rest
        solver = block_gcg.Solver(iterations=alone, memory=policy.memory, tol=tol)
        rng = np.random.default_rng(self.setting.seed)
        state = solver.start(Oracles(self.problem, penalty, rng), rng)
        state.x = Oracles(self.problem, penalty, rng).point(self.U, self.V)
        while True:
            state = solver.step(Oracles(self.centred(), penalty, rng), state, rng)
            state.converged = False
            if self.fitted:
                state.x = self.together(state.x, penalty, policy)
            yield state.x

    def fit(self, x, weight, certificate) -> Fit:
        """x as a fit, and the next start."""
        self.U, self.V = x.U, x.V
        return Fit(weight, *self.problem.sides(self.U, self.V), *certificate, *self.all_offsets())

    def together(self, x, penalty, policy):
        """The iterate after L-BFGS on factors and offsets at once: alone, each waits for the other."""
        b, c = (
            np.pad(offset, (0, len(side) - len(offset))) for offset, side in ((self.b, x.U), (self.c, x.V))
        )
        U, V, weights = (
            np.column_stack([x.U, b]),
            np.column_stack([x.V, c]),
            np.full(x.rank + 1, penalty.weight),
        )
        weights[-1] = self.ridge
        U, V = policy.descend(model.WithOffsets(self.problem), weights, U, V, x.image.dtype)
        self.b, self.c = U[:, -1].copy(), V[: len(self.c), -1].copy()
        U, V = alive(penalty, *penalty.rotate(U[:, :-1], V[:, :-1]), policy.drop)
        point = Oracles(self.problem, penalty, None).point(U, V)
        self.settle(point.image)
        return point

    def empty(self) -> Fit:
        """The offsets alone."""
        U, V = (np.zeros((side, 0)) for side in self.pattern.shape)
        return Fit(np.inf, U, V, 0.0, 0.0, 0.0, *self.all_offsets())

    def objective(self, x, penalty) -> float:
        """F at x and these offsets."""
        offsets = np.concatenate([self.b, self.c])
        ridge = self.ridge / 2 * float(offsets @ offsets) if offsets.any() else 0.0
        return self.centred().value(x.image) + penalty.weight * penalty.value(x.U, x.V) + ridge

    def certificate(self, x, penalty, tol):
        """F, κ°(−∇ℓ)/λ and (F − dual bound)/F at x and these offsets."""
        F, problem = self.objective(x, penalty), self.centred()
        slopes = problem.slopes(x.image)
        bound = polar_bound(problem, slopes, tol)
        below = model.dual_bound(self.pattern, self.problem.target, slopes, bound, penalty.weight, self.ridge)
        return F, bound / penalty.weight, (F - below) / F if F else 0.0

    def all_offsets(self):
        """Offsets of users and items, and of one more of each that has no ratings."""
        pairs = zip(self.fixed, (self.b, self.c), strict=True)
        return tuple(fixed + np.append(fitted, 0.0) for fixed, fitted in pairs)


def polar_bound(problem, slopes, tol: float) -> float:
    """A bound of κ°(−∇ℓ), to a hundredth of a tolerance: its values lie close together."""
    return Penalty(1.0).polar(problem.gradient(slopes), rng=np.random.default_rng(0), tol=tol / 100).bound


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


def error(fit: Fit, ratings: Ratings, tested, scale) -> float:
    """Root mean square error on the ratings with these numbers."""
    predicted = predict(fit, ratings.rows[tested], ratings.cols[tested], scale)
    return float(np.sqrt(np.mean((predicted - ratings.values[tested]) ** 2)))
