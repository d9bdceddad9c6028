"""A saddle point: robust classification
=====================================

Min over weights of low norm, max over distributions near the uniform one, on the wine data (needs the extra
`estimators` for the data).
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.sparse import csr_array
from sklearn.datasets import load_wine
from sklearn.preprocessing import scale

import projfree as pf

X, labels = load_wine(return_X_y=True)
A = csr_array(scale(X))
arrays = {"indptr": A.indptr, "indices": A.indices, "data": A.data, "shape": A.shape}
problem = pf.problems.load("robust_multiclass")({**arrays, "labels": labels, "classes": 3})
found = pf.minimize(problem, pf.sets.NuclearBall(2.0), "mpcgs", budget=60)

# %%
# The certificate bounds the gap between the players; the second one asks for the samples that are hard.
figure, axes = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
found.plot("iteration", ax=axes[0])
axes[1].plot(np.sort(found.x.y)[::-1], ".")
axes[1].axhline(1 / found.x.y.size, color="black", linestyle="dashed", label="uniform")
axes[1].set(xlabel="sample", ylabel="its weight in the worst case")
axes[1].legend()
plt.show()
