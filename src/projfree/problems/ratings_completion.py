"""Completion of a ratings matrix: half the squares of observed entries (gcg eq. 51, without ``1/|Ω|``)."""

import numpy as np

from ..common.parameters import Count, checked
from ..families import regularised
from ..linalg import completion_kernels as kernels
from ..linalg.partition import each, fold, row_ranges
from ..linalg.sampled import Pattern, SparseOnPattern
from ..linalg.validation import real
from ..penalties import trace_norm


class Problem:
    """F(W) = ℓ(W) + λκ(W) with ℓ(W) = ½ Σ_{(i,j)∈Ω} (W_ij − X_ij)²; the penalty κ is the experiment's.

    W is never formed: an iterate is factors with its image, the values on Ω. Positions take 4 bytes a rating,
    ratings in float32 stay so, and the image and the slopes have their precision: 16 bytes a rating in all.

    Parameters
    ----------
    arrays : dict
        ``rows, cols`` (n,) of Ω, ``values`` (n,) ratings, ``shape`` (2,) or ``truth`` (m, n); and
        ``test_rows, test_cols, test_values`` of held-out ratings, if any. Offsets that were subtracted from
        both cancel in the errors: ``row_offset`` (m,) and ``column_offset`` (n,) are what clipping needs.
    clip : (least, greatest), optional
        Predictions of held-out ratings are cut to that scale (gcg U29).
    threads : int
        Threads of the sweeps over the ratings: the same bits with any number. CPU seconds count them all.
    """

    family = regularised.FAMILY
    quadratic = True

    @checked
    def __init__(
        self, arrays, *, clip: tuple[float, float] | None = None, threads: Count = 1, constants=None
    ):
        self.threads = threads
        shape = arrays["shape"] if "shape" in arrays else arrays["truth"].shape
        self.shape = tuple(int(side) for side in shape)
        self.pattern = Pattern(arrays["rows"], arrays["cols"], self.shape)
        self.target = _ratings(arrays["values"], "rating", self.pattern)
        self.n, self.parts = self.target.size, row_ranges(self.pattern.indptr, self.shape[1])
        self.test = None
        if len(arrays.get("test_rows", ())):
            held_out = Pattern(arrays["test_rows"], arrays["test_cols"], self.shape)
            self.test = held_out, _ratings(arrays["test_values"], "held-out rating", held_out)
            self.limits = None
            if clip is not None:  # the ends of the scale, minus the offsets at the held-out positions
                offset = arrays["row_offset"][held_out.rows] + arrays["column_offset"][held_out.cols]
                self.limits = [end - offset for end in clip]
        self.constants = constants or {"L_full": 1.0, "l_lower": 0.0}

    @property
    def metrics(self):
        """Root mean square errors of the training and the held-out ratings."""
        return {"rmse_train": self.rmse_train, **({"rmse_test": self.rmse_test} if self.test else {})}

    @classmethod
    def small(cls, rng):
        """Small instances in both precisions, for compiling kernels and for contract tests."""
        for shape, dtype in (((12, 9), np.float64), ((40, 30), np.float32)):
            rows, cols = np.nonzero(rng.random(shape) < 0.6)
            truth = rng.standard_normal((shape[0], 2)) @ rng.standard_normal((2, shape[1]))
            values = (truth[rows, cols] + 0.3 * rng.standard_normal(rows.size)).astype(dtype)
            problem = cls({"rows": rows, "cols": cols, "values": values, "shape": shape})
            problem.small_constraint = trace_norm.Penalty(1.0)
            yield problem

    def image(self, U, V) -> np.ndarray:
        """U Vᵀ on Ω, (n,)."""
        return self._sampled(self.pattern, U, V, self.target.dtype)

    def value(self, image) -> float:
        return kernels.half_square(image, self.target)

    def slopes(self, image) -> np.ndarray:
        """dℓ/d image = image − X, (n,)."""
        return image - self.target

    def gradient(self, slopes) -> SparseOnPattern:
        """∇ℓ, zero off Ω."""
        return SparseOnPattern(self.pattern, slopes)

    def curvature(self, image, change) -> np.ndarray:
        """The derivative of the slopes along `change`."""
        return change

    def factor_gradients(self, U, V):
        """ℓ, ∇ℓ V (m, k), ∇ℓᵀ U (n, k) in one sweep, in the precision of the factors."""
        return self._swept(kernels.value_and_gradients, self.target, U, V)

    def factor_curvatures(self, U, V):
        """Σ_j V_jr² (m, k) and Σ_i U_ir² (n, k) over observed entries: diagonals of the Hessian blocks."""
        return self.products(np.ones(self.n, self.target.dtype), U * U, V * V)

    def products(self, slopes, U, V):
        """∇ℓ V (m, k) and ∇ℓᵀ U (n, k), given the slopes."""
        return self._swept(kernels.products, slopes, U, V)[1:]

    def _swept(self, kernel, values, U, V):
        """The result of a kernel, summed over the parts, and its two products."""
        left, sides = np.empty(U.shape, U.dtype), self._padded(U, V)

        def sweep(rows):
            return kernel(rows, self.pattern.indptr, self.pattern.cols, values, *sides, left)

        total, right = fold(each(sweep, self.parts, self.threads), _added)
        return total, left, right[:, : V.shape[1]].astype(V.dtype, copy=False)

    def atom_products(self, slopes, U, V) -> np.ndarray:
        """⟨∇ℓ, u_s v_sᵀ⟩ for each column (k,), given the slopes, in one sweep."""
        out = np.zeros(U.shape[1])
        kernels.atom_products(self.pattern.indptr, self.pattern.cols, slopes, *self._padded(U, V), out)
        return out

    def dual_bound(self, slopes, image, polar: float, weight: float) -> float:
        """max of −τ⟨S, X⟩ − τ²‖S‖²/2 over ``|τ|κ°(S) ≤ λ``, a lower bound of F*; κ°(S) ≤ `polar`."""
        along, square = kernels.inner(slopes, self.target), kernels.inner(slopes, slopes)
        if square == 0.0:
            return 0.0
        limit = weight / polar
        tau = float(np.clip(-along / square, -limit, limit))
        return -tau * along - tau**2 * square / 2

    def rmse_train(self, point) -> float:
        """√(2ℓ/n)."""
        return float(np.sqrt(2 * self.value(point.image) / self.n))

    def rmse_test(self, point) -> float:
        """Root mean square error on the held-out ratings; W is 0 in rows and columns that it lacks."""
        held_out, ratings = self.test
        predicted = self._sampled(held_out, point.U, point.V, ratings.dtype)
        if self.limits:
            predicted = np.clip(predicted, *self.limits)
        return float(np.sqrt(2 * kernels.half_square(predicted, ratings) / ratings.size))

    def _sampled(self, pattern, U, V, dtype):
        out, sides = np.empty(pattern.n, dtype), self._padded(U, V)

        def sweep(rows):
            kernels.image(rows, pattern.indptr, pattern.cols, *sides, out)

        list(each(sweep, row_ranges(pattern.indptr, self.shape[1]), self.threads))
        return out

    def _padded(self, U, V):
        """Factors as the compiled loops take them: in the data's precision, and in their width."""
        if U.shape[0] != self.shape[0] or V.shape[0] != self.shape[1] or U.shape[1:] != V.shape[1:]:
            raise ValueError(f"factors {U.shape} and {V.shape} for a matrix of shape {self.shape}")
        return [kernels.padded(side, self.target.dtype) for side in (U, V)]


def _added(one, other):
    """Two values and two sums over columns, in double precision."""
    return one[0] + other[0], np.add(one[1], other[1], dtype=np.float64)


def _ratings(values, what, pattern):
    """Finite values in the pattern's order, as float32 if they are, else as float64."""
    values = np.asarray(values)
    values = values if values.dtype == np.float32 else real("values", values)
    if values.shape != (pattern.n,):
        raise ValueError(f"{values.shape} {what}s for {pattern.n} positions")
    finite = np.isfinite(values)
    if not finite.all():
        bad = int(np.argmin(finite))
        raise ValueError(f"{what} {bad} is {values[bad]}")
    return values[pattern.order]
