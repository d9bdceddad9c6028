"""Totally corrective weights: min over σ ≥ 0 of ℓ(Σ σ_τ u_τ v_τᵀ) + λΣσ_τ (gcg eq. 42), and their buffers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from .conic_search import products


@dataclass
class Gram:
    """For the square loss G_ts = ⟨P(A_t), P(A_s)⟩ and b_t = ⟨P(A_t), P(X)⟩ are all of (42)."""

    G: np.ndarray
    b: np.ndarray

    @classmethod
    def empty(cls, oracles):
        return cls(np.zeros((0, 0)), np.zeros(0))

    def add(self, oracles, atoms, p):
        """One more atom, the last of `atoms`, with its image p: one sweep over the data for a whole row."""
        held = slice(0, atoms.count)
        row = oracles.problem.atom_products(p, atoms.left[held].T, atoms.right[held].T)
        *_, px = products(p, p, oracles.problem.target)
        G = np.empty((atoms.count, atoms.count))
        G[:-1, :-1], G[-1], G[:, -1] = self.G, row, row
        self.G, self.b = G, np.append(self.b, px)

    def minimise(self, oracles, atoms, options):
        """The weights (t,) by L-BFGS-B, starting with the weights of the atoms."""
        linear = self.b - oracles.constraint.weight

        def value_and_gradient(sigma):
            image = self.G @ sigma
            return sigma @ (image / 2 - linear), image - linear

        return _nonnegative(value_and_gradient, atoms.weights[: atoms.count], options)

    def coordinate_pass(self, oracles, atoms):
        """The weights after exact steps on the new atom, then on each old one, clipped at 0 (U11)."""
        sigma = atoms.weights[: atoms.count].copy()
        gradient = self.G @ sigma - self.b + oracles.constraint.weight
        for i in (atoms.count - 1, *range(atoms.count - 1)):
            following = max(sigma[i] - gradient[i] / self.G[i, i], 0.0) if self.G[i, i] > 0 else 0.0
            gradient += (following - sigma[i]) * self.G[i]
            sigma[i] = following
        return sigma

    def active_set(self, oracles, atoms, most, accuracy):
        """The weights (t,) exactly, starting with the weights of the atoms: see `nonnegative_minimiser`."""
        linear = self.b - oracles.constraint.weight
        return nonnegative_minimiser(self.G, linear, atoms.weights[: atoms.count], most, accuracy)


def nonnegative_minimiser(G, linear, start, most, accuracy):
    """argmin ½σᵀGσ − linearᵀσ, σ ≥ 0, by active sets (Lawson and Hanson 1974) from the support of `start`.

    Ends when no slope is below −accuracy, after at most `most` linear systems of the size of the support. A
    ridge of rounding's size decides between equal atoms.
    """
    sigma, support = start.copy(), start > 0
    for _ in range(most):
        held = np.flatnonzero(support)
        block = G[np.ix_(held, held)]
        block.flat[:: held.size + 1] += RIDGE * np.trace(block)
        target = np.linalg.solve(block, linear[held]) if held.size else np.zeros(0)
        blocked = target <= 0
        if blocked.any():
            reach = sigma[held][blocked] / (sigma[held][blocked] - target[blocked] + TINY)
            sigma[held] += reach.min() * (target - sigma[held])
            support[held[blocked][reach <= reach.min()]] = False
            sigma[~support] = 0.0
            continue
        sigma[held] = target
        slopes = np.where(support, np.inf, G @ sigma - linear)
        if slopes.min() >= -accuracy:
            break
        support[np.argmin(slopes)] = True
    return np.maximum(sigma, 0.0)


RIDGE, TINY = 1e-15, 1e-300


@dataclass
class Embedded:
    """Other losses see W through X U: its columns a_τ = X u_τ are kept, so that no evaluation touches X."""

    left: np.ndarray  # (m, t)

    @classmethod
    def empty(cls, oracles):
        return cls(oracles.problem.left(np.zeros((oracles.problem.shape[0], 0))))

    def add(self, oracles, atoms, p):
        """One more atom."""
        self.left = np.c_[self.left, oracles.problem.left(atoms.left[atoms.count - 1])]

    def minimise(self, oracles, atoms, options):
        """The weights (t,) by L-BFGS-B: 1 FO an evaluation."""
        right, weight = atoms.right[: atoms.count], oracles.constraint.weight

        def value_and_gradient(sigma):
            value, slopes = oracles.value_and_slopes((self.left * sigma) @ right)
            return value + weight * sigma.sum(), np.sum(self.left * (slopes @ right.T), axis=0) + weight

        return _nonnegative(value_and_gradient, atoms.weights[: atoms.count], options)


def _nonnegative(value_and_gradient, start, options):
    bounds = [(0.0, None)] * start.size
    result = minimize(value_and_gradient, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
    return result.x
