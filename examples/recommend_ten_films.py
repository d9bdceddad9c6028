"""Recommend me ten films
======================

Four ratings of somebody new, ten films, and no second fit (needs the extra `estimators`).
"""

import matplotlib.pyplot as plt
import numpy as np

import projfree as pf

# %%
# Made-up ratings: 300 viewers, 120 films of four kinds, about a tenth of all pairs rated in half stars.
# Viewers like some kinds more than others, some films are better, and who likes a kind rates more of it.
rng = np.random.default_rng(0)
KINDS = ("western", "comedy", "horror", "space opera")
films = np.array([f"{KINDS[k % 4]} {k // 4 + 1}" for k in range(120)])
kind, quality = np.arange(120) % 4, 0.4 * rng.standard_normal(120)
liking = rng.choice([-1.2, 0.0, 1.2], (300, 4))
truth = 3.2 + liking[:, kind] + quality
viewers, rated = np.nonzero(rng.random(truth.shape) < 0.1 * np.exp(0.4 * liking[:, kind]))
noisy = truth[viewers, rated] + 0.4 * rng.standard_normal(viewers.size)
stars = np.clip(np.round(2 * noisy) / 2, 0.5, 5)
model = pf.estimators.MatrixCompletion().fit_ratings(viewers, films[rated], stars)

# %%
# Somebody new has seen four films. His scores are a linear function of these ratings: no second fit.
mine = {"western 3": 5.0, "western 8": 4.5, "comedy 2": 3.5, "horror 5": 1.0}
ten, scores = model.recommend(mine, n=10)
for film, score, stars in zip(ten, scores, model.scores(mine, ten), strict=True):
    print(f"{score:.3f}  {film}, {stars:.1f} stars predicted")

# %%
# Films like one of them: the cosine of what is predicted for all viewers, beyond the offsets.
like, cosines = model.similar("western 3", n=8)

# %%
figure, axes = plt.subplots(1, 2, figsize=(9, 3.8), layout="constrained")
for axis, names, values, label in (
    (axes[0], ten, scores, "top-n score"),
    (axes[1], like, cosines, "cosine with western 3"),
):
    axis.plot(values[::-1], names[::-1], "o", color="#0072B2")
    axis.set(xlabel=label)
axes[0].set(title="ten films for somebody new")
axes[1].set(title="films like western 3")
plt.show()
