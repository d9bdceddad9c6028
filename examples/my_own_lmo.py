"""My own linear minimisation oracle
=================================

A set of one's own, the ellipsoid {x : xᵀDx ≤ 1}: `lmo`, `support`, `gauge` and `bound` are enough.
"""

from dataclasses import dataclass

import matplotlib.pyplot as plt
import numpy as np

import projfree as pf


@dataclass(frozen=True, eq=False)
class Ellipsoid:
    """{x : Σ d_i x_i² ≤ 1}."""

    d: np.ndarray
    bound = 1.0

    def support(self, G):
        """max ⟨G, x⟩ = √(Σ G_i²/d_i)."""
        return float(np.sqrt(np.sum(G**2 / self.d)))

    def lmo(self, G, *, start=None, rng=None, tol=0.0):
        """argmin ⟨G, x⟩ = −D⁻¹G/√(GᵀD⁻¹G)."""
        return -G / self.d / self.support(G)

    def gauge(self, x):
        """√(xᵀDx)."""
        return float(np.sqrt(np.sum(self.d * x**2)))


# %%
# The callback keeps the iterates; the run ends by the certificate, which the four functions suffice for.
aim, ellipse = np.array([2.0, 2.0]), Ellipsoid(np.array([1.0, 9.0]))
seen = []
found = pf.minimize(
    lambda x: (0.5 * (x - aim) @ (x - aim), x - aim),
    ellipse,
    x0=np.zeros(2),
    tol=1e-6,
    callback=lambda progress: seen.append(progress.x.copy()),
)
angle = np.linspace(0, 2 * np.pi, 200)
plt.plot(np.cos(angle), np.sin(angle) / 3, label="the set")
plt.plot(*np.array(seen).T, "o-", label=f"iterates, gap {found.gap:.1g}")
plt.plot(*aim, "*", label="aim")
plt.gca().set_aspect("equal")
plt.legend()
plt.show()
