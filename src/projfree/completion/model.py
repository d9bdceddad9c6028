"""What `projfree complete` fits: ½ Σ (W_ij + b_i + c_j − X_ij)² + λ‖M‖_tr + (ρ/2)(‖b‖² + ‖c‖²), W = A M Bᵀ.

A = diag(a) and B = [diag(c) | ω N]: row i of M is the user's taste, column j the item's character, and column
items + i what user i gives to the character of every item that he rated, whatever the rating (who rated what
says much: Koren 2008). a and c are powers of how often a user rates and an item is rated: with the power −1/2
the norm of M is the weighted trace norm of W (Salakhutdinov and Srebro 2010; smoothed as Foygel et al. 2011),
with 0 the plain one. All is convex in (M, b, c), and its dual is in closed form: see `dual_bound`.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass

import numpy as np

from ..families import regularised
from ..linalg.compiled import njit
from ..linalg.sampled import SparseOnPattern
from ..problems import ratings_completion

SMOOTH = 0.1  # share of the uniform distribution in the weights (Foygel et al. 2011)


class Problem:
    """½‖(A M Bᵀ)_Ω − X‖² of M = UVᵀ, for the solvers: U (users, k), V (items + users, k).

    Parameters
    ----------
    ratings : `ratings_completion.Problem` of X
    power : float
        a_i = (share of the mean count of ratings)^(−power); 0.5 is the weighted trace norm, 0 the plain one.
    implicit : float
        ω; row j of N is 1/√n_j at the n_j users who rated item j.
    """

    family, quadratic = regularised.FAMILY, True

    def __init__(self, ratings: ratings_completion.Problem, power: float, implicit: float):
        self.ratings, self.implicit, pattern = ratings, implicit, ratings.pattern
        users, items = pattern.shape
        by_user, by_item = np.diff(pattern.indptr), np.bincount(pattern.cols, minlength=items)
        dtype = ratings.target.dtype
        self.a, self.c = (_weights(count, power)[:, None].astype(dtype) for count in (by_user, by_item))
        share = implicit / np.sqrt(np.maximum(by_item, 1.0))
        self.who = SparseOnPattern(pattern, share[pattern.cols].astype(dtype))
        self.shape = users, items + (users if implicit else 0)
        self.n, self.constants, self.target = ratings.n, ratings.constants, ratings.target

    def aimed(self, target) -> Problem:
        """The same problem for another X on Ω."""
        other = copy(self)
        other.ratings = copy(self.ratings)
        other.target = other.ratings.target = target.astype(self.target.dtype, copy=False)
        return other

    def sides(self, U, V):
        """A U (users, k) and B V (items, k), whose product is W."""
        return self.a * U, self.right_side(V)

    def right_side(self, V):
        """B V."""
        own = self.c * V[: len(self.c)]
        return own + self.who.rmatmat(V[len(self.c) :]) if self.implicit else own

    def back(self, left, right):
        """Aᵀ left and Bᵀ right."""
        shared = [self.who.matmat(right)] if self.implicit else []
        return self.a * left, np.concatenate([self.c * right, *shared])

    def image(self, U, V):
        """W on Ω, (n,)."""
        return self.ratings.image(*self.sides(U, V))

    def value(self, image) -> float:
        """Half the squared errors."""
        return self.ratings.value(image)

    def slopes(self, image):
        """The errors."""
        return self.ratings.slopes(image)

    def gradient(self, slopes) -> Gradient:
        """AᵀSB for the errors S."""
        return Gradient(self, self.ratings.gradient(slopes))

    def factor_gradients(self, U, V):
        """The value, and its gradients with respect to U and V."""
        loss, left, right = self.ratings.factor_gradients(*self.sides(U, V))
        return loss, *(side.astype(U.dtype, copy=False) for side in self.back(left, right))

    def factor_curvatures(self, U, V):
        """Diagonals of the Hessian blocks: those of W's factors through the squares of A and B."""
        return self.back_squared(*self.ratings.factor_curvatures(*self.sides(U, V)))

    def back_squared(self, left, right):
        """(A∘A)ᵀ left and (B∘B)ᵀ right."""
        left, own = self.a**2 * left, self.c**2 * right
        if not self.implicit:
            return left, own
        squares = SparseOnPattern(self.who.pattern, self.who.values**2)
        return left, np.concatenate([own, squares.matmat(right)])

    def dual_bound(self, slopes, image, polar: float, weight: float) -> float:
        """That of `ratings_completion.Problem`, at fixed offsets."""
        return self.ratings.dual_bound(slopes, image, polar, weight)


