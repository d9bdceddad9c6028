"""Sizes of a ratings instance, for a table of data sets beside the printed one (gcg Table 1)."""

import numpy as np

from referee.jobs.probes import Row


def measure(job, problem, constraint, rng):
    """One row: ``users, items`` of the shape, ``used_users, used_items`` with a training rating, numbers of
    ``train`` and ``test`` ratings, ``weight`` λ.
    """
    pattern = problem.pattern
    used = np.count_nonzero(np.diff(pattern.indptr)), len(np.unique(pattern.cols))
    sizes = {"users": problem.shape[0], "items": problem.shape[1]}
    sizes |= {
        "used_users": int(used[0]),
        "used_items": used[1],
        "train": problem.n,
        "weight": constraint.weight,
    }
    yield Row(0, {**sizes, "test": problem.test[1].size if problem.test else 0})
