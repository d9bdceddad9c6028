"""One fit of the completion model, with its certificate; predictions.

The solver moves M, and after each of its steps the offsets are solved for exactly: both lower the one jointly
convex objective, and the dual bound is that of all its variables.
"""

from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from ..engine.oracles.regularised import Oracles
from ..penalties.trace_norm import Penalty
from ..solvers import block_gcg
from ..solvers.reduce import null
from ..solvers.reduce.lbfgs import alive
from ..solvers.reduce.scaled_lbfgs import Policy
from . import blocks, centring, model
from .budget import atoms_within
from .setting import Setting
from .sweeps import Sweeps

# The objective is soon at its minimum; the gradient, on which the certificate stands, needs longer descents.
REDUCE, THOROUGH = Policy(), Policy(iterations=50)
HASTY, FEW = Policy(iterations=8), 32  # of a fast fit: descents, and atoms of a step
CHUNK = 1 << 16  # predictions at a time


@dataclass(frozen=True)
class Fast(Setting):
    """Near the error of a full fit in a fraction of its time: one fold, four λ with a step each.

    Steps add few atoms and descend shortly. The last fit ends after two; its certificate says how near.
    """

    enough: int = 1
    count: int = 4
    most_steps: int = 2
    tol: float = 1e-2


class Adding(block_gcg.Solver):
    """The solver without its descent: `Part.together` follows, on factors and offsets at once."""

    policy = null.Policy()


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

    def __init__(self, sweeps: Sweeps, setting: Setting):
        self.setting, self.fitted = setting, setting.centre == "fitted"
        self.fast = isinstance(setting, Fast)
        self.ridge = setting.ridge if self.fitted else np.inf
        self.fixed = fixed_offsets(sweeps, "global" if self.fitted else setting.centre)
        known = [offset[:-1] for offset in self.fixed]
        self.problem = model.Problem(sweeps, setting.power, setting.implicit, known)
        self.U, self.V = (np.zeros((side, 0)) for side in self.problem.shape)
        self.settle(self.problem.image(self.U, self.V))

    def settle(self, image):
        """The best offsets for this W, if they are fitted."""
        if self.fitted:
            self.problem = self.problem.settled(image, self.ridge)

    def largest_weight(self) -> float:
        """κ°(−∇ℓ) where M = 0 and the offsets are fitted: from there on M = 0 is the best."""
        nothing = self.problem.image(*(np.zeros((side, 0)) for side in self.problem.shape))
        return polar_bound(self.problem, self.problem.slopes(nothing), self.setting.tol)

    @property
    def start(self):
        """Factors of M and offsets (U, V, b, c), from which the next fit begins."""
        return self.U, self.V, *self.problem.offsets

    @start.setter
    def start(self, start):
        self.U, self.V = start[:2]
        self.problem = self.problem.aimed(*start[2:])

    def solve(self, weight: float, tol: float) -> Fit:
        """The optimum for this λ to a relative gap `tol`, from the last one."""
        penalty = Penalty(weight)
        policy = HASTY if self.fast else THOROUGH
        for x in islice(self.iterates(penalty, tol, policy), self.setting.most_steps):
            certificate = self.certificate(x, penalty, tol)
            if certificate[2] <= tol:
                break
        return self.fit(x, weight, certificate)

    def roughly(self, weight: float, fall: float) -> Fit:
        """Where a step lowers the objective by no more than `fall` times it, with its certificate.

        A fast fit is what the first step leads to.
        """
        penalty, F = Penalty(weight), np.inf
        policy = HASTY if self.fast else REDUCE
        for x in islice(self.iterates(penalty, fall, policy), self.setting.most_steps):
            before, F = F, self.objective(x, penalty)
            if self.fast or before - F <= fall * F:
                break
        return self.fit(x, weight, self.certificate(x, penalty, fall))

    def iterates(self, penalty, tol, policy):
        """What each step of the solver and, with offsets in the fit, of `together` leads to."""
        kind = Adding if self.fitted else block_gcg.Solver
        solver = kind(iterations=policy.iterations, memory=policy.memory, tol=tol)
        rng = np.random.default_rng(self.setting.seed)
        state = solver.start(Oracles(self.problem, penalty, rng), rng)
        state.x = Oracles(self.problem, penalty, rng).point(self.U, self.V)
        moved = state.x.rank > 0  # from 0 the next atoms are soon more than the first ones
        while True:
            atoms = atoms_within(self.setting.memory, sum(self.problem.shape), state.x.rank)
            step = replace(solver, atoms=min(atoms, FEW) if self.fast else atoms).step
            state = step(Oracles(self.problem, penalty, rng), state, rng)
            state.converged = False
            if self.fitted:
                state.x = self.together(state.x, penalty, policy if moved or self.fast else REDUCE)
            moved = True
            yield state.x

    def fit(self, x, weight, certificate) -> Fit:
        """x as a fit, and the next start."""
        self.U, self.V = x.U, x.V
        return Fit(weight, *self.problem.sides(self.U, self.V), *certificate, *self.all_offsets())

    def together(self, x, penalty, policy):
        """The iterate after L-BFGS on factors and offsets at once: alone, each waits for the other."""
        b, c = (
            np.pad(offset, (0, len(side) - len(offset)))
            for offset, side in zip(self.problem.offsets, (x.U, x.V), strict=True)
        )
        U, V, weights = (
            np.column_stack([x.U, b]),
            np.column_stack([x.V, c]),
            np.full(x.rank + 1, penalty.weight),
        )
        weights[-1] = self.ridge
        U, V = policy.descend(model.WithOffsets(self.problem), weights, U, V, x.image.dtype)
        self.problem = self.problem.aimed(U[:, -1].copy(), V[: len(self.problem.c), -1].copy())
        U, V = alive(penalty, *penalty.rotate(U[:, :-1], V[:, :-1]), policy.drop)
        point = Oracles(self.problem, penalty, None).point(U, V)
        self.settle(point.image)
        return point

    def empty(self) -> Fit:
        """The offsets alone."""
        U, V = (np.zeros((len(offset) - 1, 0)) for offset in self.fixed)
        return Fit(np.inf, U, V, 0.0, 0.0, 0.0, *self.all_offsets())

    def objective(self, x, penalty) -> float:
        """F at x and these offsets."""
        offsets = np.concatenate(self.problem.offsets)
        ridge = self.ridge / 2 * float(offsets @ offsets) if offsets.any() else 0.0
        return self.problem.value(x.image) + penalty.weight * penalty.value(x.U, x.V) + ridge

    def certificate(self, x, penalty, tol):
        """F, κ°(−∇ℓ)/λ and (F − dual bound)/F at x and these offsets, with the rounding of F."""
        F, slopes = self.objective(x, penalty), self.problem.slopes(x.image)
        bound = polar_bound(self.problem, slopes, tol)
        below = self.problem.dual_bound(slopes, bound, penalty.weight, self.ridge)
        return F, bound / penalty.weight, (F - below + self.problem.rounding(slopes)) / F if F else 0.0

    def all_offsets(self):
        """Offsets of users and items, and of one more of each that has no ratings."""
        pairs = zip(self.fixed, self.problem.offsets, strict=True)
        return tuple(fixed + np.append(fitted, 0.0) for fixed, fitted in pairs)


