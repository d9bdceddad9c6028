"""Trust regions on matrices of fixed rank, and rank-one updates between them: MMBS in gcg §5, eq. (62).

Mishra, Meyer, Bach and Sepulchre (2013). Details that gcg leaves out (accuracy, radius, start: U14) follow
that paper and its authors' code, Manopt's trust regions and fixed-rank factories.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from ..common.parameters import Count, NotNegative, checked
from ..families import regularised
from ..linalg.factored import Factors
from .block_gcg import mean
from .inner import fixed_rank
from .inner.certificate import optimal_level
from .inner.fixed_rank import Point, Tangent

SHRINK, EXPAND, ACCEPT = 0.25, 0.75, 0.1  # ratios of true to predicted decrease
HALVINGS = 100  # of one step length
SMALL = 1e-2  # share of the largest singular value


@dataclass
class Local:
    """First-order information at the point: slopes, SV, SᵀU, Riemannian gradient, Euclidean gradient of B."""

    slopes: np.ndarray
    left: np.ndarray
    right: np.ndarray
    gradient: Tangent
    of_B: np.ndarray


@dataclass
class State:
    """The point of rank p, its image and f + λ tr B, and the state of the trust region."""

    point: Point
    image: np.ndarray
    value: float
    t: int = 0  # rank updates
    inner: int = 0  # trust-region steps since the last
    radius: float = 0.0
    entry: float | None = None  # norm of the gradient when the rank was set
    local: Local | None = None
    warm: np.ndarray | None = None
    converged: bool = False

    @property
    def iterate(self):
        """W = (U√B)(V√B)ᵀ, ρ = tr B."""
        root = np.sqrt(self.point.b)
        return Factors(self.point.U * root, self.point.V * root, self.image, float(self.point.b.sum()))


@checked
@dataclass(frozen=True)
class Solver:
    """One trust-region step, or a rank-one update if the gradient has become small.

    Attributes
    ----------
    atoms : int
        Largest number of singular pairs that an update of the rank adds. More than one is our strong form: it
        adds the pairs above λ to the point's own factors, weighted by their excess over λ.
    accuracy : float
        The trust region ends at this share of the norm of its first gradient.
    most_steps, most_products : int
        Largest numbers of trust-region steps for one rank, and of Hessian products for one step.
    polar_tol, tol : float
        Relative residual of the leading pair; tolerance of the stopping test.
    """

    atoms: Count = 1
    accuracy: NotNegative = 1e-3
    most_steps: Count = 100
    most_products: Count = 30
    polar_tol: NotNegative = 1e-3
    tol: NotNegative = 1e-4

    families = (regularised.FAMILY,)
    needs = ("atoms", "rotate")

    def start(self, oracles, rng):
        """W_0 = 0, of rank 0."""
        zero = oracles.start("factors")
        return State(Point(zero.U, np.zeros(0), zero.V), zero.image, oracles.value(zero.image))

    def step(self, oracles, s, rng):
        """Descend at fixed rank; when that has converged, raise the rank."""
        if s.point.rank == 0 or not self.descend(oracles, s):
            self.grow(oracles, s)
        return s

    def descend(self, oracles, s) -> bool:
        """One trust-region step, or False if the gradient is small enough."""
        with oracles.phase("reduce"):
            s.local = s.local or linearise(oracles, s)
            size = fixed_rank.norm(s.point, s.local.gradient)
            s.entry = size if s.entry is None else s.entry
            if size <= self.accuracy * s.entry or s.inner >= self.most_steps:
                return False
            self.trust_region_step(oracles, s)
        return True

    def trust_region_step(self, oracles, s):
        """The truncated Newton step, taken if the function falls as its model says, and the next radius."""
        x, gradient = s.point, s.local.gradient
        hessian = hessian_at(oracles, s)
        step, turned, on_boundary = truncated_cg(x, gradient, hessian, s.radius, most=self.most_products)
        predicted = -fixed_rank.inner(x, gradient, step) - fixed_rank.inner(x, step, turned) / 2
        trial = fixed_rank.retract(x, step)
        image, value = None, np.nan
        if np.isfinite(trial.b).all():
            image = oracles.image(trial.U * trial.b, trial.V)
            value = oracles.value(image) + oracles.constraint.weight * float(trial.b.sum())
        with np.errstate(over="ignore"):  # of a step far too long, in single precision
            ratio = (s.value - value + rounding(s)) / (predicted + rounding(s))
        s.inner += 1
        if not ratio >= SHRINK:  # also where the value is not a number
            s.radius /= 4
        elif ratio > EXPAND and on_boundary:
            s.radius = min(2 * s.radius, longest(x))
        if ratio > ACCEPT:
            s.point, s.image, s.value, s.local = trial, image, value, None

    def grow(self, oracles, s):
        """W ← W + βuvᵀ with the leading pair of −∇f; if no atom helps, stop or require more accuracy."""
        if self.atoms > 1:
            shed(oracles, s)
        slopes = oracles.slopes(s.image) if s.local is None else s.local.slopes
        u, v, level, slope = (self.pairs if self.atoms > 1 else self.pair)(oracles, s, slopes)
        s.inner = 0
        if level <= oracles.constraint.weight * (1 + self.tol):
            s.converged = optimal_level(oracles, s.iterate, slopes, level, self.tol) is not None
            s.entry = None if s.entry is None else s.entry / 10
            return
        with oracles.phase("linesearch"):
            p = oracles.image(u, v)
            beta, s.image, s.value = armijo(oracles, s, p, slope)
        s.point = with_atoms(s.point, beta, u, v)
        s.t, s.entry, s.local, s.radius = s.t + 1, None, None, longest(s.point) / 8

    def pair(self, oracles, s, slopes):
        """Columns u, v of the leading pair, its value, and its excess over λ."""
        atom = oracles.polar(slopes, start=s.warm, tol=self.polar_tol)
        s.warm = atom.warm
        return atom.u[:, None], atom.v[:, None], atom.value, atom.value - oracles.constraint.weight

    def pairs(self, oracles, s, slopes):
        """The same for the mean of several; for the leading pair if no pair orthogonal to W is above λ."""
        U, values, V = oracles.polars(slopes, self.atoms, start=s.warm, beside=s.iterate)
        s.warm, excess = V, np.maximum(values - oracles.constraint.weight, 0.0)
        if not (excess > self.tol * oracles.constraint.weight).any():
            return self.pair(oracles, replace(s, warm=None), slopes)
        return *mean(U, excess, V), values[0], float(excess @ excess / excess.sum())


def shed(oracles, s):
    """Drop small pairs of W with optimal weight 0, which a positive definite B reaches only slowly."""
    x = s.point
    dead = np.zeros(x.rank, bool) if s.local is None else (np.diag(s.local.of_B) > 0) & (x.b < SMALL * x.b[0])
    if not dead.any():
        return
    x = Point(x.U[:, ~dead], x.b[~dead], x.V[:, ~dead])
    image = oracles.image(x.U * x.b, x.V)
    value = oracles.value(image) + oracles.constraint.weight * float(x.b.sum())
    if value <= s.value:
        s.point, s.image, s.value, s.local = x, image, value, None


def rounding(s) -> float:
    """The share of rounding in a difference of two values, of sums and of images in their precision."""
    return max(1.0, abs(s.value)) * max(1e3 * np.finfo(float).eps, 0.1 * np.finfo(s.image.dtype).eps)


def longest(x) -> float:
    """Δ̄ = 10p, the typical distance of Manopt's fixed-rank factories."""
    return 10.0 * x.rank


