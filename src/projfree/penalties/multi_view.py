"""The norm of multi-view dictionaries: atoms (a; b)vᵀ with ‖a‖ ≤ β, ‖b‖ ≤ γ, ‖v‖ ≤ 1 (gcg (57), (58))."""

from dataclasses import dataclass

import numpy as np

from ..common.names import unknown
from ..common.parameters import Count, NotNegative, Positive, checked
from ..families import regularised
from ..linalg.scaling import resized, times_power
from ..linalg.validation import finite, matrix
from .polar import Polar, two_view

NOISE = 0.1  # of a warm start: the last right vector is stationary for the old gradient


@checked
@dataclass(frozen=True)
class Penalty:
    """λκ with κ(W) = min Σ‖U_i‖_c‖V_i‖ over U Vᵀ = W and ‖(a; b)‖_c = max(‖a‖/β, ‖b‖/γ).

    κ has no closed form; `value` is the bound Σ‖U_i‖_c‖V_i‖ of the current factors.

    Attributes
    ----------
    weight : float, λ
    views : (int, int), rows n1 and n2 of the two views
    radii : (float, float), β and γ
    tol, max_iterations : stopping rule of the power iteration for the polar (unstated choice U16)
    certify : largest accepted excess over 1 in (61); beyond it the dual is solved
    """

    weight: NotNegative
    views: tuple[Count, Count]
    radii: tuple[Positive, Positive] = (1.0, 1.0)
    tol: NotNegative = 1e-6
    max_iterations: Count = 500
    certify: NotNegative = two_view.CERTIFIED
    family = regularised.FAMILY

    @classmethod
    def for_problem(
        cls,
        problem,
        weight: NotNegative,
        beta: Positive = 1.0,
        gamma: Positive = 1.0,
        tol: NotNegative = 1e-6,
        max_iterations: Count = 500,
        certify: NotNegative = two_view.CERTIFIED,
    ):
        """λ, β and γ as numbers; the sizes of the views are the problem's."""
        radii = float(beta), float(gamma)
        return cls(float(weight), tuple(problem.views), radii, tol, max_iterations, certify)

    def polar(self, G, *, start=None, rng, tol=None, method="power") -> Polar:
        """The atom that maximises ⟨A, G⟩: u = (βa; γb), v unit; value ≤ κ°(G) ≤ bound.

        Parameters
        ----------
        G : ndarray (n1 + n2, m), the negative gradient
        start : ndarray (m,), optional
            Right vector to start the power iteration; random by default.
        tol : ignored; the certificate (61) decides.
        method : {"power", "dual"}
        """
        G = finite("multi_view: G", matrix("multi_view: G", G, (sum(self.views), None)))
        G, e = resized(G)
        scaled = [r * block for r, block in zip(self.radii, self.blocks(G), strict=True)]
        first, second = (block.T @ block for block in scaled)
        noise = rng.standard_normal(G.shape[1])
        noise /= np.linalg.norm(noise)
        v = noise if start is None else start + NOISE * noise
        v /= np.linalg.norm(v)
        rules = self.tol, self.max_iterations, self.certify, method
        point = two_view.polar(first, second, v, *rules)
        u = np.concatenate([r * _unit(G_i @ point.v) for r, G_i in zip(self.radii, scaled, strict=True)])
        if point.value == 0.0:
            u[0] = self.radii[0]
        value, bound = times_power(point.value, e), times_power(point.bound, e)
        return Polar(u, point.v, value, bound, point.certified, 2 * point.iterations, point.v)

    def column_norms(self, U) -> np.ndarray:
        """‖U_i‖_c of each column."""
        return np.sqrt(self._block_squares(U).max(axis=0))

    def sizes(self, U, V) -> np.ndarray:
        """‖U_i‖_c ‖V_i‖ of each column pair."""
        return self.column_norms(U) * _norms(V)

    def value(self, U, V) -> float:
        """Σ‖U_i‖_c‖V_i‖ ≥ κ(U Vᵀ)."""
        return float(self.sizes(U, V).sum())

    def bound(self, U, V) -> float:
        """ρ = ½Σ(‖U_i‖_c² + ‖V_i‖²) ≥ κ(U Vᵀ), gcg (54)."""
        return 0.5 * float(self._block_squares(U).max(axis=0).sum() + np.sum(V * V))

    def factor_penalty(self, U, V):
        """(ρ, ∂ρ/∂U, ∂ρ/∂V); for U_i the subgradient of the larger block, in a tie of the first (U21)."""
        squares = self._block_squares(U)
        first = squares[0] >= squares[1]
        gU = U.copy()
        for block, radius, active in zip(self.blocks(gU), self.radii, (first, ~first), strict=True):
            block *= active / radius**2
        return 0.5 * float(squares.max(axis=0).sum() + np.sum(V * V)), gU, V.copy()

    def balance(self, U, V):
        """Columns rescaled so that ‖U_i‖_c = ‖V_i‖; zero columns are unchanged."""
        left, right = self.column_norms(U), _norms(V)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.where((left > 0) & (right > 0), np.sqrt(right / left), 1.0)
        return U * ratio, V / ratio

    def random_columns(self, rng, rows: int, columns: int, law: str = "spheres") -> np.ndarray:
        """Columns of unit c-norm, independent of each other (rows, columns).

        ``spheres``: each block uniform on its own sphere; ``joint``: both together on the unit sphere, as the
        paper says, scaled to unit c-norm (unstated choice U8).
        """
        U = rng.standard_normal((rows, columns))
        if law == "joint":
            return U / self.column_norms(U)
        if law != "spheres":
            raise ValueError(unknown("law of random columns", law, ["spheres", "joint"], "multi_view"))
        return self.on_spheres(U)

    def leading_columns(self, data, columns: int) -> np.ndarray:
        """Left singular vectors of each view, on their spheres; no more than both views have."""
        vectors = [np.linalg.svd(block, full_matrices=False)[0][:, :columns] for block in self.blocks(data)]
        least = min(block.shape[1] for block in vectors)
        return self.on_spheres(np.concatenate([block[:, :least] for block in vectors]))

    def on_spheres(self, U) -> np.ndarray:
        """Columns with both blocks scaled to their spheres; a block of zero stays zero."""
        pairs = zip(self.radii, self.blocks(U), strict=True)
        return np.concatenate([block * (r / _or_one(_norms(block))) for r, block in pairs])

    def project_columns(self, U) -> np.ndarray:
        """The nearest columns of c-norm at most 1: each block onto its ball."""
        pairs = zip(self.radii, self.blocks(U), strict=True)
        return np.concatenate([block * np.minimum(1.0, r / _or_one(_norms(block))) for r, block in pairs])

    def blocks(self, U):
        """The rows of the two views, as views of the array."""
        return U[: self.views[0]], U[self.views[0] :]

    def _block_squares(self, U):
        """(‖a_i‖/β)² and (‖b_i‖/γ)² of each column: (2, k)."""
        pairs = zip(self.radii, self.blocks(U), strict=True)
        return np.stack([np.einsum("ij,ij->j", block, block) / radius**2 for radius, block in pairs])


def _norms(V):
    return np.sqrt(np.einsum("ij,ij->j", V, V))


def _or_one(norms):
    return np.where(norms > 0.0, norms, 1.0)


def _unit(a):
    """a/‖a‖, or 0 for a zero vector: a zero block is allowed, since ‖(a; 0)‖_c = 1."""
    norm = np.linalg.norm(a)
    return a / norm if norm > 0.0 else np.zeros_like(a)
