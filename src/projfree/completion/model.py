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
from scipy.sparse.linalg import LinearOperator, cg

from ..families import regularised
from ..linalg.completion_kernels import LANES
from . import blocks
from .sweeps import Image, Sweeps, token

SMOOTH = 0.1  # share of the uniform distribution in the weights (Foygel et al. 2011)
SETTLED, MOST_SWEEPS = 1e-6, 500
DEVIATIONS = 6  # standard deviations of a normal variable, which one in 10⁹ passes


@dataclass(frozen=True)
class Errors:
    """S = W + b1ᵀ + 1cᵀ − X on Ω by its factors, with its sums.

    Attributes
    ----------
    left, right : (users, ·), (items, ·) float32, whose product less X it is
    token : says to who holds it that it is still the same
    by_row, by_column : (users,), (items,)
    along, square : ⟨S, X⟩, ‖S‖²
    """

    left: np.ndarray
    right: np.ndarray
    token: str
    by_row: np.ndarray
    by_column: np.ndarray
    along: float
    square: float


class Problem:
    """½‖(A M Bᵀ + b1ᵀ + 1cᵀ)_Ω − X‖² of M = UVᵀ, for the solvers: U (users, k), V (items + users, k).

    All that is as large as the ratings stays where the ratings are; here are factors and sums.

    Parameters
    ----------
    sweeps : over X
    power : float
        a_i = (share of the mean count of ratings)^(−power); 0.5 is the weighted trace norm, 0 the plain one.
    implicit : float
        ω; row j of N is 1/√n_j at the n_j users who rated item j.
    fixed : offsets (users,), (items,) that are no variables, beside b and c
    """

    family, quadratic = regularised.FAMILY, True

    def __init__(self, sweeps: Sweeps, power: float, implicit: float, fixed):
        self.sweeps, self.implicit, self.fixed = sweeps, implicit, fixed
        users, items = sweeps.shape
        self.by_user, (self.by_item, n, _) = sweeps.run(blocks.counts, (), (), items)
        self.n, self.constants = int(n), {"L_full": 1.0, "l_lower": 0.0}
        counts = self.by_user, self.by_item
        self.a, self.c = (weights(count, power, count.mean())[:, None].astype(np.float32) for count in counts)
        self.share = (implicit / np.sqrt(np.maximum(self.by_item, 1.0)))[:, None]
        self.shape = users, items + (users if implicit else 0)
        self.offsets, self.known = (np.zeros(users), np.zeros(items)), (None, None)

    def aimed(self, b, c) -> Problem:
        """The same problem with other offsets."""
        other = copy(self)
        other.offsets, other.known = (b, c), (None, None)
        return other

    def sides(self, U, V):
        """A U (users, k) and B V (items, k), whose product is W."""
        return self.a * U, self.right_side(V)

    def right_side(self, V):
        """B V."""
        own = _times(self.c, V[: len(self.c)])
        return own + _times(self.share, self.raters(V[len(self.c) :])) if self.implicit else own

    def raters(self, A):
        """Pᵀ A: for each item the sum of A over its raters."""
        return self.sweeps.run(blocks.pattern_transposed, (A,), (), len(self.c))[1][0]

    def rated(self, B):
        """P B: for each user the sum of B over the rated items."""
        return self.sweeps.run(blocks.pattern_times, (), (B,))[0]

    def back(self, left, right):
        """Aᵀ left and Bᵀ right."""
        shared = [self.rated(_times(self.share, right))] if self.implicit else []
        return _times(self.a, left), np.concatenate([_times(self.c, right), *shared])

    def back_squared(self, left, right):
        """(A∘A)ᵀ left and (B∘B)ᵀ right."""
        shared = [self.rated(self.share**2 * right)] if self.implicit else []
        return self.a**2 * left, np.concatenate([self.c**2 * right, *shared])

    def image(self, U, V) -> Image:
        """W on Ω."""
        return Image(*self.sides(U, V))

    def beside(self, left, right, b, c):
        """[left, b, 1] and [right, 1, c], the fixed offsets in b and c, in a width that kernels take."""
        return _beside(left, b + self.fixed[0], 1), _beside(right, 1, c + self.fixed[1])

    def value(self, image) -> float:
        return self.slopes(image).square / 2

    def slopes(self, image) -> Errors:
        """The errors."""
        if self.known[0] is not image:
            L, R = self.sweeps.kept(*self.beside(image.left, image.right, *self.offsets))
            name = token()
            by_row, (along, square, by_column) = self.sweeps.run(blocks.error_sums, (L,), (R,), name)
            self.known = image, Errors(L, R, name, by_row, by_column, float(along), float(square))
        return self.known[1]

    def inner(self, slopes, image) -> float:
        """⟨S, W⟩ of the errors of W."""
        return slopes.square + self._along(slopes, *map(np.add, self.offsets, self.fixed))

    def _along(self, slopes, b, c):
        """⟨S, X − b1ᵀ − 1cᵀ⟩."""
        return slopes.along - float(slopes.by_row @ b) - float(slopes.by_column @ c)

    def line_products(self, w, p):
        """w·w, w·p, p·p, w·Y, p·Y of two images, Y = X less the offsets."""
        L, R = self.beside(w.left[:, :0], w.right[:, :0], *self.offsets)
        return self.sweeps.run(blocks.line_products, (w.left, p.left, L), (w.right, p.right, R))[1]

    def gradient(self, slopes) -> Gradient:
        """AᵀSB for the errors S."""
        return Gradient(self, slopes)

    def factor_gradients(self, U, V):
        """The value, and its gradients with respect to U and V."""
        loss, left, right = self.products(*self.beside(*self.sides(U, V), *self.offsets))
        k = U.shape[1]
        return loss, *(side.astype(U.dtype, copy=False) for side in self.back(left[:, :k], right[:, :k]))

    def products(self, L, R):
        """½‖E‖², E R and Eᵀ L for E = L Rᵀ − X."""
        left, (loss, right) = self.sweeps.run(blocks.gradients, (L,), (R,))
        return float(loss), left, right

    def factor_curvatures(self, U, V):
        """Diagonals of the Hessian blocks: those of W's factors through the squares of A and B."""
        return self.back_squared(*self.squared(*self.sides(U, V)))

    def squared(self, L, R):
        """Σ_j R_jr² and Σ_i L_ir² over Ω."""
        left, (right,) = self.sweeps.run(blocks.pattern_products, (L * L,), (R * R,))
        return left, right

    def settled(self, image, ridge: float) -> Problem:
        """At the best offsets for W: argmin ½‖S‖² + (ridge/2)(‖b‖² + ‖c‖²), by conjugate gradients on c.

        b follows c in the same sweep. Ends where another exchange of best b and best c would change no c by
        more than `SETTLED` times the size of the errors; what is left is part of the certificate.
        """
        (b, c), S = self.offsets, self.slopes(image)
        r = self.by_user * b + self.rated(c) - S.by_row  # sums of X − W
        by_column = self.by_item * c + self.raters(b) - S.by_column
        nothing, root = np.zeros_like(r), np.sqrt(self.by_item + ridge)

        def followed(r, c):
            b, (sums,) = self.sweeps.run(blocks.offset_sweep, (r,), (c,), ridge)
            return b, sums

        def complement(x):
            return x + followed(nothing, x / root)[1] / root

        operator = LinearOperator((c.size, c.size), matvec=complement, dtype=float)
        left = (by_column - followed(r, c)[1]) / root - root * c
        enough = SETTLED * np.sqrt(S.square / self.n) * root.min()
        c = c + cg(operator, left, rtol=1e-12, atol=enough, maxiter=MOST_SWEEPS)[0] / root
        return self.aimed(followed(r, c)[0], c)

    def dual_bound(self, S: Errors, polar: float, weight: float, ridge: float) -> float:
        """A lower bound of the minimum over (M, b, c), from errors S and a bound `polar` of σ₁(AᵀSB).

        max over |τ|σ₁(AᵀSB) ≤ λ of −τ⟨S, X⟩ − (τ²/2)(‖S‖² + (‖S1‖² + ‖Sᵀ1‖²)/ρ): the conjugates of
        the squares of errors and offsets. Without offsets in the fit, ρ = ∞.
        """
        along = self._along(S, *self.fixed)
        square = S.square + float(S.by_row @ S.by_row + S.by_column @ S.by_column) / ridge
        if square == 0.0:
            return 0.0
        tau = float(np.clip(-along / square, -weight / polar, weight / polar))
        return -tau * along - tau**2 * square / 2

    def rounding(self, S: Errors) -> float:
        """A bound of what single precision of the entries makes of ½‖S‖², but for one in 10⁹ cases.

        An entry is off by ε times those of X at most, and independent of the others: so the sum is by their
        root mean square times ‖S‖, and `DEVIATIONS`.
        """
        left, right = (_beside(np.zeros((len(count), 0)), 0, 0) for count in (self.by_user, self.by_item))
        size = np.sqrt(2 * self.products(left, right)[0] / self.n)
        return float(DEVIATIONS * np.finfo(np.float32).eps * size * np.sqrt(S.square))


