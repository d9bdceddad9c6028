"""Regression with the k-support norm
==================================

Features come in correlated groups. The lasso picks some of a group, the k-support norm takes them together.
"""

import matplotlib.pyplot as plt
import numpy as np

import projfree as pf

# %%
# Made-up data: 60 features in twelve groups of five, correlated by 0.7 within a group; two groups count.
rng = np.random.default_rng(0)
n, groups, each = 40, 12, 5
common = np.repeat(rng.standard_normal((300, groups)), each, axis=1)
X = np.sqrt(0.7) * common + np.sqrt(0.3) * rng.standard_normal((300, groups * each))
truth = np.where(np.arange(groups * each) < 2 * each, 1.0, 0.0)
y = X @ truth + 3 * rng.standard_normal(300)
fit, held = slice(0, n), slice(n, None)


def loss(w):
    """Half the mean squared error on the rows to fit, and its gradient."""
    miss = X[fit] @ w - y[fit]
    return 0.5 * miss @ miss / n, X[fit].T @ miss / n


# %%
# The ball of the k-support norm is the l1 ball for k = 1 and the Euclidean ball for k = 60. Each k has its
# own best radius, so all radii are shown. A run starts where the last one ended, and ends by its certificate.
figure, axes = plt.subplots(1, 2, figsize=(9, 3.8), layout="constrained")
radii = np.geomspace(0.5, 20, 12)
for k, colour in ((1, "#D55E00"), (10, "#0072B2"), (60, "#999999")):
    errors, weights = [], []
    w = np.zeros(groups * each)
    for radius in radii:
        ball = pf.sets.KSupportBall(radius, k)
        w = pf.minimize(loss, ball, "adaptive-fw", x0=w, tol=1e-3, budget=2000).x
        weights.append(w)
        errors.append(np.sqrt(np.mean((X[held] @ w - y[held]) ** 2)))
    best = weights[int(np.argmin(errors))]
    axes[0].plot(radii, errors, "o-", color=colour, label=f"k = {k}")
    axes[1].plot(
        best, "o", color=colour, markersize=4, label=f"k = {k}: {np.sum(np.abs(best) > 1e-3)} not zero"
    )
    print(f"k = {k}: held-out error {min(errors):.3f}, off the truth by {np.linalg.norm(best - truth):.2f}")
axes[0].set(xscale="log", xlabel="radius", ylabel="error on held-out rows")
axes[1].plot(truth, "k_", label="truth")
axes[1].set(xlabel="feature", ylabel="coefficient at the best radius")
for axis in axes:
    axis.legend()
plt.show()