@dataclass(frozen=True)
class WithOffsets:
    """½‖(A M Bᵀ + b1ᵀ + 1cᵀ)_Ω − X‖² of factors whose last columns are b, and c with zeros below."""

    problem: Problem

    def sides(self, U, V):
        """[A U, b, 1] and [B V, 1, c], whose product X is compared with, in a width that kernels take."""
        left, right = self.problem.sides(U[:, :-1], V[:, :-1])
        return _beside(left, U[:, -1], 1), _beside(right, 1, V[: len(right), -1])

    def factor_gradients(self, U, V):
        """The value, and its gradients with respect to U and V, b and c among them."""
        loss, left, right = self.problem.ratings.factor_gradients(*self.sides(U, V))
        return loss, *self._back(self.problem.back, left, right, U.shape[1])

    def factor_curvatures(self, U, V):
        """Diagonals of the Hessian blocks."""
        left, right = self.problem.ratings.factor_curvatures(*self.sides(U, V))
        return self._back(self.problem.back_squared, left, right, U.shape[1])

    def _back(self, back, left, right, width):
        Ut, Vt = back(left[:, : width - 1], right[:, : width - 1])
        c = np.zeros(len(Vt), Vt.dtype)
        c[: len(right)] = right[:, -1]
        return np.column_stack([Ut, left[:, -2]]), np.column_stack([Vt, c])


def _beside(side, first, second):
    """A factor with two more columns, the last ones of a width that the kernels take as it is."""
    rows, width = side.shape
    out = np.zeros((rows, width + 2 + -(width + 2) % ratings_completion.LANES), side.dtype)
    out[:, :width], out[:, -2], out[:, -1] = side, first, second
    return out


def _weights(count, power):
    """(smoothed share of the mean count)^(−power)."""
    return ((1 - SMOOTH) * count / count.mean() + SMOOTH) ** -power


@dataclass(frozen=True)
class Gradient:
    """Aᵀ S B, (users, items + users), never formed; its products count two thin ones more than those of S."""

    problem: Problem
    errors: SparseOnPattern

    @property
    def shape(self) -> tuple[int, int]:
        return self.problem.shape

    def matmat(self, V) -> np.ndarray:
        """Times V (items + users, k)."""
        return self.problem.a * self.errors.matmat(self.problem.right_side(V))

    def rmatmat(self, U) -> np.ndarray:
        """Transposed, times U (users, k)."""
        return self.problem.back(U, self.errors.rmatmat(self.problem.a * U))[1]

    def matvec(self, v) -> np.ndarray:
        """Times v (items + users,), in double precision."""
        p = self.problem
        left, right = v[: len(p.c)], v[len(p.c) :]
        shared = p.who.rmatvec(right) if p.implicit else 0.0
        return p.a[:, 0] * self.errors.matvec(p.c[:, 0] * left + shared)

    def rmatvec(self, u) -> np.ndarray:
        """Transposed, times u (users,), in double precision."""
        p, right = self.problem, self.errors.rmatvec(self.problem.a[:, 0] * u)
        shared = [p.who.matvec(right)] if p.implicit else []
        return np.concatenate([p.c[:, 0] * right, *shared])


def offsets(pattern, errors, ridge: float, b, c):
    """argmin ½Σ(e_ij − b_i − c_j)² + (ridge/2)(‖b‖² + ‖c‖²) by Gauss-Seidel from (b, c): new arrays.

    Ends once no offset changes by more than `SETTLED` times the mean size of e; what is left is part of the
    certificate.
    """
    b, c, count = b.copy(), c.copy(), np.bincount(pattern.cols, minlength=pattern.shape[1])
    enough = SETTLED * float(np.abs(errors).mean())
    for _ in range(MOST_SWEEPS):
        if _sweep(pattern.indptr, pattern.cols, errors, count, ridge, b, c) <= enough:
            break
    return b, c


SETTLED, MOST_SWEEPS = 1e-5, 500


@njit
def _sweep(indptr, cols, errors, count, ridge, b, c):
    """All b given c, then all c given b; the largest change."""
    sums, change = np.zeros(c.size), 0.0
    for i in range(b.size):
        total = 0.0
        for k in range(indptr[i], indptr[i + 1]):
            total += errors[k] - c[cols[k]]
        new = total / (indptr[i + 1] - indptr[i] + ridge)
        change, b[i] = max(change, abs(new - b[i])), new
        for k in range(indptr[i], indptr[i + 1]):
            sums[cols[k]] += errors[k] - new
    for j in range(c.size):
        new = sums[j] / (count[j] + ridge)
        change, c[j] = max(change, abs(new - c[j])), new
    return change


def dual_bound(pattern, X, S, polar: float, weight: float, ridge: float) -> float:
    """A lower bound of the minimum over (M, b, c), from errors S and a bound `polar` of σ₁(AᵀSB).

    max over |τ|σ₁(AᵀSB) ≤ λ of −τ⟨S, X⟩ − (τ²/2)(‖S‖² + (‖S1‖² + ‖Sᵀ1‖²)/ρ): the conjugates of the squares of
    errors and offsets. Without offsets in the fit, ρ = ∞.
    """
    X, S = X.astype(np.float64), S.astype(np.float64)
    along, square = float(X @ S), float(S @ S)
    for group, size in zip((pattern.rows, pattern.cols), pattern.shape, strict=True):
        square += float(np.sum(np.bincount(group, S, size) ** 2)) / ridge
    if square == 0.0:
        return 0.0
    tau = float(np.clip(-along / square, -weight / polar, weight / polar))
    return -tau * along - tau**2 * square / 2
