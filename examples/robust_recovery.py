"""Robust recovery
===============

Principal directions of the breast-cancer data under outliers (needs the extra `estimators`).
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.decomposition import PCA
from sklearn.preprocessing import scale

import projfree as pf

rng = np.random.default_rng(0)
clean = scale(load_breast_cancer().data)[:200]
true = PCA(2).fit(clean).components_

# %%
# Entries are spoiled at random; a bounded loss does not follow them, squares do.
shares, angles = [0.0, 0.02, 0.05, 0.1, 0.15, 0.2], {"PCA": [], "RobustLowRank": []}
for share in shares:
    spoiled = clean + 20 * rng.choice([-1, 1], clean.shape) * (rng.random(clean.shape) < share)
    for name, model in (("PCA", PCA(2)), ("RobustLowRank", pf.estimators.RobustLowRank(2))):
        cosines = np.linalg.svd(model.fit(spoiled).components_ @ true.T, compute_uv=False)
        angles[name].append(np.degrees(np.arccos(min(cosines.min(), 1.0))))

# %%
for name, values in angles.items():
    plt.plot(shares, values, "o-", label=name)
plt.gca().set(xlabel="share of outliers", ylabel="largest angle to the plane of the clean data (degrees)")
plt.legend()
plt.show()
