"""Groups of coefficients by OSCAR
===============================

Coefficients of the diabetes data that become equal along a path (needs the extra `estimators`).
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_diabetes

import projfree as pf

X, y = load_diabetes(return_X_y=True)
names = load_diabetes().feature_names

# %%
# λ₂ pulls the sizes of pairs together, where the lasso would keep one of two correlated features only.
weights = np.geomspace(0.1, 100, 12)
path = [pf.estimators.OscarRegressor(lambda1=0.02, lambda2=weight).fit(X, y) for weight in weights]

# %%
plt.plot(weights, [np.abs(model.coef_) for model in path], "o-", label=names)
plt.gca().set(xscale="log", xlabel="λ₂ in units of λ₁/N", ylabel="size of the coefficient")
plt.title(f"groups at the middle of the path: {path[6].groups_.tolist()}", fontsize=10)
plt.legend(ncols=2, fontsize=8)
plt.show()
