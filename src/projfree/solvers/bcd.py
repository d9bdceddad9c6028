"""Block coordinate descent for a dictionary of fixed size: the local method in the comparison of gcg §5.3."""

import math
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from ..common.parameters import Count, Natural, NotNegative, checked
from ..families import regularised
from ..linalg.factored import Factors

#: The quadratic bound counts as met up to this share of the value: sums of 10^5 terms round.
ROUNDING = 1e-12
#: Entry value of L: a quarter of the last, but at least this share of the worst case.
EASED, LEAST = 0.25, 1e-6


@dataclass
class Descent:
    """One dictionary C = U with its codes H = Vᵀ, and the last L of each block."""

    U: np.ndarray
    V: np.ndarray
    image: np.ndarray
    total: float
    L_codes: float = 0.0
    L_dictionary: float = 0.0
    stuck: bool = False


@dataclass
class State:
    """The descents, one for each start; the best is the iterate."""

    runs: list[Descent] = field(default_factory=list)

    @property
    def iterate(self):
        """W of the best descent, without columns of zero code."""
        best = min(self.runs, key=lambda run: run.total)
        used = np.flatnonzero(best.V.any(axis=0))
        return Factors(best.U[:, used], best.V[:, used], best.image, self.rho(best))

    @staticmethod
    def rho(run):
        """Σ‖H_i‖, a bound of κ, because no column of C is longer than 1."""
        return float(np.linalg.norm(run.V, axis=0).sum())

    @property
    def converged(self):
        """Whether no descent moves any more; for large λ, H = 0 is such a point."""
        return all(run.stuck for run in self.runs)


@checked
@dataclass(frozen=True)
class Solver:
    """min ℓ(C H) + λΣ‖H_i‖ over ‖C_i‖_c ≤ 1 with t columns, by FISTA in H and C alternately.

    Attributes
    ----------
    columns : int, t
    starts : int
        Number of random dictionaries that descend in parallel; the best is recorded, all are counted.
    start_from : {"random", "svd"}
        Columns of C: random on their spheres, or the leading left singular vectors of each view of the data.
    codes : {"zero", "random"}
        First value of H (unstated choice U18).
    inner : int
        Number of FISTA steps for each block (unstated choice U20).
    redraw : int
        Largest number of new dictionaries, of one FO each, that are drawn while H = 0 is a fixed point.
    step_size : {"backtracking", "constant"}
        Step size of FISTA (unstated choice U19).
    tol : float
        A block ends if its relative change is below `tol`.
    """

    columns: Count = 10
    starts: Count = 1
    start_from: Literal["random", "svd"] = "random"
    codes: Literal["zero", "random"] = "zero"
    inner: Count = 10
    redraw: Natural = 0
    step_size: Literal["backtracking", "constant"] = "backtracking"
    tol: NotNegative = 1e-6

    families = (regularised.FAMILY,)

    def start(self, oracles, rng):
        """Dictionaries, and codes of zero."""
        return State([self._descent(oracles, rng) for _ in range(self.starts)])

    def _descent(self, oracles, rng):
        rows, columns = oracles.problem.shape
        U = oracles.constraint.random_columns(rng, rows, self.columns)
        if self.start_from == "svd":  # and random ones where there are fewer
            leading = oracles.constraint.leading_columns(oracles.problem.target, self.columns)
            U = np.concatenate([leading, U[:, leading.shape[1] :]], axis=1)
        for _ in range(self.redraw):
            if not trapped(oracles, U):
                break
            U = oracles.constraint.random_columns(rng, rows, self.columns)
        V = np.zeros((columns, self.columns))
        if self.codes == "random":
            V = rng.standard_normal(V.shape)
            V /= np.linalg.norm(V, axis=0)
        image = oracles.image(U, V)
        total = oracles.value(image) + oracles.constraint.weight * float(np.linalg.norm(V, axis=0).sum())
        return Descent(U, V, image, total)

    def step(self, oracles, s, rng):
        """Both blocks of every descent once."""
        s.runs = [run if run.stuck else self._both_blocks(oracles, run) for run in s.runs]
        return s

    def _both_blocks(self, oracles, run):
        options = {"iterations": self.inner, "tol": self.tol, "backtrack": self.step_size == "backtracking"}
        codes = Codes(oracles, run.U)
        V, image, L_codes, _ = fista(oracles, codes, run.V, run.image, run.L_codes, **options)
        if not V.any():  # the dictionary sees no gradient
            stuck = not run.V.any()
            return Descent(run.U, V, image, oracles.value(image), L_codes, run.L_dictionary, stuck)
        dictionary = Dictionary(oracles, V)
        U, image, L_dictionary, loss = fista(oracles, dictionary, run.U, image, run.L_dictionary, **options)
        return Descent(U, V, image, loss + codes.penalty(V), L_codes, L_dictionary)


