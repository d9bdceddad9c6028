"""The leading singular pair of a gradient: the linear minimisation oracle of the nuclear-norm ball."""

import math
from dataclasses import dataclass, replace
from types import SimpleNamespace

import numpy as np
from scipy.linalg import eigh

from projfree.linalg.compiled import prompt
from projfree.linalg.lanczos import lanczos
from projfree.linalg.lanczos_bound import ROUNDING, upper_bound, wanted_growth
from projfree.linalg.scaling import exponent, scaled, times_power
from projfree.linalg.scratch import room
from projfree.linalg.spectral import economy_svd
from projfree.linalg.validation import matrix

BASIS = 200  # longest Krylov basis before a restart
CERTIFIED_BASIS = 400  # the same where a gap is asked for
BASIS_ENTRIES = 2**27  # of it at most, beside 30 vectors
RANDOM_PART = 1e-3  # of a warm start: without it a start orthogonal to the new leading vector sticks
# Steps before a residual is believed: a warm start may be close to a lesser pair, and the random part needs
# steps to show the leading one. Of starts exactly on the second pair, with σ₁/σ₂ = 1.2 and evenly spread
# values below, 6 steps miss 1-2 % and 4 steps 26-40 %.
LEAST_STEPS_WARM, LEAST_STEPS_COLD = 6, 2
MAX_MATVECS = 20_000
EXACT_SIDE = 24  # up to this larger side a dense SVD is as fast, and exact
GAP_ASKED = 0.99  # of the gap allowed: the bound is then found to 1 % of it


@dataclass(frozen=True)
class SingularPair:
    """u (m,), sigma, v (n,) with G v = sigma u; residual = ‖Gᵀu − sigma v‖/sigma; matvecs = products done.

    bound ≥ σ₁ ≥ sigma: up to rounding where a dense decomposition made it, else with probability 1 − 1e-9
    over the random start, or the random part of a warm one (`linalg.lanczos_bound`). It is as tight as the
    `gap` asked for; without one it may be a few times sigma after a few steps.
    """

    u: np.ndarray
    sigma: float
    v: np.ndarray
    residual: float
    matvecs: int
    bound: float

    def times_power(self, e: int, matvecs: int = 0) -> "SingularPair":
        """That of 2^e G, with so many more products."""
        sigma, bound = times_power(self.sigma, e), times_power(self.bound, e)
        return replace(self, sigma=sigma, bound=bound, matvecs=self.matvecs + matvecs)


def matvec(operator, v):
    """G v for an array or anything with ``matvec``."""
    return operator @ v if isinstance(operator, np.ndarray) else operator.matvec(v)


def rmatvec(operator, u):
    """Gᵀ u for an array or anything with ``rmatvec``."""
    return operator.T @ u if isinstance(operator, np.ndarray) else operator.rmatvec(u)


def leading_pair(
    operator, *, start=None, rng=None, tol=1e-3, gap=math.inf, max_matvecs=MAX_MATVECS, least=None
):
    """Leading :class:`SingularPair` by (warm-started) Lanczos, to a relative residual.

    Parameters
    ----------
    operator : ndarray (m, n), SparseOnPattern, or an object with shape, matvec, rmatvec
    start : ndarray (n,), optional
        The right singular vector of an earlier, similar operator. A random part of 1e-3 is added.
    rng : numpy Generator, optional
        Source of random starts; without it a fixed one, so that equal calls give equal results.
    tol : float
        Accepted relative residual ‖Gᵀu − σv‖/σ (ncgs U12).
    gap : float
        Accepted (bound − σ)/σ: with it the pair is certified. Given up at the end of a basis, at an excess of
        1e-3 at most: the bound is then what was reached.
    max_matvecs : int
        Products allowed; restarts happen within it.
    least : int, optional
        Fewest Lanczos steps before a residual is believed; 6 with a start, 2 without.

    Raises
    ------
    ValueError
        If the operator is empty or has entries that are not finite, or start has another length or no
        direction.
    ArithmeticError
        If max_matvecs do not reach tol.
    """
    if isinstance(operator, np.ndarray):
        operator = matrix("operator", operator)
    m, n = operator.shape
    if 0 in (m, n):
        raise ValueError(f"leading pair of a {m}×{n} operator: it is empty")
    first = _first_vector(n, start, np.random.default_rng(0) if rng is None else rng)
    if max(m, n) <= EXACT_SIDE and (isinstance(operator, np.ndarray) or hasattr(operator, "toarray")):
        # by dense SVD: residual zero, counted as a full Lanczos run
        U, s, Vt = economy_svd(operator if isinstance(operator, np.ndarray) else operator.toarray())
        sigma, pair = float(s[0]), (U[:, 0].copy(), Vt[0].copy())
        return SingularPair(pair[0], sigma, pair[1], 0.0, 2 * s.size, sigma * (1 + ROUNDING))
    if least is None:
        least = LEAST_STEPS_COLD if start is None else LEAST_STEPS_WARM
    accuracy = tol, gap, max_matvecs, least
    pair = _iterated(_compiled_form(operator), (m, n), first, *accuracy)
    if pair is not None:
        return pair
    smaller, e, probes = _rescaled(operator, first[0])
    if smaller is None:
        return SingularPair(np.eye(1, m)[0], 0.0, first[0], 0.0, 2 + probes, 0.0)
    pair = _iterated(_compiled_form(smaller), (m, n), first, *accuracy)
    if pair is None:
        raise ValueError(f"leading pair of a {m}×{n} operator: it cannot be scaled (not linear?)")
    return pair.times_power(e, 2 + probes)


