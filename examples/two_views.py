"""Two views of one factor
=======================

The upper and the lower halves of digits, both under salt and pepper, made clean together (needs the extra
`estimators` for the data).
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

import projfree as pf

rng = np.random.default_rng(0)
clean = load_digits().data[:150].T / 16
noisy = np.where(rng.random(clean.shape) < 0.15, rng.integers(0, 2, clean.shape), clean)
arrays = {"clean": clean, "noisy": noisy, "views": (32, 32)}
problem = pf.problems.load("multi_view")(arrays, smoothing=0.05)
found = pf.minimize(problem, pf.penalties.MultiView(weight=10.0), "gcg", budget=30)

# %%
# Each atom is a pair of half images with its weight in every digit; the certificate falls as they are added.
figure, axes = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
found.plot("PU", ax=axes[0])
found.plot("PU", "rank", ax=axes[1])
axes[1].set(yscale="linear")

# %%
figure, rows = plt.subplots(3, 8, figsize=(8, 3.4), layout="constrained")
for row, (name, images) in zip(
    rows, {"clean": clean, "noisy": noisy, "found": found.x.toarray()}.items(), strict=True
):
    for axis, image in zip(row, images.T, strict=False):
        axis.imshow(image.reshape(8, 8), cmap="gray_r", vmin=0, vmax=1)
        axis.set(xticks=[], yticks=[])
    row[0].set_ylabel(name)
plt.show()
