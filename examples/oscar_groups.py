"""Coefficients that become equal along a path of the OSCAR penalty (needs the extra `estimators`)."""

import matplotlib.pyplot as plt
import numpy as np

import projfree as pf

rng = np.random.default_rng(0)
X = rng.standard_normal((100, 8))
y = X @ np.array([3, 3, 3, -1, -1, 0, 0, 0]) + 0.3 * rng.standard_normal(100)

weights = np.geomspace(0.1, 100, 12)
path = [pf.estimators.OscarRegressor(lambda1=0.02, lambda2=weight).fit(X, y) for weight in weights]
plt.plot(weights, [model.coef_ for model in path], "o-")
plt.gca().set(xscale="log", xlabel="λ₂ in units of λ₁/N", ylabel="coefficient")
plt.title(f"groups at the middle of the path: {path[6].groups_.tolist()}")
plt.show()
