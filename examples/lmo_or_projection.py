"""Linear minimisation or projection
=================================

What one linear minimisation and one projection cost on a nuclear-norm ball, as matrices grow.
"""

from time import process_time

import matplotlib.pyplot as plt
import numpy as np

import projfree as pf


def cost(function, *arguments):
    """CPU seconds of the second call; the first may compile."""
    function(*arguments)
    began = process_time()
    function(*arguments)
    return max(process_time() - began, 1e-6)


# %%
# One needs a leading pair of singular vectors, the other a whole decomposition.
rng, ball, sides = np.random.default_rng(0), pf.sets.NuclearBall(1.0), [50, 100, 200, 400, 800]
matrices = [rng.standard_normal((side, side)) for side in sides]
for name, oracle in (("linear minimisation", ball.lmo), ("projection", ball.project)):
    plt.plot(sides, [cost(oracle, G) for G in matrices], "o-", label=name)
plt.gca().set(xscale="log", yscale="log", xlabel="side", ylabel="CPU seconds")
plt.legend()
plt.show()
