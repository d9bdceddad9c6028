"""Matrices of rank p as W = U B Vᵀ modulo rotations: the quotient geometry that MMBS descends on.

Mishra, Meyer, Bach and Sepulchre (2013), "Low-rank optimization with trace norm penalty". U (m, p), V (n, p)
have orthonormal columns, B is symmetric positive definite; (UO, OᵀBO, VO) is the same W. Every point here is
turned so that B = diag(b): all that involves B⁻¹ is a division then. Derivations: docs/replication-notes.md.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass
class Point:
    """W = U diag(b) Vᵀ with b > 0."""

    U: np.ndarray
    b: np.ndarray
    V: np.ndarray

    @property
    def rank(self) -> int:
        return self.b.size

    @property
    def dimension(self) -> int:
        """Dimension of the manifold: (m + n − p)p."""
        return (self.U.shape[0] + self.V.shape[0] - self.rank) * self.rank


@dataclass
class Tangent:
    """(ξ_U, ξ_B, ξ_V), ξ_B (p, p) symmetric; also any such triple before it is projected."""

    U: np.ndarray
    B: np.ndarray
    V: np.ndarray

    def __add__(self, other):
        return Tangent(self.U + other.U, self.B + other.B, self.V + other.V)

    def __mul__(self, scale: float):
        return Tangent(scale * self.U, scale * self.B, scale * self.V)


def sym(A):
    """(A + Aᵀ)/2."""
    return (A + A.T) / 2


def skew(A):
    """(A − Aᵀ)/2."""
    return (A - A.T) / 2


def inner(x: Point, a: Tangent, c: Tangent) -> float:
    """tr a_Uᵀc_U + tr B⁻¹a_B B⁻¹c_B + tr a_Vᵀc_V."""
    return float(np.vdot(a.U, c.U) + np.vdot(a.B / np.outer(x.b, x.b), c.B) + np.vdot(a.V, c.V))


def norm(x: Point, a: Tangent) -> float:
    """√⟨a, a⟩."""
    return inner(x, a, a) ** 0.5


def along_stiefel(U, Z):
    """Z − U Sym(UᵀZ): the tangent part at U of the orthonormal columns."""
    return Z - U @ sym(U.T @ Z)


def vertical_defect(x: Point, a: Tangent):
    """Skew(Uᵀa_U) + Skew(Vᵀa_V) + a_B B⁻¹ − B⁻¹a_B, which vanishes only if a is horizontal."""
    return skew(x.U.T @ a.U) + skew(x.V.T @ a.V) + a.B / x.b - a.B / x.b[:, None]


def horizontal(x: Point, a: Tangent) -> Tangent:
    """a less its part (UΩ, BΩ − ΩB, VΩ) along the rotations: Ω_ij (b_i/b_j + b_j/b_i) = defect_ij."""
    ratio = np.divide.outer(x.b, x.b)
    omega = vertical_defect(x, a) / (ratio + ratio.T)
    turned = x.b[:, None] * omega - omega * x.b
    return Tangent(a.U - x.U @ omega, sym(a.B - turned), a.V - x.V @ omega)


def gradient(x: Point, left, right, weight: float):
    """The Riemannian gradient of f(W) + λ tr B from left = ∇f V, right = ∇fᵀU, and the Euclidean part of B.

    It is horizontal, because the function does not change along the rotations.
    """
    of_B = sym(x.U.T @ left) + weight * np.eye(x.rank)
    along_B = np.outer(x.b, x.b) * of_B
    return Tangent(along_stiefel(x.U, left * x.b), along_B, along_stiefel(x.V, right * x.b)), of_B


def change_factors(x: Point, a: Tangent):
    """Factors (m, 2p), (n, 2p) of DW[a] = a_U B Vᵀ + U a_B Vᵀ + U B a_Vᵀ."""
    left = np.concatenate([a.U, x.U], axis=1)
    return left, np.concatenate([x.V * x.b, x.V @ a.B + a.V * x.b], axis=1)


def hessian(x: Point, a: Tangent, of_B, known, change) -> Tangent:
    """The Riemannian Hessian along a horizontal a.

    Parameters
    ----------
    of_B : Euclidean gradient of B, from `gradient`.
    known : (SV, SᵀU, Sa_V, Sᵀa_U) with S = ∇f.
    change : (ṠV, ṠᵀU) with Ṡ the derivative of ∇f along DW[a].
    """
    left, right, left_a, right_a = known
    left_dot, right_dot = change
    d_U = left_dot * x.b + left_a * x.b + left @ a.B
    d_V = right_dot * x.b + right_a * x.b + right @ a.B
    d_B = sym(a.U.T @ left + x.U.T @ left_dot + x.U.T @ left_a)
    along_U = along_stiefel(x.U, d_U - a.U @ sym(x.U.T @ (left * x.b)))
    along_V = along_stiefel(x.V, d_V - a.V @ sym(x.V.T @ (right * x.b)))
    along_B = np.outer(x.b, x.b) * d_B + sym(a.B @ of_B * x.b)
    return horizontal(x, Tangent(along_U, along_B, along_V))


def retract(x: Point, a: Tangent) -> Point:
    """Polar factors of U + a_U and V + a_V, B^½ exp(B^−½ a_B B^−½) B^½: of second order; B diagonal again.

    b may overflow to ∞ or NaN along a step that is far too long; the caller looks at the value there.
    """
    root = np.sqrt(x.b)
    rates, turn = np.linalg.eigh(sym(a.B) / np.outer(root, root))
    with np.errstate(over="ignore", invalid="ignore"):
        half = root[:, None] * turn * np.exp(rates / 2)
    if not np.isfinite(half).all():
        return Point(x.U, np.full(x.rank, np.nan), x.V)
    turned, s, _ = np.linalg.svd(half)
    return Point(_orthonormal(x.U + a.U) @ turned, s**2, _orthonormal(x.V + a.V) @ turned)


def _orthonormal(A):
    """The polar factor A(AᵀA)^(−1/2)."""
    left, _, right = np.linalg.svd(A, full_matrices=False)
    return left @ right
