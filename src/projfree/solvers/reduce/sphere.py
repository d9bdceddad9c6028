"""Local improvement that keeps each block of a column on its sphere: the multi-view Reduce without its kink.

The extreme atoms have ‖a‖ = β and ‖b‖ = γ, so κ is unchanged if only those are admitted. With
a_i = βs_i p_i/‖p_i‖, b_i = γs_i q_i/‖q_i‖ the penalty of gcg (53) is ½λΣ(s_i² + ‖V_i‖²): smooth away from
p, q = 0, whereas max(‖a_i‖/β, ‖b_i‖/γ) has its kink where every optimal atom sits (gcg U21).
"""

from dataclasses import dataclass

import numpy as np

from . import lbfgs

#: Columns whose scale s is smaller are left out before: their directions mean nothing.
LEAST_SCALE = 1e-12


@dataclass(frozen=True)
class Policy(lbfgs.Policy):
    """As `lbfgs`, in the variables (s, p, q, V)."""

    def minimise(self, oracles, U, V):
        """The best factors that L-BFGS saw at the end of an iteration, or (U, V)."""
        penalty = oracles.constraint
        U, V = lbfgs.alive(penalty, *penalty.balance(U, V), LEAST_SCALE)
        if not all(block.any(axis=0).all() for block in penalty.blocks(U)):
            return super().minimise(oracles, U, V)  # a missing block has no direction
        chart, values = Chart(penalty, U.shape, V.shape), []

        def surrogate(z):
            scales, directions, lengths, codes = chart.parted(z)
            loss, left, right = oracles.factor_gradients(chart.columns(scales, directions), codes)
            along, across = chart.slopes(left, scales, directions, lengths)
            along += penalty.weight * scales
            right += penalty.weight * codes
            rho = 0.5 * float(np.vdot(scales, scales) + np.vdot(codes, codes))
            values.append(loss + penalty.weight * rho)
            return values[-1], np.concatenate([along, across.ravel(), right.ravel()])

        result = self.descend(oracles, surrogate, chart.start(U, V), values, chart.factors)
        return (U, V) if result is None else chart.factors(result)


class Chart:
    """Columns U_i = s_i (β p_i/‖p_i‖; γ q_i/‖q_i‖) and codes V as one vector (s, (p; q), V)."""

    def __init__(self, penalty, left, right):
        self.penalty, self.left, self.right = penalty, left, right
        self.cuts = np.cumsum([left[1], left[0] * left[1]])

    def start(self, U, V):
        """With ‖p_i‖ = ‖q_i‖ = s_i, the c-norm of U_i."""
        scales = self.penalty.column_norms(U)
        blocks = self.penalty.blocks(U)
        directions = np.concatenate([block * (scales / np.linalg.norm(block, axis=0)) for block in blocks])
        return np.concatenate([scales, directions.ravel(), V.ravel()])

    def parted(self, z):
        """s, the unit directions p̂ and q̂, their former lengths, V."""
        scales, directions, codes = np.split(z, self.cuts)
        units, lengths = [], []
        for block in self.penalty.blocks(directions.reshape(self.left)):
            lengths.append(np.sqrt(np.einsum("ij,ij->j", block, block)))
            units.append(block / lengths[-1])
        return scales, units, lengths, codes.reshape(self.right)

    def factors(self, z):
        """U and V."""
        scales, directions, _, codes = self.parted(z)
        return self.columns(scales, directions), np.ascontiguousarray(codes)

    def columns(self, scales, directions):
        """U."""
        pairs = zip(self.penalty.radii, directions, strict=True)
        return np.concatenate([radius * scales * unit for radius, unit in pairs])

    def slopes(self, left, scales, directions, lengths):
        """From ∂ℓ/∂U: ∂s = p̂ᵀg_a + q̂ᵀg_b and ∂p = (s/‖p‖)(I − p̂p̂ᵀ)g_a with g_a = β∂ℓ/∂a, g_b likewise."""
        along, across = np.zeros(scales.size), []
        blocks = self.penalty.blocks(left)
        for radius, g, unit, length in zip(self.penalty.radii, blocks, directions, lengths, strict=True):
            component = np.einsum("ij,ij->j", unit, g)
            along += radius * component
            across.append(radius * scales / length * (g - unit * component))
        return along, np.concatenate(across)