def _iterated(form, shape, first, tol, gap, max_matvecs, least) -> SingularPair | None:
    """Cycles of Lanczos until residual and bound are as asked; None where squares over- or underflow."""
    (m, n), (v, growth) = shape, first
    compiled = isinstance(form, np.ndarray | tuple)
    run = prompt(lanczos, m * n if isinstance(form, np.ndarray) else np.inf) if compiled else lanczos.py_func
    sq_norm = math.inf
    if compiled and gap < math.inf:  # in double precision
        entries = form.ravel() if isinstance(form, np.ndarray) else form[2]
        sq_norm = float(np.einsum("i,i->", entries, entries, dtype=np.float64))
    longest = BASIS if gap == math.inf else CERTIFIED_BASIS
    cap = min(longest, n, max(30, BASIS_ENTRIES // (m + n)), max(1, max_matvecs // 2))
    basis, images, a, b = room((cap, n)), room((cap, m)), np.zeros(cap), np.zeros(cap)
    matvecs, bound = 0, math.inf
    while matvecs + 2 <= max(2, max_matvecs):
        certify = GAP_ASKED * gap, growth, sq_norm
        with np.errstate(over="ignore", invalid="ignore"):  # of operators known by their products
            steps, u, sigma, v, residual = run(form, v, tol, least, certify, basis, images, a, b)
        if steps < 0:
            return None
        matvecs += 2 * steps
        known = float(a.sum()) if steps == n else sq_norm  # a basis of the whole space leaves nothing
        bound = min(bound, math.sqrt(upper_bound(sigma * sigma, a, b, steps, growth, known)))
        if residual <= tol or steps < cap or steps == n:
            return SingularPair(u, float(sigma), v, float(residual), matvecs, bound)
        least, gap, growth = 0, math.inf, math.inf  # a restart is not random: its polynomial shows nothing
    raise ArithmeticError(
        f"leading pair of a {m}×{n} operator: residual {residual:.1e} > {tol:.1e} after {matvecs} products"
    )


def gram_pair(dense) -> SingularPair:
    """Leading pair of an array (m, n) by the eigenproblem of the small side's Gram matrix, exact in σ₁.

    2·max(m, n)·min(m, n)² flops, no iteration; for arrays whose small side is below a few hundred. Squaring
    harms small singular values only. Counted as one product for each column of the Gram matrix, and one.
    """
    dense, e = scaled(dense)
    if dense.shape[0] < dense.shape[1]:
        pair = _tall_gram_pair(dense.T)
        pair = replace(pair, u=pair.v, v=pair.u)
    else:
        pair = _tall_gram_pair(dense)
    return pair.times_power(e)


def _tall_gram_pair(dense) -> SingularPair:
    """By LAPACK's syevr, which may find nothing where eigenvalues are tied: then by divide and conquer."""
    side, gram = dense.shape[1], dense.T @ dense
    vectors = eigh(gram, subset_by_index=[side - 1, side - 1], check_finite=False)[1]
    v = vectors[:, 0] if vectors.shape[1] else eigh(gram, driver="evd", check_finite=False)[1][:, -1]
    image = dense @ v
    sigma = math.sqrt(float(image @ image))
    u = image / sigma if sigma else np.eye(1, dense.shape[0])[0]
    return SingularPair(u, sigma, v, 0.0, side + 1, sigma * (1 + ROUNDING))


def _first_vector(n, start, rng):
    """A unit vector, random or `start` with a random part; and the growth that its bound needs."""
    v, share = rng.standard_normal(n), 1.0
    if start is not None:
        if np.shape(start) != (n,):
            raise ValueError(f"start has shape {np.shape(start)}, the operator's right side has ({n},)")
        largest = float(np.max(np.abs(start)))
        if not 0.0 < largest < math.inf:
            raise ValueError(f"start has a largest entry of {largest}: not a direction")
        start, share = start / largest, RANDOM_PART / math.sqrt(n)
        v = start / math.sqrt(start @ start) + share * v
    norm = math.sqrt(v @ v)
    return v / norm, wanted_growth(share, norm)


def _compiled_form(operator):
    """What the compiled iteration takes (a C-contiguous array, a tuple of CSR arrays), else the operator."""
    if isinstance(operator, np.ndarray):  # a read-only one would be compiled for anew
        return np.require(operator, requirements=["C", "W"])
    return getattr(operator, "csr", operator)


class _Scaled:
    """2^−e times an operator known by its products, in two parts lest 2^−e overflow."""

    def __init__(self, operator, e):
        self.operator, self.shape = operator, operator.shape
        self.before = max(-900, min(900, -e))
        self.after = -e - self.before

    def matvec(self, v):
        return np.ldexp(matvec(self.operator, np.ldexp(v, self.before)), self.after)

    def rmatvec(self, u):
        return np.ldexp(rmatvec(self.operator, np.ldexp(u, self.before)), self.after)


def _rescaled(operator, v):
    """(2^−e G, e, products done) for an operator whose squares over- or underflow; (None, 0, …) for zero.

    Of one that is known by its products, the size is that of the image of v, scaled until this is in range.
    """
    dense = isinstance(operator, np.ndarray)
    if dense or hasattr(operator, "csr"):
        entries = operator if dense else operator.csr[2]
        e = exponent(entries, operator.shape)
        if not entries.any():
            return None, 0, 0
        entries = np.ldexp(entries, -e)
        return entries if dense else SimpleNamespace(csr=(*operator.csr[:2], entries)), e, 0
    for probes, shift in enumerate((0, 700, -700), start=1):
        image = matvec(operator, np.ldexp(v, shift))
        if np.isfinite(image).all() and image.any():
            e = exponent(image, operator.shape) - shift
            return _Scaled(operator, e), e, probes
    exponent(image, operator.shape)
    return None, 0, probes
