"""Lazy Frank-Wolfe: routes through a congested grid
=================================================

A unit of traffic crosses a town. The flows are a polytope whose vertices are paths, too many to list.
"""

import matplotlib.pyplot as plt
import numpy as np

import projfree as pf

SIDE = 12  # crossings a side; streets lead right and down
CUT = SIDE * (SIDE - 1)  # streets to the right come first in a vector of flows


def streets(x):
    """What belongs to streets to the right (SIDE, SIDE − 1), and to those down (SIDE − 1, SIDE)."""
    return x[:CUT].reshape(SIDE, SIDE - 1), x[CUT:].reshape(SIDE - 1, SIDE)


# %%
# A set needs `lmo`, `support`, `gauge` and `bound`. Here a linear minimisation is a shortest path, by dynamic
# programming, and the gauge is 1 for a flow that gains and loses nothing on its way.
class Flows:
    """Unit flows from the first crossing to the last."""

    bound, is_polytope = 1.0, True

    def lmo(self, G, *, start=None, rng=None, tol=0.0):
        """The path of least cost, as a flow."""
        right, down = streets(G)
        left = np.full((SIDE + 1, SIDE + 1), np.inf)  # what is left to pay from each crossing
        left[SIDE - 1, SIDE - 1] = 0.0
        for i, j in list(np.ndindex(SIDE, SIDE))[-2::-1]:
            by_right = right[i, j] + left[i, j + 1] if j < SIDE - 1 else np.inf
            by_down = down[i, j] + left[i + 1, j] if i < SIDE - 1 else np.inf
            left[i, j] = min(by_right, by_down)
        flow, i, j = np.zeros(G.size), 0, 0
        across, along = streets(flow)
        while (i, j) != (SIDE - 1, SIDE - 1):
            if j < SIDE - 1 and left[i, j] == right[i, j] + left[i, j + 1]:
                across[i, j], j = 1.0, j + 1
            else:
                along[i, j], i = 1.0, i + 1
        return flow

    def support(self, G):
        """max ⟨G, x⟩: the path of most cost."""
        return float(G @ self.lmo(-G))

    def gauge(self, x):
        """1, and the largest loss or gain at a crossing or flow against a street."""
        (across, along), net = streets(x), np.zeros((SIDE, SIDE))
        net[:, :-1] -= across
        net[:, 1:] += across
        net[:-1] -= along
        net[1:] += along
        net[0, 0] += 1.0
        net[-1, -1] -= 1.0
        return 1.0 + float(np.max([np.abs(net).max(), -x.min(), 0.0]))


# %%
# A street takes longer the more traffic it has, by its own slope. The least total is Beckmann's equilibrium:
# no driver gains by another path.
rng = np.random.default_rng(0)
empty, slope = rng.uniform(0.5, 1.5, 2 * CUT), rng.uniform(2, 10, 2 * CUT)


def congestion(x):
    """Beckmann's potential, and the time that each street takes."""
    return float(empty @ x + slope @ x**2 / 2), empty + slope * x


# %%
# All methods may ask for 150 shortest paths. The lazy ones first look at the paths that they have seen, and
# ask for a new one only if none of them gains enough: they make many more steps.
figure, (curves, town) = plt.subplots(1, 2, figsize=(9, 3.8), layout="constrained")
flows = Flows()
for method in ("adaptive-fw", "blended-pairwise-fw", "lazy", "blended-cg"):
    found = pf.minimize(congestion, flows, method, x0=flows.lmo(empty), tol=1e-3, budget={"LO": 150})
    curves.plot(found.column("LO"), found.column("fw_gap"), label=f"{method}, {found.nit} steps")
    print(f"{method}: {found.nit} steps, {found.counts['LO']} shortest paths, gap {found.gap:.1e}")
curves.set(yscale="log", xlabel="shortest paths", ylabel="Frank-Wolfe gap")
curves.legend()
across, along = streets(found.x)
for i, j in np.ndindex(across.shape):
    town.plot([j, j + 1], [i, i], color="#0072B2", linewidth=12 * across[i, j])
for i, j in np.ndindex(along.shape):
    town.plot([j, j], [i, i + 1], color="#0072B2", linewidth=12 * along[i, j])
town.set(title="flows at equilibrium", xticks=[], yticks=[], aspect="equal")
town.invert_yaxis()
plt.show()
