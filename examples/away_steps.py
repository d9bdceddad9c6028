"""Away steps
==========

Zigzag of plain Frank-Wolfe on a polytope, and the linear rate of methods with active sets.
"""

import matplotlib.pyplot as plt
import numpy as np

import projfree as pf

rng = np.random.default_rng(0)
A = rng.standard_normal((80, 40)) / 9 + np.eye(80, 40)
aim = np.where(np.arange(40) < 5, 0.2, -0.3)


def distance(x):
    """½‖A(x − aim)‖² and its gradient: the minimum lies inside a face of the simplex."""
    miss = A @ (x - aim)
    return 0.5 * miss @ miss, A.T @ miss


# %%
# All start in a vertex. Plain steps can only add vertices and zigzag between those of the optimum's face; the
# others take weight away from bad ones.
start = np.eye(40)[-1]
for method in ("frank-wolfe", "away-fw", "pairwise-fw", "blended-pairwise-fw", "fully-corrective-fw"):
    found = pf.minimize(distance, pf.sets.Simplex(), method, x0=start, tol=1e-10, budget=300)
    plt.plot(found.column("LO"), found.column("fw_gap"), label=method)
plt.gca().set(yscale="log", xlabel="linear minimisations", ylabel="Frank-Wolfe gap", ylim=(1e-10, None))
plt.legend()
plt.show()