def trapped(oracles, U) -> bool:
    """Whether H = 0 is a fixed point for this dictionary: max_i ‖C_iᵀ∇ℓ(0)‖ ≤ λ."""
    zero = np.zeros((oracles.problem.shape[1], U.shape[1]))
    slopes = oracles.slopes(oracles.image(U, zero))
    norms = np.linalg.norm(oracles.right_product(slopes, U), axis=0)
    return bool(norms.max() <= oracles.constraint.weight)


def fista(oracles, block, x, image, last, *, iterations: int, tol: float, backtrack: bool):
    """The best point of `iterations` FISTA steps (Beck and Teboulle 2009) for ℓ(image of x) + penalty(x).

    Parameters
    ----------
    oracles : Oracles
        ``value_and_slopes`` and ``value`` of the loss, in image space.
    block : object
        ``image(x)``, linear; ``gradient(slopes)``, its adjoint; ``prox(z, L)``; ``penalty(x)``; ``worst``, a
        Lipschitz constant of the gradient.
    x, image : the start, with its image
    last : float
        The L that the last call ended with, 0 at first.
    tol : float
        Stops when a step moves x by less than tol·‖x‖.
    backtrack : bool
        L ← 2L until the quadratic bound holds; else L is the worst case (deviation U19).

    Returns
    -------
    x, image, L, total : the best point seen, the last L, and ℓ + penalty there
    """
    L = max(EASED * last, LEAST * block.worst) if backtrack else block.worst
    best = oracles.value(image) + block.penalty(x), x, image
    y, y_image, t = x, image, 1.0
    for _ in range(iterations):
        value, slopes = oracles.value_and_slopes(y_image)
        gradient = block.gradient(slopes)
        while True:
            following = block.prox(y - gradient / L, L)
            its_image = block.image(following)
            its_value = oracles.value(its_image)
            change = following - y
            bound = value + float(np.vdot(gradient, change)) + 0.5 * L * float(np.vdot(change, change))
            if block.worst <= L or its_value <= bound + ROUNDING * abs(value):
                break
            L = min(2.0 * L, block.worst)
        total = its_value + block.penalty(following)
        if total < best[0]:
            best = total, following, its_image
        step = following - x
        after = (1.0 + math.sqrt(1.0 + 4.0 * t * t)) / 2.0
        momentum = (t - 1.0) / after
        y, y_image = following + momentum * step, its_image + momentum * (its_image - image)
        x, image, t = following, its_image, after
        if np.linalg.norm(step) <= tol * np.linalg.norm(x):
            break
    return best[1], best[2], L, best[0]


class Codes:
    """The block H = Vᵀ for a fixed dictionary U: group shrinkage of the rows of H."""

    def __init__(self, oracles, U):
        self.oracles, self.U, self.weight = oracles, U, oracles.constraint.weight
        self.worst = oracles.constants["L_full"] * np.linalg.norm(U, 2) ** 2

    def image(self, V):
        return self.oracles.image(self.U, V)

    def gradient(self, slopes):
        return self.oracles.right_product(slopes, self.U)

    def prox(self, Z, L):
        norms = np.linalg.norm(Z, axis=0)
        with np.errstate(divide="ignore"):
            return Z * np.maximum(1.0 - self.weight / (L * norms), 0.0)

    def penalty(self, V):
        return self.weight * float(np.linalg.norm(V, axis=0).sum())


class Dictionary:
    """The block C = U for fixed codes V: each column stays in the unit ball of the c-norm."""

    def __init__(self, oracles, V):
        self.oracles, self.V = oracles, V
        self.worst = oracles.constants["L_full"] * np.linalg.norm(V, 2) ** 2

    def image(self, U):
        return self.oracles.image(U, self.V)

    def gradient(self, slopes):
        return self.oracles.left_product(slopes, self.V)

    def prox(self, Z, L):
        return self.oracles.constraint.project_columns(Z)

    def penalty(self, U):
        return 0.0