def linearise(oracles, s) -> Local:
    """`Local` at the point: 1 FO."""
    x, slopes = s.point, oracles.slopes(s.image)
    left, right = oracles.products(slopes, x.U, x.V)
    return Local(slopes, left, right, *fixed_rank.gradient(x, left, right, oracles.constraint.weight))


def hessian_at(oracles, s):
    """a ↦ Hess[a] at the point of the state: one curvature and two pairs of products each."""
    x, local, image = s.point, s.local, s.image

    def product(a):
        change = oracles.curvature(image, oracles.image(*fixed_rank.change_factors(x, a)))
        known = (local.left, local.right, *oracles.products(local.slopes, a.U, a.V))
        return fixed_rank.hessian(x, a, local.of_B, known, oracles.products(change, x.U, x.V))

    return product


def armijo(oracles, s, p, slope: float):
    """(β, image, value) of W + βuvᵀ: β of the quadratic model, halved until Armijo's rule holds."""
    beta = slope / float(np.vdot(oracles.curvature(s.image, p), p))
    trace = float(s.point.b.sum())
    for _ in range(HALVINGS):
        image = s.image + beta * p
        value = oracles.value(image) + oracles.constraint.weight * (trace + beta)
        if value <= s.value - 1e-4 * beta * slope or beta < 1e-12:
            break
        beta /= 2
    return beta, image, value


