"""Reading a certificate
=====================

The gap that a run tells of itself, and how far it truly is from the optimum.
"""

import matplotlib.pyplot as plt
import numpy as np

import projfree as pf

rng = np.random.default_rng(0)
A, b = rng.standard_normal((60, 30)), rng.standard_normal(60)


def least_squares(x):
    """½‖Ax − b‖² and its gradient."""
    miss = A @ x - b
    return 0.5 * miss @ miss, A.T @ miss


ball = pf.sets.L1Ball(1.0)
best = pf.minimize(least_squares, ball, "fully-corrective-fw", x0=np.zeros(30), tol=1e-10, budget=200)
found = pf.minimize(least_squares, ball, "frank-wolfe", x0=np.zeros(30), tol=1e-3, budget=400)
print(found.certificate)
# %%
# The gap needs no knowledge of the minimum F*, and is never below F(x) − F*.
found.plot()
distance = np.array(found.column("objective")) - best.value
plt.plot(found.column("iteration"), np.maximum(distance, 1e-16), label="F(x) − F*, never above the gap")
plt.legend()
plt.show()
