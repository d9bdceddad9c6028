"""Two noisy views of one latent factor: the objective and its certificate as atoms are added."""

import matplotlib.pyplot as plt
import numpy as np

import projfree as pf

problem = next(pf.problems.load("multi_view").small(np.random.default_rng(0)))
found = pf.minimize(problem, problem.small_constraint, "gcg", budget=40)
figure, axes = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
found.plot("PU", "objective", ax=axes[0])
found.plot("PU", "rank", ax=axes[1])
axes[1].set(yscale="linear")
plt.show()