def with_atoms(x: Point, beta: float, u, v) -> Point:
    """The point of W + βuvᵀ, by QR of both sides and an SVD of the core; dead singular values go."""
    (left, R), (right, S) = np.linalg.qr(np.c_[x.U, u]), np.linalg.qr(np.c_[x.V, v])
    b = np.append(x.b, np.full(u.shape[1], beta))
    A, b, Bt = np.linalg.svd((R * b) @ S.T, full_matrices=False)  # rank ≤ both sides
    positive = b > 1e-8 * b[0]
    return Point(left @ A[:, positive], b[positive], right @ Bt[positive].T)


def truncated_cg(x, gradient, hessian, radius: float, *, kappa=0.1, most=30):
    """(step, H·step, whether it ends on the boundary): about the least ⟨g, s⟩ + ½⟨s, Hs⟩ over ‖s‖ ≤ radius.

    Steihaug and Toint's method with the usual stopping rule ‖r_j‖ ≤ ‖r_0‖ min(‖r_0‖, κ) (Absil, Baker and
    Gallivan 2007, Algorithm 2).

    Parameters
    ----------
    x : fixed_rank.Point
    gradient : fixed_rank.Tangent
    hessian : Tangent → Tangent, symmetric on horizontal vectors
    """

    def product(a, c):
        return fixed_rank.inner(x, a, c)

    step, image = gradient * 0.0, gradient * 0.0
    residual, direction = gradient, gradient * -1.0
    r_r = product(residual, residual)
    first = math.sqrt(r_r)
    s_s, s_d, d_d = 0.0, 0.0, r_r  # ⟨s, s⟩, ⟨s, d⟩, ⟨d, d⟩ by recurrence
    for _ in range(most):
        turned = hessian(direction)
        curvature = product(direction, turned)
        alpha = r_r / curvature if curvature > 0 else math.inf
        if curvature <= 0 or s_s + 2 * alpha * s_d + alpha**2 * d_d >= radius**2:
            tau = (-s_d + math.sqrt(max(s_d**2 + d_d * (radius**2 - s_s), 0.0))) / d_d
            return step + direction * tau, image + turned * tau, True
        step, image = step + direction * alpha, image + turned * alpha
        s_s = s_s + 2 * alpha * s_d + alpha**2 * d_d
        residual = residual + turned * alpha
        following = product(residual, residual)
        if math.sqrt(following) <= first * min(first, kappa):
            break
        beta, r_r = following / r_r, following
        direction = residual * -1.0 + direction * beta
        s_d = beta * (s_d + alpha * d_d)
        d_d = r_r + beta**2 * d_d
    return step, image, False