@dataclass(frozen=True)
class WithOffsets:
    """½‖(A M Bᵀ + b1ᵀ + 1cᵀ)_Ω − X‖² of factors whose last columns are b, and c with zeros below."""

    problem: Problem

    def sides(self, U, V):
        """[A U, b, 1] and [B V, 1, c], whose product X is compared with."""
        left, right = self.problem.sides(U[:, :-1], V[:, :-1])
        return left, right, U[:, -1], V[: len(right), -1]

    def factor_gradients(self, U, V):
        """The value, and its gradients with respect to U and V, b and c among them."""
        loss, left, right = self.problem.products(*self.problem.beside(*self.sides(U, V)))
        return loss, *self._back(self.problem.back, left, right, U.shape[1])

    def factor_curvatures(self, U, V):
        """Diagonals of the Hessian blocks."""
        left, right, b, c = self.sides(U, V)
        left, right = self.problem.squared(_beside(left, b, 1), _beside(right, 1, c))
        return self._back(self.problem.back_squared, left, right, U.shape[1])

    def _back(self, back, left, right, width):
        Ut, Vt = back(left[:, :width], right[:, :width].astype(np.float32))
        Ut[:, -1], Vt[:, -1] = left[:, -2], 0.0
        Vt[: len(right), -1] = right[:, -1]
        return Ut, Vt


