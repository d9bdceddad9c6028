"""Complete my ratings
===================

Ratings with holes, filled; λ by cross-validation (needs the extra `estimators`).
"""

import matplotlib.pyplot as plt
import numpy as np

import projfree as pf

rng = np.random.default_rng(0)
taste, character = rng.standard_normal((80, 2)), rng.standard_normal((50, 2))
truth = 3 + taste @ character.T
given = np.where(rng.random(truth.shape) < 0.6, np.nan, truth + 0.3 * rng.standard_normal(truth.shape))

# %%
# NaN are what is not known, as for scikit-learn's imputers.
model = pf.estimators.MatrixCompletion().fit(given)
filled, holes = model.transform(given), np.isnan(given)

# %%
figure, axes = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
axes[0].plot(model.lambda_path_, model.errors_.mean(axis=1), "o-")
axes[0].set(xscale="log", xlabel="λ", ylabel="held-out RMSE", title=f"rank {model.rank_} at the best λ")
axes[1].plot(truth[holes], filled[holes], ".", alpha=0.3)
axes[1].set(xlabel="what was hidden", ylabel="what is filled in")
plt.show()
