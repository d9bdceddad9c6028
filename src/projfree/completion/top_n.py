"""Top-N recommendation: the ratings, with zeros where nothing is rated, as a matrix of low rank.

X has 1 for the greatest rating, a fifth for the least (as one of five stars), and 0 for what is not rated.
The scores W minimise

    ½‖A (W − X) C‖² + τ‖A W C‖_tr,

where A = diag(a), C = diag(c) are powers of how often users rate and items are rated, as in `model`. So A W C
is the soft-thresholded singular value decomposition of A X C = U diag(σ) Vᵀ, and W = X C P Pᵀ C⁻¹ with the
columns √(1 − τ/σ) v of P. This gives the scores of new users too.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from ..linalg import golden_section
from ..linalg.block_krylov import WIDTH, leading_triplets
from ..linalg.partial import Deflated
from ..linalg.singular import leading_pair
from . import blocks, model
from .blocks import Division
from .ratings import Ratings

LEAST = 0.2  # what the least rating counts, the greatest 1
POWERS = 0.0, 0.25, 0.5
RANKS, STEPS = 128, 6  # greatest rank that is tried for a power; steps of golden section after the first two
PASSES = -(-4 * RANKS // WIDTH)  # a basis of four times the rank holds its triplets
FOLDS, USERS, N = 5, 2000, 10  # a fifth is held out; of so many users at most the best ten are looked at
TOL, BOUND = 1e-3, 2e-3  # relative duality gap; slack of the bound of σ₁ in it
NOISE = 1e-5  # singular values below this share of the first one are rounding in single precision


class TooFew(ValueError):
    """Held-out ratings cannot choose the ranking."""


@dataclass(frozen=True)
class TopN:
    """A ranking of items for each user.

    Attributes
    ----------
    factor : (items, rank), P
    sides : (items,), c
    zero, unit : a rating r counts (r − zero)/unit
    popularity : (items,), the mean of X over all users: the scores of a user without ratings
    power, threshold : of a and c, and τ, of the greatest NDCG@10 on a held-out fifth
    relative_gap : duality gap of A W C
    ndcg, recall : NDCG@10 and recall@10 on that fifth
    popular : the same two of ranking by popularity
    """

    factor: np.ndarray
    sides: np.ndarray
    zero: float
    unit: float
    popularity: np.ndarray
    power: float
    threshold: float
    relative_gap: float
    ndcg: float
    recall: float
    popular: tuple[float, float]

    @property
    def rank(self) -> int:
        """Singular values above the threshold."""
        return self.factor.shape[1]

    def scores(self, cols, values) -> np.ndarray:
        """Scores (items,) for somebody with these ratings (n,) of the items at these places (n,)."""
        if not len(cols):
            return self.popularity
        x = self.sides[cols] * (np.asarray(values, float) - self.zero) / self.unit
        return self.factor @ (x @ self.factor[cols]) / self.sides


class Filled:
    """−A (X − zero) C with zeros where nothing is rated, by sweeps over the ratings."""

    def __init__(self, sweeps, power: float, zero: float):
        users, items = sweeps.shape
        problem = model.Problem(sweeps, power, 0.0, (np.full(users, zero), np.zeros(items)))
        self.errors = problem.slopes(problem.image(np.zeros((users, 0)), np.zeros((items, 0))))
        self.operator, self.sides = problem.gradient(self.errors), problem.c[:, 0].astype(float)

    def relative_gap(self, U, f, V, threshold: float) -> float:
        """(Primal − dual)/primal of min over M of ½‖M − Y‖² + τ‖M‖_tr at M = U diag(f) Vᵀ, Y this matrix.

        The dual point is Y − M, shrunk until its largest singular value is at most τ.
        """
        problem, S = self.operator.problem, self.errors
        weights = problem.a[:, 0], problem.c[:, 0]
        lefts, rights = (S.left, weights[0]), (S.right, weights[1])
        _, (square,) = problem.sweeps.run(blocks.weighted_square, lefts, rights, S.token)
        along = float(np.einsum("ik,ik,k->", self.operator.matmat(V), U, f))
        left = square - 2 * along + float(np.sum((U.T @ U) * (V.T @ V) * np.outer(f, f)))
        rest = Deflated(self.operator, U, f, V.T)
        bound = leading_pair(rest, rng=np.random.default_rng(0), tol=BOUND, gap=BOUND).bound
        shrunk = min(1.0, threshold / bound) if bound else 1.0
        norm = float(f @ (np.linalg.norm(U, axis=0) * np.linalg.norm(V, axis=0)))
        primal = left / 2 + threshold * norm
        return (primal - shrunk * (square - along) + shrunk**2 * left / 2) / primal


def top_n(ratings, *, seed: int = 0, threads: int = 1) -> TopN:
    """The ranking of these ratings, of `Ratings` or what has their sweeps; times of ratings are not used.

    Power and threshold are those of the greatest NDCG@10 on a held-out fifth of the ratings. A user gets the
    ten best items that he has not rated in the other four fifths; relevant are those that he rated at least
    as high as the mean of all ratings. Golden section looks for the threshold, over the logarithm of the rank
    that it leaves, at most 128. With both, all ratings are fitted, to a relative duality gap of 1e-3.

    Raises
    ------
    TooFew
        If no user has one rating to fit and a relevant one that is held out.
    """
    sweeps = partial(Ratings.sweeps, ratings) if isinstance(ratings, Ratings) else ratings.sweeps
    least, greatest = ratings.scale
    unit = (greatest - least) / (1 - LEAST) or abs(greatest) or 1.0
    zero, (users, items) = greatest - unit, ratings.shape
    training, held_out = (sweeps(Division(seed, FOLDS, 0, out), threads=threads) for out in (False, True))
    drawn = np.zeros(users, bool)
    drawn[np.random.default_rng(seed).permutation(users)[:USERS]] = True
    _, (_, count, total) = training.run(blocks.counts, (), (), items)
    relevant = min(total / max(count, 1), greatest)

    def quality(left, right):
        """NDCG and recall of items ranked by left rightᵀ."""
        sides = (drawn, left.astype(np.float32)), (right.astype(np.float32),)
        top, _ = training.run(blocks.best, *sides, N)
        _, (gain, result, judged) = held_out.run(blocks.gains, (top,), (), relevant)
        if not judged:
            message = f"{ratings.n} ratings are too few to choose the ranking 'top-n' on a held-out fifth"
            raise TooFew(f"{message}: take the ranking 'rating'")
        return float(gain / judged), float(result / judged)

    tried = {}
    for power in POWERS:
        part = Filled(training, power, zero)
        if not tried:
            popular = quality(np.ones((users, 1)), -part.errors.by_column[:, None])
        U, s, V, _ = leading_triplets(part.operator, RANKS, rng=np.random.default_rng(seed), passes=PASSES)
        s = s[s > NOISE * s[0]]
        levels = np.append(s, s[-1] / 2)

        def loss(x, power=power, part=part, U=U, s=s, V=V, levels=levels):
            k = round(np.exp(x))
            if (power, k) not in tried:
                right = V[:, :k] * (1 - levels[k] / s[:k]) / part.sides[:, None]
                tried[power, k] = *quality(-U[:, :k] * s[:k], right), levels[k]
            return -tried[power, k][0]

        golden_section.search(loss, 0.0, np.log(s.size), STEPS)
    power, k = max(tried, key=lambda key: tried[key][0])
    ndcg, recall, threshold = tried[power, k]
    whole, passes, gap = Filled(sweeps(None, threads=threads), power, zero), PASSES, np.inf
    while True:
        U, s, V, _ = leading_triplets(
            whole.operator, passes * WIDTH // 2, rng=np.random.default_rng(seed), passes=passes
        )
        above = s > threshold
        U, s, V = U[:, above], s[above], V[:, above]
        gap = whole.relative_gap(U, s - threshold, V, threshold)
        if gap <= TOL or passes * WIDTH // 2 >= min(ratings.shape):
            break
        passes *= 2
    popularity = -whole.errors.by_column / (users * unit)
    P = V * np.sqrt(1 - threshold / s)
    about = power, float(threshold / unit), float(gap)
    return TopN(P, whole.sides, zero, unit, popularity, *about, ndcg, recall, popular)
