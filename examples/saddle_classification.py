"""A robust classifier: min over weights of low norm, max over distributions near the uniform one."""

import matplotlib.pyplot as plt
import numpy as np

import projfree as pf

problem = next(pf.problems.load("robust_multiclass").small(np.random.default_rng(0)))
found = pf.minimize(problem, pf.sets.NuclearBall(2.0), "mpcgs", budget=60)
figure, axes = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
found.plot("iteration", ax=axes[0])
axes[1].plot(np.sort(found.x.y)[::-1], ".")
axes[1].axhline(1 / found.x.y.size, color="black", linestyle="dashed", label="uniform")
axes[1].set(xlabel="sample", ylabel="its weight in the worst case")
axes[1].legend()
plt.show()