def _beside(side, first, second):
    """A factor with two more columns, the last ones of a width that the kernels take as it is."""
    rows, width = side.shape
    out = np.zeros((rows, width + 2 + -(width + 2) % LANES), np.float32)
    out[:, :width], out[:, -2], out[:, -1] = side, first, second
    return out


def weights(count, power, average):
    """(smoothed share of the average count)^(−power)."""
    return ((1 - SMOOTH) * count / average + SMOOTH) ** -power


def _times(weights, side):
    """diag(weights) side, (n, k), in the precision of the side."""
    return weights.astype(side.dtype, copy=False) * side


@dataclass(frozen=True)
class Gradient:
    """Aᵀ S B, (users, items + users), never formed; its products count two thin ones more than those of S."""

    problem: Problem
    errors: Errors

    @property
    def shape(self) -> tuple[int, int]:
        return self.problem.shape

    def matmat(self, V) -> np.ndarray:
        """Times V (items + users, k), in single precision."""
        return self.problem.a * self._times(self.problem.right_side(V))

    def rmatmat(self, U) -> np.ndarray:
        """Transposed, times U (users, k), in single precision."""
        return self.problem.back(U, self._transposed(self.problem.a * U))[1]

    def matvec(self, v) -> np.ndarray:
        """Times v (items + users,), in double precision."""
        p = self.problem
        left, right = v[: len(p.c)], v[len(p.c) :]
        shared = p.share[:, 0] * p.raters(right) if p.implicit else 0.0
        return p.a[:, 0] * self._times(p.c[:, 0] * left + shared)

    def rmatvec(self, u) -> np.ndarray:
        """Transposed, times u (users,), in double precision."""
        p, right = self.problem, self._transposed(self.problem.a[:, 0] * u)
        shared = [p.rated(p.share[:, 0] * right)] if p.implicit else []
        return np.concatenate([p.c[:, 0] * right, *shared])

    def _times(self, B):
        S = self.errors
        return self.problem.sweeps.run(blocks.errors_times, (S.left,), (S.right, B), S.token)[0]

    def _transposed(self, A):
        S = self.errors
        return self.problem.sweeps.run(blocks.errors_transposed, (S.left, A), (S.right,), S.token)[1][0]