def fixed_offsets(sweeps: Sweeps, centre: str):
    """Those of `centring`, (users + 1,), (items + 1,): the last are of a user and an item without ratings."""
    items = sweeps.shape[1]
    by_user, (by_item, count, total) = sweeps.run(blocks.counts, (), (), items)

    def sums(row_offset, column_offset):
        by_user, (by_item,) = sweeps.run(blocks.sums, (row_offset[:-1],), (column_offset[:-1],), items)
        return np.append(by_user, 0.0), np.append(by_item, 0.0)

    counts = np.append(by_user, 0), np.append(by_item, 0)
    return centring.offsets_by_sums(sums, counts, total / count, centre)


def polar_bound(problem, slopes, tol: float) -> float:
    """A bound of κ°(−∇ℓ), to a tenth of a tolerance."""
    return Penalty(1.0).polar(problem.gradient(slopes), rng=np.random.default_rng(0), tol=tol / 10).bound


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


def error(fit: Fit, sweeps: Sweeps, scale=None) -> float:
    """Root mean square error on the ratings of the sweeps, predictions cut to a scale if there is one."""
    users, items = sweeps.shape
    L = np.column_stack([fit.U, fit.row_offset[:-1], np.ones(users)]).astype(np.float32)
    R = np.column_stack([fit.V, np.ones(items), fit.column_offset[:-1]]).astype(np.float32)
    _, (square, count) = sweeps.run(blocks.squares, (L,), (R,), *(scale or (-np.inf, np.inf)))
    return float(np.sqrt(square / count))
