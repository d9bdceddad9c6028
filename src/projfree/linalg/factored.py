"""Iterates of the atomic penalties: W as factors or as weighted atoms, with the image that the loss sees.

Next to W there is ρ, an upper bound of the penalty κ(W), which the methods carry along instead of κ (gcg
§3.2).
"""

from dataclasses import dataclass, replace

import numpy as np

from projfree.linalg.compiled import njit
from projfree.linalg.low_rank import orthonormal


class Factored:
    """W = U Vᵀ for a subclass with U (m, k) and V (n, k)."""

    U: np.ndarray
    V: np.ndarray

    @property
    def shape(self) -> tuple[int, int]:
        return self.U.shape[0], self.V.shape[0]

    def factors(self):
        """(U, w, V) as a trace stores them: in single precision, for there are many runs."""
        return self.U.astype(np.float32), np.ones(self.U.shape[1]), self.V.astype(np.float32)

    def toarray(self) -> np.ndarray:
        return self.U @ self.V.T


@dataclass
class Factors(Factored):
    """W = U Vᵀ with U (m, k), V (n, k), C-contiguous; its image under the loss's linear map; ρ ≥ κ(W)."""

    U: np.ndarray
    V: np.ndarray
    image: np.ndarray
    rho: float = 0.0

    @property
    def rank(self) -> int:
        """Number of columns kept."""
        return self.U.shape[1]

    def moved(self, keep: float, theta: float, u, v, image) -> "Factors":
        """keep·W + theta·u vᵀ for u (m, j), v (n, j) of ρ = 1, given the image of u vᵀ.

        √keep on the old columns, √theta on the new, and ½Σ(‖U_i‖² + ‖V_i‖²) becomes keep·ρ + theta (gcg Prop.
        16). What has weight 0 leaves no column: (0, 0) is stationary for the factored objective, so it would
        never come back.
        """
        parts = [(np.sqrt(a), A, B) for a, A, B in ((keep, self.U, self.V), (theta, u, v)) if a]
        parts = parts or [(0.0, u[:, :0], v[:, :0])]
        U = np.concatenate([root * A for root, A, _ in parts], axis=1)
        V = np.concatenate([root * B for root, _, B in parts], axis=1)
        return Factors(U, V, combined(keep, self.image, theta, image), keep * self.rho + theta)

    def inner(self, u, v) -> float:
        """⟨u vᵀ, W⟩."""
        return float((u @ self.U) @ (v @ self.V))


@dataclass
class WeightedAtoms(Factored):
    """W = Σ w_i u_i v_iᵀ that grows by an atom a step in O(m + n): the rows of `left`, `right` are the atoms.

    `left` (capacity, m), `right` (capacity, n) and `weights` (capacity,) are larger; the first
    `count` hold. Iterates of one run share the atoms: one that is not the last must not grow again.
    """

    left: np.ndarray
    right: np.ndarray
    weights: np.ndarray
    count: int
    image: np.ndarray
    rho: float = 0.0

    @classmethod
    def zero(cls, shape, image, capacity=16) -> "WeightedAtoms":
        """No atoms, and the image of 0."""
        left, right = np.zeros((capacity, shape[0])), np.zeros((capacity, shape[1]))
        return cls(left, right, np.zeros(capacity), 0, image)

    @property
    def shape(self) -> tuple[int, int]:
        return self.left.shape[1], self.right.shape[1]

    @property
    def rank(self) -> int:
        """Number of atoms with a weight."""
        return int(np.count_nonzero(self.weights[: self.count]))

    @property
    def U(self) -> np.ndarray:  # type: ignore[override]
        """Left factor (m, rank): √w_i u_i of the atoms with a weight."""
        return self._side(self.left)

    @property
    def V(self) -> np.ndarray:  # type: ignore[override]
        """Right factor (n, rank)."""
        return self._side(self.right)

    def _side(self, atoms):
        weights = self.weights[: self.count]
        weighted = np.flatnonzero(weights)
        return np.ascontiguousarray((np.sqrt(weights[weighted])[:, None] * atoms[weighted]).T)

    def appended(self, u, v, weight: float, image, rho: float) -> "WeightedAtoms":
        """With one more atom, given the image and the ρ of the result."""
        left, right, weights = self.left, self.right, self.weights.copy()
        if self.count == weights.size:
            left, right, weights = (np.concatenate([a, np.zeros_like(a)]) for a in (left, right, weights))
        left[self.count], right[self.count], weights[self.count] = u, v, weight
        return WeightedAtoms(left, right, weights, self.count + 1, image, rho)

    def moved(self, keep: float, theta: float, u, v, image) -> "WeightedAtoms":
        """keep·W + theta·u vᵀ for one atom u (m, 1), v (n, 1) with its image; a theta of 0 adds none."""
        image, rho = combined(keep, self.image, theta, image), keep * self.rho + theta
        scaled = replace(self, weights=keep * self.weights, image=image, rho=rho)
        return scaled.appended(u[:, 0], v[:, 0], theta, image, rho) if theta else scaled

    def inner(self, u, v) -> float:
        """⟨u vᵀ, W⟩."""
        held = slice(0, self.count)
        return float(self.weights[held] @ ((self.left[held] @ u) * (self.right[held] @ v)))


def combined(keep: float, w, theta: float, p):
    """keep·w + theta·p without a temporary: images may have 10^8 entries, or be known by factors alone."""
    if not isinstance(w, np.ndarray):
        return w.combined(keep, theta, p)
    result = np.empty_like(w)
    _combine(keep, w.ravel(), theta, p.ravel(), result.ravel())
    return result


@njit
def _combine(keep, w, theta, p, result):
    for k in range(p.size):
        result[k] = keep * w[k] + theta * p[k]


def balanced(U, V):
    """Factors of the same U Vᵀ from its singular value decomposition, ‖U_i‖² = ‖V_i‖² = σ_i, and the σ (k,).

    By bases of both factors and an SVD of the k×k core, O((m + n)k²); with more columns than a side has rows,
    k is that side. Columns come in order of σ, those that are zero too.
    """
    # an orthonormal basis of a space that has the columns in it: of the whole, where they are many
    left, right = (orthonormal(A) if A.shape[1] < A.shape[0] else np.eye(A.shape[0]) for A in (U, V))
    A, sigma, Bt = np.linalg.svd((left.T @ U) @ (right.T @ V).T, full_matrices=False)
    root = np.sqrt(sigma)
    return left @ (A * root), right @ (Bt.T * root), sigma
