"""All kernels compiled at once, so that no first call has to."""

from time import perf_counter

import numpy as np

from .. import sets
from ..completion import choice, fitting, ratings
from ..engine.warmup import compile_kernels


def compile() -> float:
    """Compile the library's kernels into the cache, where later processes find them; return the seconds.

    The first time after an installation takes a minute or two, later ones some seconds. Without it, a kernel
    is compiled in the first call that needs it, and the logger ``projfree`` says so and how long it took:
    ``logging.getLogger("projfree").setLevel(logging.ERROR)`` silences it.
    """
    began = perf_counter()
    compile_kernels()
    vectors = sets.L1Ball(1.0), sets.LinfBall(1.0), sets.Box(-1.0, 1.0), sets.KSparse(1.0, 2)
    matrices = sets.Birkhoff(), sets.GroupBall(1.0), sets.TotalVariation(1.0)
    for G, kind in ((np.ones(3), (*vectors, sets.KSupportBall(1.0, 2))), (np.eye(3), matrices)):
        for feasible in kind:
            feasible.lmo(G)
            if hasattr(feasible, "project"):
                feasible.project(2.0 * G)
    rows, cols = np.nonzero(np.arange(108).reshape(12, 9) % 5 > 0)
    values = (1.0 + rows * cols % 5).astype(np.float32)
    rated = ratings.Ratings(rows.astype("i4"), cols.astype("i4"), values, np.arange(12), np.arange(9))
    choice.fit_path(rated, fitting.Setting(folds=2, count=3, least=0.2, tol=1e-2))
    return perf_counter() - began
