"""Trust regions on matrices of fixed rank, and rank-one updates between them: MMBS in gcg §5, eq. (62).

Mishra, Meyer, Bach and Sepulchre (2013). What gcg does not say (accuracy, radius, start: U14) is as there and
in the code that its authors published, Manopt's trust regions and fixed-rank factories.
"""

from dataclasses import dataclass

import numpy as np

from ..families import regularised
from ..ground.parameters import Count, NotNegative, checked
from ..linalg.factored import Factors
from .inner import fixed_rank
from .inner.certificate import optimal_level
from .inner.fixed_rank import Point, Tangent
from .inner.trust_region import truncated_cg

SHRINK, EXPAND, ACCEPT = 0.25, 0.75, 0.1  # ratios of true to predicted decrease


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
    """The point of rank p, its image and f + λ tr B there, and where the trust region stands."""

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
    """One trust-region step a step, or a rank-one update where the gradient has become small.

    Attributes
    ----------
    accuracy : float
        The trust region ends at this share of the norm of its first gradient.
    most_steps, most_products : int
        Trust-region steps for one rank; Hessian products for one step.
    polar_tol, tol : float
        Relative residual of the leading pair; tolerance of the stop.
    """

    accuracy: NotNegative = 1e-3
    most_steps: Count = 100
    most_products: Count = 30
    polar_tol: NotNegative = 1e-3
    tol: NotNegative = 1e-4

    families = (regularised.FAMILY,)
    needs = ("rotate",)

    def start(self, oracles, rng):
        """W_0 = 0, of rank 0."""
        zero = oracles.start("factors")
        return State(Point(zero.U, np.zeros(0), zero.V), zero.image, oracles.value(zero.image))

    def step(self, oracles, s, rng):
        """Descend at fixed rank; where that has settled, raise the rank."""
        if s.point.rank == 0 or not self.descend(oracles, s):
            self.grow(oracles, s)
        return s

    def descend(self, oracles, s) -> bool:
        """One trust-region step, or False where the gradient is small enough."""
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
        ratio = (s.value - value + rounding(s)) / (predicted + rounding(s))
        s.inner += 1
        if not ratio >= SHRINK:  # also where the value is not a number
            s.radius /= 4
        elif ratio > EXPAND and on_boundary:
            s.radius = min(2 * s.radius, longest(x))
        if ratio > ACCEPT:
            s.point, s.image, s.value, s.local = trial, image, value, None

    def grow(self, oracles, s):
        """W ← W + βuvᵀ with the leading pair of −∇f; where no atom helps, the end or more accuracy."""
        slopes = oracles.slopes(s.image) if s.local is None else s.local.slopes
        atom = oracles.polar(slopes, start=s.warm, tol=self.polar_tol)
        s.warm, s.inner = atom.warm, 0
        weight = oracles.constraint.weight
        if atom.value <= weight * (1 + self.tol):
            s.converged = optimal_level(oracles, s.iterate, slopes, atom.value, self.tol) is not None
            s.entry = None if s.entry is None else s.entry / 10
            return
        with oracles.phase("linesearch"):
            p = oracles.image(atom.u[:, None], atom.v[:, None])
            beta, s.image, s.value = armijo(oracles, s, p, atom.value - weight)
        s.point = with_atom(s.point, beta, atom.u, atom.v)
        s.t, s.entry, s.local, s.radius = s.t + 1, None, None, longest(s.point) / 8


def rounding(s) -> float:
    """What a difference of two values may owe to rounding, of sums and of images in their precision."""
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
    while True:
        image = s.image + beta * p
        value = oracles.value(image) + oracles.constraint.weight * (trace + beta)
        if value <= s.value - 1e-4 * beta * slope or beta < 1e-12:
            return beta, image, value
        beta /= 2


def with_atom(x: Point, beta: float, u, v) -> Point:
    """The point of W + βuvᵀ, by QR of both sides and an SVD of the core; dead singular values go."""
    (left, R), (right, S) = np.linalg.qr(np.c_[x.U, u]), np.linalg.qr(np.c_[x.V, v])
    A, b, Bt = np.linalg.svd((R * np.append(x.b, beta)) @ S.T, full_matrices=False)  # rank ≤ both sides
    kept = b > 1e-8 * b[0]
    return Point(left @ A[:, kept], b[kept], right @ Bt[kept].T)
